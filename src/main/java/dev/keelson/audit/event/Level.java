package dev.keelson.audit.event;

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

  /** The name in policies and events. */
  public String word() {
    return word;
  }

  /** Whether this level records what {@code other} records. */
  public boolean atLeast(Level other) {
    return compareTo(other) >= 0;
  }
}
