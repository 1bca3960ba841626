package dev.keelson.schema.codec.tree;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a client is told of fields that are unknown or stand twice: each once, in order, up to a
 * number and a length, so that a body full of them does not make an answer full of them.
 */
public final class Problems {

  /** How many are told. */
  public static final int MOST = 100;

  /** How long all together may get, so that long keys are not told a hundred times. */
  private static final int MOST_CHARACTERS = 1 << 16;

  private final Set<String> texts = new LinkedHashSet<>(0);
  private int characters;

  /** Whether another one would not be told, so that it need not be put into words. */
  public boolean full() {
    return texts.size() >= MOST || characters >= MOST_CHARACTERS;
  }

  /** Adds one, if there is room; one that is there already counts as work all the same. */
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
