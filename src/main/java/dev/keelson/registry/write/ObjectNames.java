package dev.keelson.registry.write;

import java.util.random.RandomGenerator;

/**
 * Makes names from {@code generateName}: the base, cut to 58 characters, and five random characters
 * without vowels.
 */
public final class ObjectNames {

  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
  private static final int SUFFIX = 5;
  private static final int LONGEST_BASE = 63 - SUFFIX;

  private final RandomGenerator random;

  public ObjectNames(RandomGenerator random) {
    this.random = random;
  }

  /** A name that begins with {@code base}. */
  public String generate(String base) {
    StringBuilder name = new StringBuilder(63);
    name.append(base, 0, Math.min(base.length(), LONGEST_BASE));
    for (int i = 0; i < SUFFIX; i++) {
      name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return name.toString();
  }
}
