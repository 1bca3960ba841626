package dev.keelson.authz;

import java.util.List;

/**
 * A rule that allows verbs on resources or on non-resource URLs. {@code *} matches everything.
 *
 * @param resourceNames the allowed names; empty for every name
 * @param nonResourceUrls the paths; a trailing {@code *} matches any suffix
 */
public record PolicyRule(
    List<String> verbs,
    List<String> apiGroups,
    List<String> resources,
    List<String> resourceNames,
    List<String> nonResourceUrls) {

  /** Every verb on every resource. */
  public static final PolicyRule ALL_RESOURCES =
      new PolicyRule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of());

  /** Every verb on every path. */
  public static final PolicyRule ALL_PATHS =
      new PolicyRule(List.of("*"), List.of(), List.of(), List.of(), List.of("*"));

  public PolicyRule {
    verbs = List.copyOf(verbs);
    apiGroups = List.copyOf(apiGroups);
    resources = List.copyOf(resources);
    resourceNames = List.copyOf(resourceNames);
    nonResourceUrls = List.copyOf(nonResourceUrls);
  }

  /** Whether the rule has non-resource URLs. */
  public boolean aboutPaths() {
    return !nonResourceUrls.isEmpty();
  }
}
