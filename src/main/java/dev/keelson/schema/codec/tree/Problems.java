package dev.keelson.schema.codec.tree;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The unknown and duplicate fields to report: each once, in order, limited in number and length, so
 * that the response stays small.
 */
public final class Problems {

  /** Maximum number of problems. */
  public static final int MOST = 100;

  /** Maximum characters of all problems together. */
  private static final int MOST_CHARACTERS = 1 << 16;

  private final Set<String> texts = new LinkedHashSet<>(0);
  private int characters;

  /** Whether further problems are dropped, so that their text need not be built. */
  public boolean full() {
    return texts.size() >= MOST || characters >= MOST_CHARACTERS;
  }

  /** Adds a problem, if there is room; a duplicate counts against the limit, too. */
  public void add(String text) {
    if (!full()) {
      texts.add(text);
      characters += text.length();
    }
  }

  public Set<String> texts() {
    return texts;
  }
}
