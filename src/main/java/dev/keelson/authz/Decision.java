package dev.keelson.authz;

/** What an authorizer has to say. */
public sealed interface Decision {

  /** Yes, without a reason. */
  Decision ALLOW = new Allow("");

  /** Nothing either way, without a reason. */
  Decision NO_OPINION = new NoOpinion("", "");

  /** Why; for the user who is refused and for the audit trail. May be empty. */
  String reason();

  /** It may be done. */
  record Allow(String reason) implements Decision {}

  /**
   * It may not be done, whatever later authorizers think.
   *
   * @param error what went wrong while finding out, or empty
   */
  record Deny(String reason, String error) implements Decision {}

  /**
   * Somebody else may know. If nobody does it may not be done.
   *
   * @param error what went wrong while finding out, or empty
   */
  record NoOpinion(String reason, String error) implements Decision {}

  /** Whether it may be done. */
  default boolean allowed() {
    return this instanceof Allow;
  }
}
