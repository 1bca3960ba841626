package dev.keelson.config.option;

import dev.keelson.authz.AuthorizationOptions.Mode;
import java.util.Collection;
import java.util.Optional;

/** Detects a configuration that gives every client of the network full access. */
public final class OpenAccessCheck {

  private OpenAccessCheck() {}

  /**
   * Returns the error message; empty if the configuration is safe.
   *
   * @param flag the flag of the modes
   * @param anonymous whether anonymous requests are enabled
   * @param meant whether {@code --allow-insecure-exposure} is set
   */
  public static Optional<String> refusal(
      String flag,
      Collection<Mode> modes,
      ServingOptions serving,
      boolean anonymous,
      boolean meant) {
    if (!modes.contains(Mode.ALWAYS_ALLOW) || !anonymous) {
      return Optional.empty();
    }
    if (serving.plain().served()) {
      // what ends TLS in front of the server may pass on requests of anybody, also to loopback
      return Optional.of(
          "--http-port: with "
              + flag
              + " AlwaysAllow every client has full access without credentials, by plain HTTP. Use"
              + " --authorization-mode RBAC, or --anonymous-auth=false");
    }
    if (serving.bindAddress().isLoopbackAddress() || meant) {
      return Optional.empty();
    }
    return Optional.of(
        flag
            + ": AlwaysAllow gives every client that reaches "
            + serving.bindAddress().getHostAddress()
            + " full access without credentials. Use --authorization-mode RBAC, or"
            + " --anonymous-auth=false, or a loopback --bind-address; or set"
            + " --allow-insecure-exposure to allow this");
  }
}
