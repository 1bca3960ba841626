package dev.keelson.webhook;

/** What this server proves its identity with to webhooks, by their address. */
@FunctionalInterface
public interface Credentials {

  /** Calls every webhook without an identity. */
  Credentials NONE = target -> ClientIdentity.ANONYMOUS;

  /**
   * The identity for a webhook; the same object for the same target while it does not change.
   *
   * @param target host and port, for example {@code hooks.example.com:443} or {@code
   *     service.namespace.svc:443}
   */
  ClientIdentity of(String target);
}
