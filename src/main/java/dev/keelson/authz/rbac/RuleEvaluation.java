package dev.keelson.authz.rbac;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.PolicyRule;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/** Evaluates rules (source: Kubernetes' pkg/apis/rbac/v1/evaluation_helpers.go). */
final class RuleEvaluation {

  private static final String ALL = "*";

  private RuleEvaluation() {}

  /** Parses the rules of a role. */
  static List<PolicyRule> of(MapNode role) {
    List<PolicyRule> rules = new ArrayList<>();
    for (Node node : role.items("rules")) {
      if (node instanceof MapNode rule) {
        rules.add(
            new PolicyRule(
                texts(rule, "verbs"),
                texts(rule, "apiGroups"),
                texts(rule, "resources"),
                texts(rule, "resourceNames"),
                texts(rule, "nonResourceURLs")));
      }
    }
    return List.copyOf(rules);
  }

  static List<String> texts(MapNode map, String key) {
    List<String> texts = new ArrayList<>();
    for (Node item : map.items(key)) {
      if (item instanceof Node.Text text) {
        texts.add(text.value());
      }
    }
    return texts;
  }

  /** Converts rules to the field {@code rules} of a role. */
  static Node.Items items(List<PolicyRule> rules) {
    List<Node> items = new ArrayList<>(rules.size());
    for (PolicyRule rule : rules) {
      MapNode node = MapNode.of("verbs", Node.texts(rule.verbs()));
      node = with(node, "apiGroups", rule.apiGroups());
      node = with(node, "resources", rule.resources());
      node = with(node, "resourceNames", rule.resourceNames());
      items.add(with(node, "nonResourceURLs", rule.nonResourceUrls()));
    }
    return new Node.Items(items);
  }

  private static MapNode with(MapNode node, String key, List<String> texts) {
    return texts.isEmpty() ? node : node.with(key, Node.texts(texts));
  }

  /** Whether {@code rule} allows the request. */
  static boolean allows(PolicyRule rule, Attributes asked) {
    return switch (asked.target()) {
      case Attributes.Resource target ->
          matches(rule.verbs(), asked.verb())
              && matches(rule.apiGroups(), target.group())
              && matchesResource(rule.resources(), target)
              && matchesName(rule.resourceNames(), target.name());
      case Attributes.Path target ->
          matches(rule.verbs(), asked.verb()) && matchesPath(rule.nonResourceUrls(), target.path());
    };
  }

  private static boolean matches(List<String> allowed, String asked) {
    for (int i = 0; i < allowed.size(); i++) {
      String one = allowed.get(i);
      if (one.equals(asked) || one.equals(ALL)) {
        return true;
      }
    }
    return false;
  }

  /**
   * A rule names a resource, {@code resource/subresource}, a subresource of every resource ({@code
   * *}{@code /scale}) or {@code *}. As in Kubernetes, {@code pods/*} matches nothing.
   */
  private static boolean matchesResource(List<String> allowed, Attributes.Resource asked) {
    String subresource = asked.subresource();
    for (int i = 0; i < allowed.size(); i++) {
      String one = allowed.get(i);
      if (one.equals(ALL)) {
        return true;
      }
      if (subresource.isEmpty()) {
        if (one.equals(asked.resource())) {
          return true;
        }
      } else if (one.length() > subresource.length()
          && one.endsWith(subresource)
          && one.charAt(one.length() - subresource.length() - 1) == '/') {
        int head = one.length() - subresource.length() - 1;
        boolean every = head == 1 && one.charAt(0) == '*';
        if (every || (head == asked.resource().length() && one.startsWith(asked.resource()))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean matchesName(List<String> allowed, String asked) {
    return allowed.isEmpty() || allowed.contains(asked);
  }

  private static boolean matchesPath(List<String> allowed, String asked) {
    for (int i = 0; i < allowed.size(); i++) {
      if (coversPath(allowed.get(i), asked)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a non-resource URL of a rule matches {@code path}. */
  static boolean coversPath(String rule, String path) {
    return rule.equals(path) || (rule.endsWith(ALL) && path.startsWith(withoutStars(rule)));
  }

  private static String withoutStars(String rule) {
    int end = rule.length();
    while (end > 0 && rule.charAt(end - 1) == '*') {
      end--;
    }
    return rule.substring(0, end);
  }
}
