package dev.keelson.config.option;

import dev.keelson.authz.AuthorizationOptions.Mode;
import java.util.Collection;
import java.util.Optional;

/** Whether the server would let everyone do everything from other machines. */
public final class Exposure {

  private Exposure() {}

  /**
   * What is wrong, in words for who started the server; empty if nothing is.
   *
   * @param flag the flag that chose the modes
   * @param anonymous whether requests without credentials are served
   * @param meant whether a flag says that this is meant
   */
  public static Optional<String> refusal(
      String flag,
      Collection<Mode> modes,
      ServingOptions serving,
      boolean anonymous,
      boolean meant) {
    if (!modes.contains(Mode.ALWAYS_ALLOW)
        || !anonymous
        || serving.bindAddress().isLoopbackAddress()
        || meant) {
      return Optional.empty();
    }
    return Optional.of(
        flag
            + ": AlwaysAllow lets everyone who reaches "
            + serving.bindAddress().getHostAddress()
            + " do everything, without credentials. Choose --authorization-mode RBAC, or"
            + " --anonymous-auth=false, or a loopback --bind-address; or say"
            + " --allow-insecure-exposure if this is meant");
  }
}
