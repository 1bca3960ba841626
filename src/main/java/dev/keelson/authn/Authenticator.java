package dev.keelson.authn;

/** Authenticates one kind of credential. Safe for use by any thread; may block. */
public interface Authenticator {

  /** Authenticates the user of a request by {@code credentials}. */
  Authentication authenticate(Credentials credentials);
}
