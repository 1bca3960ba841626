package dev.keelson.controller.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A set of completion indexes, as ranges in order (source: {@code indexed_job_utils.go}). Written
 * as {@code 1,3-5,7}.
 */
record Indexes(List<Range> ranges) {

  static final Indexes NONE = new Indexes(List.of());

  private static final Pattern COMMA = Pattern.compile(",");

  /** The indexes from the first to the last, both included. */
  record Range(int first, int last) {}

  Indexes {
    ranges = List.copyOf(ranges);
  }

  static Indexes of(Collection<Integer> indexes) {
    List<Range> ranges = new ArrayList<>();
    for (int index : new TreeSet<>(indexes)) {
      append(ranges, new Range(index, index));
    }
    return new Indexes(ranges);
  }

  /**
   * Reads indexes; what is not readable is ignored.
   *
   * @param completions indexes from this one on are ignored
   */
  static Indexes parse(String text, int completions) {
    List<Range> ranges = new ArrayList<>();
    for (String item : COMMA.split(text, -1)) {
      int dash = item.indexOf('-');
      try {
        int first = Integer.parseInt(dash < 0 ? item : item.substring(0, dash));
        if (first >= completions) {
          break;
        }
        int last = dash < 0 ? first : Integer.parseInt(item.substring(dash + 1));
        append(ranges, new Range(first, Math.min(last, completions - 1)));
      } catch (NumberFormatException e) {
        // empty, or not written by a controller
      }
    }
    return new Indexes(ranges);
  }

  /** Adds a range that does not begin before the last one. */
  private static void append(List<Range> ranges, Range next) {
    Range last = ranges.isEmpty() ? null : ranges.getLast();
    if (last == null || next.first() > last.last() + 1) {
      ranges.add(next);
    } else if (last.last() < next.last()) {
      ranges.set(ranges.size() - 1, new Range(last.first(), next.last()));
    }
  }

  Indexes with(Indexes others) {
    List<Range> all = new ArrayList<>(ranges);
    all.addAll(others.ranges);
    all.sort((one, other) -> Integer.compare(one.first(), other.first()));
    List<Range> merged = new ArrayList<>();
    all.forEach(range -> append(merged, range));
    return new Indexes(merged);
  }

  int count() {
    return ranges.stream().mapToInt(range -> range.last() - range.first() + 1).sum();
  }

  boolean isEmpty() {
    return ranges.isEmpty();
  }

  boolean contains(int index) {
    int low = 0;
    int high = ranges.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranges.get(middle).last() >= index) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low < ranges.size() && ranges.get(low).first() <= index;
  }

  /** How many indexes both have. */
  int common(Indexes other) {
    int common = 0;
    int mine = 0;
    int theirs = 0;
    while (mine < ranges.size() && theirs < other.ranges.size()) {
      Range one = ranges.get(mine);
      Range two = other.ranges.get(theirs);
      int overlap = Math.min(one.last(), two.last()) - Math.max(one.first(), two.first()) + 1;
      common += Math.max(0, overlap);
      if (one.last() < two.last()) {
        mine++;
      } else {
        theirs++;
      }
    }
    return common;
  }

  /** The first indexes below {@code completions} that are not in the set, at most {@code count}. */
  List<Integer> firstMissing(int count, int completions) {
    List<Integer> missing = new ArrayList<>();
    int candidate = 0;
    for (Range range : ranges) {
      for (; candidate < range.first() && candidate < completions; candidate++) {
        if (missing.size() == count) {
          return missing;
        }
        missing.add(candidate);
      }
      candidate = Math.max(candidate, range.last() + 1);
    }
    for (; candidate < completions && missing.size() < count; candidate++) {
      missing.add(candidate);
    }
    return missing;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Range range : ranges) {
      if (!text.isEmpty()) {
        text.append(',');
      }
      text.append(range.first());
      if (range.last() > range.first()) {
        text.append(range.last() == range.first() + 1 ? ',' : '-').append(range.last());
      }
    }
    return text.toString();
  }
}
