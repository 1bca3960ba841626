package dev.keelson.audit.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a policy; an empty list matches every request.
 *
 * @param namespaces the empty string stands for requests without a namespace
 * @param nonResourceUrls paths, where a last {@code *} stands for any ending
 * @param omitManagedFields null leaves it to the policy
 */
record PolicyRule(
    String level,
    List<String> users,
    List<String> userGroups,
    List<String> verbs,
    List<GroupResources> resources,
    List<String> namespaces,
    List<String> nonResourceUrls,
    List<String> omitStages,
    @Nullable Boolean omitManagedFields) {

  PolicyRule {
    users = List.copyOf(users);
    userGroups = List.copyOf(userGroups);
    verbs = List.copyOf(verbs);
    resources = List.copyOf(resources);
    namespaces = List.copyOf(namespaces);
    nonResourceUrls = List.copyOf(nonResourceUrls);
    omitStages = List.copyOf(omitStages);
  }
}
