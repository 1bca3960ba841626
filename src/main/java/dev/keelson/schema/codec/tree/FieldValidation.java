package dev.keelson.schema.codec.tree;

/** How a write treats unknown and duplicate fields. */
public enum FieldValidation {
  /** Drops them silently. */
  IGNORE("Ignore"),
  /** Drops them and reports them in Warning headers. */
  WARN("Warn"),
  /** Rejects the write. */
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
