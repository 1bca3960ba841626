package dev.keelson.authz;

/** The decision of an authorizer. */
public sealed interface Decision {

  /** The reason, for the 403 response and the audit log; may be empty. */
  String reason();

  /** The evaluation error; may be empty. */
  String error();

  /** The request is allowed. */
  record Allow(String reason) implements Decision {

    /** An allowed decision without a reason. */
    public static final Decision PLAIN = new Allow("");

    @Override
    public String error() {
      return "";
    }
  }

  /**
   * The request is denied, whatever later authorizers decide.
   *
   * @param error the evaluation error, or empty
   */
  record Deny(String reason, String error) implements Decision {}

  /**
   * The authorizer neither allows nor denies. A request is denied if every authorizer has no
   * opinion.
   *
   * @param error the evaluation error, or empty
   */
  record NoOpinion(String reason, String error) implements Decision {

    /** Without a reason or an error. */
    public static final Decision PLAIN = new NoOpinion("", "");
  }

  /** Whether the request is allowed. */
  default boolean allowed() {
    return this instanceof Allow;
  }
}
