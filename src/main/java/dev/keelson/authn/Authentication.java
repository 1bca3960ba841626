package dev.keelson.authn;

import dev.keelson.request.UserInfo;
import java.util.List;

/** What an authenticator has to say about the credentials of a request. */
public sealed interface Authentication {

  /**
   * They prove that {@code user} makes the request.
   *
   * @param audiences those of the wanted audiences that the credentials are meant for; empty if
   *     they name none, which stands for the API itself
   */
  record Authenticated(UserInfo user, List<String> audiences) implements Authentication {
    public Authenticated {
      audiences = List.copyOf(audiences);
    }

    /** By credentials that name no audience. */
    public Authenticated(UserInfo user) {
      this(user, List.of());
    }
  }

  /** They hold nothing of the kind that was asked; another authenticator may know them. */
  record NoOpinion() implements Authentication {}

  /**
   * They are of the right kind, and wrong.
   *
   * @param why the reason, for the log; clients are told no more than that they are not known
   */
  record Rejected(String why) implements Authentication {}
}
