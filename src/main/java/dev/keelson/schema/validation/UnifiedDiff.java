package dev.keelson.schema.validation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The difference of two texts by lines as {@code diff -u} writes it, without names of files and
 * with three lines around each change (source: apimachinery pkg/util/diff). Lines are matched as
 * Python's difflib does (longest run first, lines of which there are many do not begin a run), so
 * that the hunks are those of kube-apiserver, which uses a port of it.
 */
public final class UnifiedDiff {
  private static final int CONTEXT = 3;

  /** From this many lines on, those that are more than one in a hundred are taken for common. */
  private static final int MANY = 200;

  /**
   * The longest texts whose runs are looked for; lines of both together. That takes time by the
   * square of it at worst, and the lines of an object are as many as a client likes.
   */
  private static final int MOST_LINES = 8_000;

  /** {@code a[i, i+size)} is {@code b[j, j+size)}. */
  private record Match(int i, int j, int size) {}

  /** What becomes of {@code a[i1, i2)}: {@code b[j1, j2)}. */
  private record Step(boolean equal, int i1, int i2, int j1, int j2) {}

  private final List<String> a;

  private final List<String> b;
  private final Map<String, List<Integer>> placesInB = new HashMap<>();

  /** The length of the run that ends with each line of b, for one line of a; else all zero. */
  private final int[] evenRow;

  private final int[] oddRow;

  private UnifiedDiff(List<String> a, List<String> b) {
    this.a = a;
    this.b = b;
    boolean small = a.size() + b.size() <= MOST_LINES;
    evenRow = new int[small ? b.size() + 1 : 0];
    oddRow = new int[small ? b.size() + 1 : 0];
    for (int j = 0; j < b.size(); j++) {
      placesInB.computeIfAbsent(b.get(j), _ -> new ArrayList<>()).add(j);
    }
    if (b.size() >= MANY) {
      int most = b.size() / 100 + 1;
      placesInB.values().removeIf(places -> places.size() > most);
    }
  }

  /** The difference; empty if there is none. Each line ends with a line feed. */
  public static String of(List<String> a, List<String> b) {
    if (a.equals(b)) {
      return "";
    }
    UnifiedDiff diff = new UnifiedDiff(a, b);
    StringBuilder text = new StringBuilder();
    for (List<Step> hunk : hunks(diff.steps())) {
      diff.append(hunk, text);
    }
    return text.toString();
  }

  private void append(List<Step> hunk, StringBuilder text) {
    Step first = hunk.getFirst();
    Step last = hunk.getLast();
    text.append("@@ -").append(range(first.i1, last.i2));
    text.append(" +").append(range(first.j1, last.j2)).append(" @@\n");
    for (Step step : hunk) {
      if (step.equal) {
        append(' ', a.subList(step.i1, step.i2), text);
      } else {
        append('-', a.subList(step.i1, step.i2), text);
        append('+', b.subList(step.j1, step.j2), text);
      }
    }
  }

  private static void append(char mark, List<String> lines, StringBuilder text) {
    for (String line : lines) {
      text.append(mark).append(line).append('\n');
    }
  }

  private static String range(int start, int stop) {
    int length = stop - start;
    if (length == 1) {
      return Integer.toString(start + 1);
    }
    return (length == 0 ? start : start + 1) + "," + length;
  }

  /** The steps, cut where more lines are equal than two changes show around them. */
  private static List<List<Step>> hunks(List<Step> all) {
    List<Step> steps = new ArrayList<>(all);
    if (steps.getFirst().equal) {
      Step step = steps.getFirst();
      int from = Math.max(step.i1, step.i2 - CONTEXT);
      steps.set(0, new Step(true, from, step.i2, step.j2 - (step.i2 - from), step.j2));
    }
    if (steps.getLast().equal) {
      Step step = steps.getLast();
      int size = Math.min(step.i2 - step.i1, CONTEXT);
      steps.set(steps.size() - 1, new Step(true, step.i1, step.i1 + size, step.j1, step.j1 + size));
    }
    List<List<Step>> hunks = new ArrayList<>();
    List<Step> hunk = new ArrayList<>();
    for (Step step : steps) {
      Step rest = step;
      if (step.equal && step.i2 - step.i1 > 2 * CONTEXT) {
        hunk.add(new Step(true, step.i1, step.i1 + CONTEXT, step.j1, step.j1 + CONTEXT));
        hunks.add(hunk);
        hunk = new ArrayList<>();
        rest = new Step(true, step.i2 - CONTEXT, step.i2, step.j2 - CONTEXT, step.j2);
      }
      hunk.add(rest);
    }
    if (hunk.size() > 1 || (!hunk.isEmpty() && !hunk.getFirst().equal)) {
      hunks.add(hunk);
    }
    return hunks;
  }

