package dev.keelson.authn;

import dev.keelson.request.UserInfo;

/** What an authenticator has to say about the credentials of a request. */
public sealed interface Authentication {

  /** They prove that {@code user} makes the request. */
  record Authenticated(UserInfo user) implements Authentication {}

  /** They hold nothing of the kind that was asked; another authenticator may know them. */
  record NotMine() implements Authentication {}

  /**
   * They are of the right kind, and wrong.
   *
   * @param why the reason, for the log; clients are told no more than that they are not known
   */
  record Rejected(String why) implements Authentication {}
}
