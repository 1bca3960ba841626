package dev.keelson.value;

import org.jspecify.annotations.Nullable;

/**
 * One instance of short texts that many objects repeat, such as namespaces, kinds and names of
 * nodes: each decoded object brings its own, some 50 bytes. Texts that were used recently are
 * known; the memory is bounded. Safe for use by several threads.
 */
public final class SharedText {

  /** A power of two. */
  private static final int SIZE = 4096;

  private static final int LONGEST = 64;

  /** By hash; races of threads are harmless, since a String may be published without a lock. */
  private static final @Nullable String[] RECENT = new String[SIZE];

  private SharedText() {}

  /** An equal text, mostly the same instance for equal texts. */
  public static String of(String text) {
    if (text.length() > LONGEST) {
      return text;
    }
    int hash = text.hashCode();
    int slot = (hash ^ hash >>> 16) & SIZE - 1;
    String known = RECENT[slot];
    if (known != null && known.equals(text)) {
      return known;
    }
    RECENT[slot] = text;
    return text;
  }
}
