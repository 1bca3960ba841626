package dev.keelson.admission.podsecurity;

import java.util.Arrays;
import java.util.Optional;

/** A level of the Pod Security Standards, from the least to the most strict. */
public enum Level {
  /** Everything is allowed. */
  PRIVILEGED("privileged"),
  /** Known privilege escalations are forbidden. */
  BASELINE("baseline"),
  /** Pods must be hardened. */
  RESTRICTED("restricted");

  /** What a text that is no level must be. */
  static final String ALLOWED = "must be one of privileged, baseline, restricted";

  private final String text;

  Level(String text) {
    this.text = text;
  }

  /** The name in labels. */
  public String text() {
    return text;
  }

  /** Returns the level of a name. */
  static Optional<Level> of(String text) {
    return Arrays.stream(values()).filter(level -> level.text.equals(text)).findFirst();
  }
}