  private List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    int i = 0;
    int j = 0;
    for (Match match : matches()) {
      if (i < match.i || j < match.j) {
        steps.add(new Step(false, i, match.i, j, match.j));
      }
      i = match.i + match.size;
      j = match.j + match.size;
      if (match.size > 0) {
        steps.add(new Step(true, match.i, i, match.j, j));
      }
    }
    return steps;
  }

  /** All runs in order, neighbours joined, and an empty one at the end. */
  private List<Match> matches() {
    List<Match> found = new ArrayList<>();
    if (a.size() + b.size() <= MOST_LINES) {
      collect(0, a.size(), 0, b.size(), found);
    } else {
      collectEnds(found);
    }
    List<Match> joined = new ArrayList<>();
    Match open = new Match(0, 0, 0);
    for (Match match : found) {
      if (open.i + open.size == match.i && open.j + open.size == match.j) {
        open = new Match(open.i, open.j, open.size + match.size);
      } else {
        if (open.size > 0) {
          joined.add(open);
        }
        open = match;
      }
    }
    if (open.size > 0) {
      joined.add(open);
    }
    joined.add(new Match(a.size(), b.size(), 0));
    return joined;
  }

  /** The runs that both texts begin and end with: what is between them is shown as one change. */
  private void collectEnds(List<Match> found) {
    int most = Math.min(a.size(), b.size());
    int head = 0;
    while (head < most && a.get(head).equals(b.get(head))) {
      head++;
    }
    int tail = 0;
    while (tail < most - head && a.get(a.size() - 1 - tail).equals(b.get(b.size() - 1 - tail))) {
      tail++;
    }
    if (head > 0) {
      found.add(new Match(0, 0, head));
    }
    if (tail > 0) {
      found.add(new Match(a.size() - tail, b.size() - tail, tail));
    }
  }

  private void collect(int iLow, int iHigh, int jLow, int jHigh, List<Match> found) {
    Match match = longest(iLow, iHigh, jLow, jHigh);
    if (match.size == 0) {
      return;
    }
    if (iLow < match.i && jLow < match.j) {
      collect(iLow, match.i, jLow, match.j, found);
    }
    found.add(match);
    if (match.i + match.size < iHigh && match.j + match.size < jHigh) {
      collect(match.i + match.size, iHigh, match.j + match.size, jHigh, found);
    }
  }

  private Match longest(int iLow, int iHigh, int jLow, int jHigh) {
    int bestI = iLow;
    int bestJ = jLow;
    int bestSize = 0;
    int[] before = evenRow;
    int[] here = oddRow;
    for (int i = iLow; i < iHigh; i++) {
      for (int j : placesInB(a.get(i))) {
        if (j >= jLow && j < jHigh) {
          int size = before[j] + 1;
          here[j + 1] = size;
          if (size > bestSize) {
            bestI = i - size + 1;
            bestJ = j - size + 1;
            bestSize = size;
          }
        }
      }
      clear(before, i - 1, iLow);
      int[] row = before;
      before = here;
      here = row;
    }
    clear(before, iHigh - 1, iLow);
    while (bestI > iLow && bestJ > jLow && a.get(bestI - 1).equals(b.get(bestJ - 1))) {
      bestI--;
      bestJ--;
      bestSize++;
    }
    while (bestI + bestSize < iHigh
        && bestJ + bestSize < jHigh
        && a.get(bestI + bestSize).equals(b.get(bestJ + bestSize))) {
      bestSize++;
    }
    return new Match(bestI, bestJ, bestSize);
  }

  private List<Integer> placesInB(String line) {
    return placesInB.getOrDefault(line, List.of());
  }

  /** Takes back what line {@code i} of a, from {@code iLow} on, has put into a row. */
  private void clear(int[] row, int i, int iLow) {
    if (i >= iLow) {
      for (int j : placesInB(a.get(i))) {
        row[j + 1] = 0;
      }
    }
  }
}
