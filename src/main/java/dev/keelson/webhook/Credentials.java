package dev.keelson.webhook;

/** What this server proves its identity with to webhooks, by their address. */
@FunctionalInterface
public interface Credentials {

  /** Calls every webhook without an identity. */
  Credentials NONE = target -> ClientIdentity.ANONYMOUS;

  /**
   * The identity for a webhook; the same object for the same target.
   *
   * @param target host and port as the configuration of the webhook names them, for example {@code
   *     hooks.example.com} or {@code service.namespace.svc:443}
   */
  ClientIdentity of(String target);
}
