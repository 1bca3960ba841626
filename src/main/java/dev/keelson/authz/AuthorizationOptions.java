package dev.keelson.authz;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of authorization.
 *
 * @param modes the authorization modes in order; empty with delegated authorization or a
 *     configuration file
 * @param alwaysAllowPaths paths that are always allowed; a trailing {@code *} matches any suffix
 * @param policyFile the ABAC policy file; null unless ABAC is a mode of the flags or of the
 *     configuration file
 * @param webhook options of the webhook; null unless it is a mode
 * @param configFile an AuthorizationConfiguration that replaces the modes, or null
 * @param insecureExposure whether to allow full access for every client of the network
 * @param delegate the delegated authorization server that replaces the modes, or null
 */
public record AuthorizationOptions(
    List<Mode> modes,
    List<String> alwaysAllowPaths,
    @Nullable Path policyFile,
    @Nullable Webhook webhook,
    @Nullable Path configFile,
    boolean insecureExposure,
    @Nullable Webhook delegate) {

  /** The authorization modes. */
  public enum Mode {
    ALWAYS_ALLOW("AlwaysAllow"),
    ALWAYS_DENY("AlwaysDeny"),
    ABAC("ABAC"),
    WEBHOOK("Webhook"),
    RBAC("RBAC"),
    NODE("Node");

    private final String word;

    Mode(String word) {
      this.word = word;
    }

    /** The mode as the flag names it. */
    public String word() {
      return word;
    }
  }

  /**
   * Options of the authorization webhook.
   *
   * @param config the kubeconfig of the webhook
   * @param version of SubjectAccessReview: {@code v1} or {@code v1beta1}
   * @param authorizedTtl how long to cache allowed decisions
   * @param unauthorizedTtl how long to cache denied decisions
   */
  public record Webhook(
      Path config, String version, Duration authorizedTtl, Duration unauthorizedTtl) {}

  public AuthorizationOptions {
    modes = List.copyOf(modes);
    alwaysAllowPaths = List.copyOf(alwaysAllowPaths);
  }
}
