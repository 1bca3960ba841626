package dev.keelson.audit.policy;

import dev.keelson.audit.AuditConfig;
import dev.keelson.request.UserInfo;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A rule with its lists as sets. */
final class CompiledRule {

  private final Set<String> users;
  private final Set<String> groups;
  private final Set<String> verbs;
  private final Set<String> namespaces;
  private final List<GroupResources> resources;
  private final List<String> urls;
  private final AuditConfig config;

  /** Which objects of a resource a rule is about. */
  sealed interface Names {

    /** None at all. */
    record None() implements Names {}

    /** Every object. */
    record All() implements Names {}

    /** Those of these names. */
    record Of(Set<String> names) implements Names {}
  }

  CompiledRule(PolicyRule rule, AuditConfig config) {
    this.users = Set.copyOf(rule.users());
    this.groups = Set.copyOf(rule.userGroups());
    this.verbs = Set.copyOf(rule.verbs());
    this.namespaces = Set.copyOf(rule.namespaces());
    this.resources = rule.resources();
    this.urls = rule.nonResourceUrls();
    this.config = config;
  }

  AuditConfig config() {
    return config;
  }

  /** Whether the rule can match requests for paths that are no resources. */
  boolean isForPaths() {
    return namespaces.isEmpty() && resources.isEmpty();
  }

  boolean matches(@Nullable UserInfo user, String verb) {
    if (!users.isEmpty() && (user == null || !users.contains(user.name()))) {
      return false;
    }
    if (!groups.isEmpty() && (user == null || !hasGroup(user))) {
      return false;
    }
    return verbs.isEmpty() || verbs.contains(verb);
  }

  private boolean hasGroup(UserInfo user) {
    for (String group : user.groups()) {
      if (groups.contains(group)) {
        return true;
      }
    }
    return false;
  }

  boolean matchesNamespace(String namespace) {
    return namespaces.isEmpty() || namespaces.contains(namespace);
  }

  boolean matchesPath(String path) {
    if (urls.isEmpty()) {
      return true;
    }
    for (String url : urls) {
      if (url.equals("*")
          || url.equals(path)
          || (url.endsWith("*") && path.startsWith(url.substring(0, url.length() - 1)))) {
        return true;
      }
    }
    return false;
  }

  /** The objects of a resource that the rule is about. */
  Names names(String group, String resource, String subresource) {
    if (resources.isEmpty()) {
      boolean aboutPaths = namespaces.isEmpty() && !urls.isEmpty();
      return aboutPaths ? new Names.None() : new Names.All();
    }
    Set<String> names = new HashSet<>();
    for (GroupResources each : resources) {
      if (each.matches(group, resource, subresource)) {
        if (each.resourceNames().isEmpty()) {
          return new Names.All();
        }
        names.addAll(each.resourceNames());
      }
    }
    return names.isEmpty() ? new Names.None() : new Names.Of(Set.copyOf(names));
  }
}
