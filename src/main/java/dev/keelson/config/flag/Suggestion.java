package dev.keelson.config.flag;

import java.util.Collection;

/** Suggests the known name that is closest to a misspelled one. */
public final class Suggestion {

  private Suggestion() {}

  /** {@code "; did you mean X?"}, or empty if no name is close. */
  public static String among(Collection<String> names, String wrong) {
    String nearest = "";
    int best = Math.max(2, wrong.length() / 3) + 1;
    for (String name : names) {
      int distance = distance(name, wrong);
      if (distance < best) {
        best = distance;
        nearest = name;
      }
    }
    return nearest.isEmpty() ? "" : "; did you mean " + nearest + "?";
  }

  /** The Levenshtein distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
