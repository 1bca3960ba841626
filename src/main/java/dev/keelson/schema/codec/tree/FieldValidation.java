package dev.keelson.schema.codec.tree;

/** How a write treats fields that the schema does not know and fields that stand twice. */
public enum FieldValidation {
  /** Drops them without a word. */
  IGNORE("Ignore"),
  /** Drops them and says so in Warning headers. */
  WARN("Warn"),
  /** Refuses the write. */
  STRICT("Strict");

  private final String word;

  FieldValidation(String word) {
    this.word = word;
  }

  /** The word of the query parameter {@code fieldValidation}. */
  public String word() {
    return word;
  }

  /**
   * The value that {@code word} stands for; empty is {@link #WARN}, as in Kubernetes.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static FieldValidation ofWord(String word) {
    if (word.isEmpty()) {
      return WARN;
    }
    for (FieldValidation value : values()) {
      if (value.word.equals(word)) {
        return value;
      }
    }
    throw new IllegalArgumentException("unknown fieldValidation " + word);
  }
}
