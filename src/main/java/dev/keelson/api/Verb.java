package dev.keelson.api;

/** The verbs of authorization rules and discovery documents. */
public enum Verb {
  GET,
  LIST,
  WATCH,
  CREATE,
  UPDATE,
  PATCH,
  DELETE,
  DELETE_COLLECTION,
  CONNECT;

  private final String word = name().replace("_", "").toLowerCase(java.util.Locale.ROOT);

  /** The lower-case word, for example {@code deletecollection}. */
  public String word() {
    return word;
  }

  /**
   * The verb that {@code word} stands for.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Verb ofWord(String word) {
    for (Verb verb : values()) {
      if (verb.word.equals(word)) {
        return verb;
      }
    }
    throw new IllegalArgumentException("unknown verb " + word);
  }
}
