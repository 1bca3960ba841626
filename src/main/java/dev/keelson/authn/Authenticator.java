package dev.keelson.authn;

/** Knows one kind of credential. Safe for use by any thread; may block. */
public interface Authenticator {

  /** What {@code credentials} say about who makes the request. */
  Authentication authenticate(Credentials credentials);
}
