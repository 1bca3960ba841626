package dev.keelson.authz;

import java.util.List;

/**
 * What some may do: the verbs on the resources, or on the paths. {@code *} stands for everything.
 *
 * @param resourceNames the only names that are meant; empty is every name
 * @param nonResourceUrls paths; a last {@code *} stands for any ending
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

  /** Whether the rule is about paths. */
  public boolean aboutPaths() {
    return !nonResourceUrls.isEmpty();
  }
}
