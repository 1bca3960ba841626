package dev.keelson.authz.rbac;

import dev.keelson.authz.PolicyRule;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Checks whether rules cover other rules, and returns those that are not covered (source:
 * Kubernetes' component-helpers, auth/rbac/validation).
 */
final class RuleCoverage {

  private record Simple(String group, String resource, String name) {}

  private RuleCoverage() {}

  /**
   * Returns the parts of {@code wanted}, split into single verbs and resources, that {@code held}
   * does not cover.
   */
  static List<PolicyRule> missing(List<PolicyRule> held, List<PolicyRule> wanted) {
    List<PolicyRule> missing = new ArrayList<>();
    for (PolicyRule rule : wanted) {
      for (PolicyRule part : parts(rule)) {
        if (held.stream().noneMatch(own -> covers(own, part))) {
          missing.add(part);
        }
      }
    }
    return missing;
  }

  private static List<PolicyRule> parts(PolicyRule rule) {
    List<PolicyRule> parts = new ArrayList<>();
    for (String group : rule.apiGroups()) {
      for (String resource : rule.resources()) {
        for (String verb : rule.verbs()) {
          if (rule.resourceNames().isEmpty()) {
            parts.add(part(verb, group, resource, List.of()));
          }
          for (String name : rule.resourceNames()) {
            parts.add(part(verb, group, resource, List.of(name)));
          }
        }
      }
    }
    for (String path : rule.nonResourceUrls()) {
      for (String verb : rule.verbs()) {
        parts.add(new PolicyRule(List.of(verb), List.of(), List.of(), List.of(), List.of(path)));
      }
    }
    return parts;
  }

  private static PolicyRule part(String verb, String group, String resource, List<String> names) {
    return new PolicyRule(List.of(verb), List.of(group), List.of(resource), names, List.of());
  }

  private static boolean covers(PolicyRule own, PolicyRule part) {
    boolean names =
        part.resourceNames().isEmpty()
            ? own.resourceNames().isEmpty()
            : own.resourceNames().isEmpty()
                || own.resourceNames().containsAll(part.resourceNames());
    return names
        && all(own.verbs(), part.verbs())
        && all(own.apiGroups(), part.apiGroups())
        && resources(own.resources(), part.resources())
        && part.nonResourceUrls().stream()
            .allMatch(
                path ->
                    own.nonResourceUrls().stream()
                        .anyMatch(held -> RuleEvaluation.coversPath(held, path)));
  }

  private static boolean all(List<String> own, List<String> wanted) {
    return own.contains("*") || own.containsAll(wanted);
  }

  private static boolean resources(List<String> own, List<String> wanted) {
    if (all(own, wanted)) {
      return true;
    }
    for (String resource : wanted) {
      int slash = resource.indexOf('/');
      boolean held =
          own.contains(resource)
              || (slash >= 0 && own.contains("*/" + resource.substring(slash + 1)));
      if (!held) {
        return false;
      }
    }
    return true;
  }

  /** Formats rules as in the message of the escalation check: merged by resource, one per line. */
  static String text(List<PolicyRule> rules) {
    Map<Simple, PolicyRule> simple = new LinkedHashMap<>();
    TreeSet<String> lines = new TreeSet<>();
    for (PolicyRule rule : rules) {
      if (rule.aboutPaths()) {
        lines.add(text(rule));
      } else {
        // parts have at most one group, one resource and one name
        Simple key =
            new Simple(
                rule.apiGroups().getFirst(),
                rule.resources().getFirst(),
                rule.resourceNames().isEmpty() ? "" : rule.resourceNames().getFirst());
        simple.merge(key, rule, RuleCoverage::withVerbs);
      }
    }
    simple.values().forEach(rule -> lines.add(text(rule)));
    return String.join("\n", lines);
  }

  private static PolicyRule withVerbs(PolicyRule first, PolicyRule second) {
    List<String> verbs = new ArrayList<>(first.verbs());
    verbs.addAll(second.verbs());
    return new PolicyRule(
        verbs, first.apiGroups(), first.resources(), first.resourceNames(), List.of());
  }

  private static String text(PolicyRule rule) {
    List<String> parts = new ArrayList<>();
    add(parts, "APIGroups", rule.apiGroups());
    add(parts, "Resources", rule.resources());
    add(parts, "NonResourceURLs", rule.nonResourceUrls());
    add(parts, "ResourceNames", rule.resourceNames());
    add(parts, "Verbs", rule.verbs());
    return "{" + String.join(", ", parts) + "}";
  }

  private static void add(List<String> parts, String name, List<String> values) {
    if (!values.isEmpty()) {
      parts.add(name + ":" + quoted(values));
    }
  }

  /** Formats a list as Go's {@code %q}. */
  static String quoted(List<String> values) {
    return "[" + String.join(" ", values.stream().map(GoQuote::quote).toList()) + "]";
  }
}
