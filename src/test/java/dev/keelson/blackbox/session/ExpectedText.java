package dev.keelson.blackbox.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Expected lines with placeholders for what varies, compared with the lines that were printed. The
 * width of a gap between columns does not count, since it follows from the longest value; neither
 * do blanks at the end of a line.
 */
public final class ExpectedText {

  /** A line that stands for any number of lines. */
  private static final String ANY_LINES = "{...}";

  private static final int LONGEST = 80;

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z]+|\\*)}");

  private static final Map<String, String> FORMS =
      Map.of(
          "*", ".*",
          "age", "(?:(?:\\d+[smhdy]){1,2}|<invalid>)",
          "uid", "\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}",
          "n", "\\d+",
          "suffix", "[a-z0-9]{5,10}",
          "ip", "[0-9a-f:.]+",
          "time",
              "(?:\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z"
                  + "|\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d \\+0000)");

  /** kubectl 1.34 and later name the namespace of what they delete. */
  private static final Pattern DELETED_FROM =
      Pattern.compile("(\" (?:force )?deleted) from \\S+ namespace");

  private final List<String> expected;

  /** Takes lines in the form of the files. */
  public ExpectedText(List<String> expected) {
    this.expected = expected.stream().map(ExpectedText::evenGaps).toList();
  }

  /** Returns the lines of {@code printed} that are compared. */
  public static List<String> lines(String printed) {
    List<String> lines =
        new ArrayList<>(
            printed
                .lines()
                .map(line -> DELETED_FROM.matcher(line).replaceAll("$1"))
                .map(ExpectedText::evenGaps)
                .toList());
    while (!lines.isEmpty() && lines.getLast().isEmpty()) {
      lines.removeLast();
    }
    return lines;
  }

  private static String evenGaps(String line) {
    return line.stripTrailing().replaceAll("(?<=\\S)(?: {2,}|[ ]*\\t\\s*)(?=\\S)", "  ");
  }

  /** Whether {@code printed} is what is expected. */
  public boolean matches(String printed) {
    return distances(lines(printed))[0][0] == 0;
  }

  /**
   * Describes the difference: lines that are as expected have two blanks in front, missing ones a
   * {@code -}, others a {@code +}. A long difference ends after eighty lines.
   */
  public String difference(String printed) {
    List<String> actual = lines(printed);
    int[][] distances = distances(actual);
    StringBuilder text = new StringBuilder();
    int i = 0;
    int j = 0;
    while (i < expected.size() || j < actual.size()) {
      boolean both = i < expected.size() && j < actual.size();
      if (both && matches(i, actual.get(j)) && distances[i][j] == distances[i + 1][j + 1]) {
        append(text, "  ", actual.get(j++));
        i++;
      } else if (i < expected.size() && distances[i][j] == distances[i + 1][j] + cost(i)) {
        append(text, cost(i) == 0 ? "  " : "- ", expected.get(i++));
      } else {
        boolean covered = i < expected.size() && cost(i) == 0;
        append(text, covered ? "  " : "+ ", actual.get(j++));
      }
    }
    return text.toString().lines().limit(LONGEST).collect(Collectors.joining("\n", "", "\n"));
  }

  private static void append(StringBuilder text, String mark, String line) {
    text.append("    ").append(mark).append(line).append('\n');
  }

  /** The number of lines to remove and to add from each place on. */
  private int[][] distances(List<String> actual) {
    int[][] distances = new int[expected.size() + 1][actual.size() + 1];
    for (int i = expected.size(); i >= 0; i--) {
      for (int j = actual.size(); j >= 0; j--) {
        distances[i][j] = distance(distances, i, j, actual);
      }
    }
    return distances;
  }

  private int distance(int[][] distances, int i, int j, List<String> actual) {
    boolean line = i < expected.size();
    boolean printed = j < actual.size();
    if (!line && !printed) {
      return 0;
    }
    int best = Integer.MAX_VALUE;
    if (line) {
      best = distances[i + 1][j] + cost(i);
    }
    if (printed) {
      best = Math.min(best, distances[i][j + 1] + (line ? cost(i) : 1));
    }
    return line && printed && matches(i, actual.get(j))
        ? Math.min(best, distances[i + 1][j + 1])
        : best;
  }

  /** The cost of a line that is missing, or in the place of which another one was printed. */
  private int cost(int index) {
    return expected.get(index).equals(ANY_LINES) ? 0 : 1;
  }

  private boolean matches(int index, String line) {
    String wanted = expected.get(index);
    return wanted.equals(line)
        || (wanted.indexOf('{') >= 0 && pattern(wanted).matcher(line).matches());
  }

  private static Pattern pattern(String line) {
    StringBuilder pattern = new StringBuilder();
    Matcher found = PLACEHOLDER.matcher(line);
    int end = 0;
    while (found.find()) {
      String form = FORMS.get(found.group(1));
      if (form != null) {
        pattern.append(Pattern.quote(line.substring(end, found.start()))).append(form);
        end = found.end();
      }
    }
    pattern.append(Pattern.quote(line.substring(end)));
    return Pattern.compile(pattern.toString());
  }
}
