package dev.keelson.audit.event;

import java.util.Arrays;
import java.util.Optional;

/** How much of a request is recorded; each level records what the ones before it do. */
public enum Level {
  /** Nothing. */
  NONE("None"),
  /** Who, when, what and the outcome, without bodies. */
  METADATA("Metadata"),
  /** The request object as well. */
  REQUEST("Request"),
  /** The response object as well. */
  REQUEST_RESPONSE("RequestResponse");

  private final String word;

  Level(String word) {
    this.word = word;
  }

  /** The level of that name; empty if there is none. */
  public static Optional<Level> ofWord(String word) {
    return Arrays.stream(values()).filter(level -> level.word.equals(word)).findFirst();
  }

  /** The name in policies and events. */
  public String word() {
    return word;
  }

  /** Whether this level records what {@code other} records. */
  public boolean atLeast(Level other) {
    return compareTo(other) >= 0;
  }
}
