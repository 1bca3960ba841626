package dev.keelson.authz;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who decides what may be done.
 *
 * @param modes the authorizers in the order in which they are asked, empty if another server or a
 *     file decides
 * @param alwaysAllowPaths paths that need no decision; a last {@code *} stands for any ending
 * @param policyFile the policies of ABAC; null unless that is a mode, of the flags or of the file
 * @param webhook how the webhook is asked; null unless that is a mode
 * @param configFile an AuthorizationConfiguration that stands instead of modes; or null
 * @param insecureExposure whether everyone may do everything from other machines too
 * @param delegate another API server that decides instead of the modes, or null
 */
public record AuthorizationOptions(
    List<Mode> modes,
    List<String> alwaysAllowPaths,
    @Nullable Path policyFile,
    @Nullable Webhook webhook,
    @Nullable Path configFile,
    boolean insecureExposure,
    @Nullable Webhook delegate) {

  /** The kinds of authorizers. */
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

    /** The word of the flag. */
    public String word() {
      return word;
    }
  }

  /**
   * How a webhook is asked.
   *
   * @param config a kubeconfig that says where it is
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
