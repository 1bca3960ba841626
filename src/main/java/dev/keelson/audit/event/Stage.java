package dev.keelson.audit.event;

import java.util.Arrays;
import java.util.Optional;

/** The point in the handling of a request at which an event is generated. */
public enum Stage {
  /** The request has been received and its user is known. */
  REQUEST_RECEIVED("RequestReceived"),
  /** The header of a long-running response is about to be sent. */
  RESPONSE_STARTED("ResponseStarted"),
  /** The response is complete. */
  RESPONSE_COMPLETE("ResponseComplete"),
  /** The handler failed by a defect of the server. */
  PANIC("Panic");

  private final String word;

  Stage(String word) {
    this.word = word;
  }

  /** The stage of that name; empty if there is none. */
  public static Optional<Stage> ofWord(String word) {
    return Arrays.stream(values()).filter(stage -> stage.word.equals(word)).findFirst();
  }

  /** The name in policies and events. */
  public String word() {
    return word;
  }
}
