package dev.keelson.audit;

/** Whether a back end has an event. */
public enum Acceptance {
  /** The event is stored as its mode promises, or its loss is of no consequence to the request. */
  ACCEPTED,
  /** The event is not stored, and the request must not go on (mode blocking-strict). */
  REFUSED;

  /** Refused if one of both is. */
  public Acceptance and(Acceptance other) {
    return this == ACCEPTED ? other : this;
  }
}
