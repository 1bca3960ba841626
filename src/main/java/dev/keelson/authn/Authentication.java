package dev.keelson.authn;

import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Map;

/** The result of authenticating the credentials of a request. */
public sealed interface Authentication {

  /**
   * The credentials are valid, and the request is made by {@code user}.
   *
   * @param audiences the requested audiences that the credentials are valid for; empty if the
   *     credentials name no audience, which means the API itself
   * @param annotations the audit annotations of the credentials
   * @param warnings what the client is warned of
   */
  record Authenticated(
      UserInfo user, List<String> audiences, Map<String, String> annotations, List<String> warnings)
      implements Authentication {
    public Authenticated {
      audiences = List.copyOf(audiences);
      annotations = Map.copyOf(annotations);
      warnings = List.copyOf(warnings);
    }

    /** By credentials of which audit events and clients are told nothing. */
    public Authenticated(UserInfo user, List<String> audiences) {
      this(user, audiences, Map.of(), List.of());
    }

    /** A user authenticated by credentials without an audience. */
    public Authenticated(UserInfo user) {
      this(user, List.of());
    }
  }

  /** The credentials are not of the kind that this authenticator handles. */
  record NoOpinion() implements Authentication {}

  /**
   * The credentials are of the right kind and invalid.
   *
   * @param reason the reason, for the log; clients only get {@code Unauthorized}
   * @param annotations the audit annotations of the credentials
   */
  record Rejected(String reason, Map<String, String> annotations) implements Authentication {
    public Rejected {
      annotations = Map.copyOf(annotations);
    }

    /** By credentials of which audit events show nothing. */
    public Rejected(String reason) {
      this(reason, Map.of());
    }
  }
}
