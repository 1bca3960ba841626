package dev.keelson.schema.validation.batch;

/**
 * The indexes of a job as text, like {@code 0,3-5}: rising, each below the number of completions.
 *
 * @param count how many indexes there are
 * @param problem what is wrong with the text, empty if nothing is
 */
record IndexIntervals(long count, String problem) {
  static IndexIntervals parse(String text, long completions) {
    if (text.isEmpty()) {
      return new IndexIntervals(0, "");
    }
    long count = 0;
    long previous = -1;
    for (String interval : text.split(",", -1)) {
      String[] parts = interval.split("-", -1);
      if (parts.length > 2) {
        return wrong(
            "the fragment \""
                + interval
                + "\" violates the requirement that an index interval can have at most two parts"
                + " separated by '-'");
      }
      long first = index(parts[0]);
      long last = parts.length == 2 ? index(parts[1]) : first;
      for (int i = 0; i < parts.length; i++) {
        long index = i == 0 ? first : last;
        if (index < 0) {
          return wrong("cannot convert string to integer for index: \"" + parts[i] + "\"");
        }
        if (index >= completions) {
          return wrong("too large index: \"" + parts[i] + "\"");
        }
      }
      if (parts.length == 2 && first >= last) {
        return falling(first, last);
      }
      if (previous >= first) {
        return falling(previous, first);
      }
      previous = last;
      count += last - first + 1;
    }
    return new IndexIntervals(count, "");
  }

  /**
   * The first index that is in both texts, or -1 if there is none; what cannot be read is passed
   * over.
   */
  static long firstInBoth(String completed, String failed, long completions) {
    String[] mine = completed.split(",", -1);
    String[] theirs = failed.split(",", -1);
    int i = 0;
    int j = 0;
    while (i < mine.length && j < theirs.length) {
      long[] here = ends(mine[i], completions);
      long[] there = ends(theirs[j], completions);
      if (here.length == 0) {
        i++;
      } else if (there.length == 0) {
        j++;
      } else if (here[0] <= there[1] && there[0] <= here[1]) {
        return Math.max(here[0], there[0]);
      } else if (here[0] <= there[0]) {
        i++;
      } else {
        j++;
      }
    }
    return -1;
  }

  /** The first and last index of one interval; empty if it is none. */
  private static long[] ends(String interval, long completions) {
    if (interval.isEmpty() || !parse(interval, completions).problem.isEmpty()) {
      return new long[0];
    }
    int dash = interval.indexOf('-');
    return dash < 0
        ? new long[] {index(interval), index(interval)}
        : new long[] {index(interval.substring(0, dash)), index(interval.substring(dash + 1))};
  }

  private static IndexIntervals falling(long previous, long current) {
    return wrong("non-increasing order, previous: " + previous + ", current: " + current);
  }

  private static IndexIntervals wrong(String problem) {
    return new IndexIntervals(0, problem);
  }

  private static long index(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      // reported by the caller, with the text
      return -1;
    }
  }
}
