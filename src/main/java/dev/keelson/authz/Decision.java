package dev.keelson.authz;

/** What an authorizer has to say. */
public sealed interface Decision {

  /** Why; for the user who is refused and for the audit trail. May be empty. */
  String reason();

  /** It may be done. */
  record Allow(String reason) implements Decision {

    /** Without a reason. */
    public static final Decision PLAIN = new Allow("");
  }

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
  record NoOpinion(String reason, String error) implements Decision {

    /** Without a reason or an error. */
    public static final Decision PLAIN = new NoOpinion("", "");
  }

  /** Whether it may be done. */
  default boolean allowed() {
    return this instanceof Allow;
  }
}
