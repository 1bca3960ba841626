package dev.keelson.audit.policy;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a policy from the tree of its file. Unknown fields are reported and otherwise ignored, as
 * kube-apiserver does (source: apiserver, audit/policy/reader.go).
 */
public final class PolicyReader {

  private static final String VERSION = "audit.k8s.io/v1";
  private static final Set<String> POLICY_FIELDS =
      Set.of("kind", "apiVersion", "metadata", "rules", "omitStages", "omitManagedFields");
  private static final Set<String> RULE_FIELDS =
      Set.of(
          "level",
          "users",
          "userGroups",
          "verbs",
          "resources",
          "namespaces",
          "nonResourceURLs",
          "omitStages",
          "omitManagedFields");
  private static final Set<String> RESOURCES_FIELDS = Set.of("group", "resources", "resourceNames");

  private final List<String> unknown = new ArrayList<>();

  private PolicyReader() {}

  /**
   * A policy that can be evaluated.
   *
   * @param warnings the unknown fields, each as a sentence; empty if there are none
   */
  public record Result(PolicyEvaluator policy, List<String> warnings) {}

  /**
   * Reads a policy.
   *
   * @param file the document of the file
   * @throws IllegalArgumentException if it is no valid policy, in the words of kube-apiserver
   */
  public static Result read(Node file) {
    PolicyReader reader = new PolicyReader();
    Policy policy = reader.policy(file);
    List<String> problems = PolicyValidation.problems(policy);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          problems.size() == 1 ? problems.getFirst() : "[" + String.join(", ", problems) + "]");
    }
    if (policy.rules().isEmpty()) {
      throw new IllegalArgumentException("loaded illegal policy with 0 rules");
    }
    List<String> warnings =
        reader.unknown.stream().map(path -> "unknown field \"" + path + "\"").toList();
    return new Result(new PolicyEvaluator(policy), warnings);
  }

  private Policy policy(Node file) {
    if (!(file instanceof MapNode root)) {
      throw failed("couldn't get version/kind; the document is no object");
    }
    if (root.text("kind").isEmpty()) {
      throw failed("Object 'Kind' is missing");
    }
    if (root.text("apiVersion").isEmpty()) {
      throw failed("Object 'apiVersion' is missing");
    }
    if (!root.text("kind").equals("Policy") || !root.text("apiVersion").equals(VERSION)) {
      throw failed(
          "no kind \""
              + root.text("kind")
              + "\" is registered for version \""
              + root.text("apiVersion")
              + "\"");
    }
    check("", root, POLICY_FIELDS);
    List<PolicyRule> rules = new ArrayList<>();
    for (MapNode rule : maps("Policy.rules", "v1.PolicyRule", root, "rules")) {
      rules.add(rule("rules[" + rules.size() + "]", rule));
    }
    Boolean omit = bool("Policy.omitManagedFields", root, "omitManagedFields");
    return new Policy(
        rules, strings("Policy.omitStages", root, "omitStages"), omit != null && omit);
  }

  private PolicyRule rule(String at, MapNode rule) {
    check(at + ".", rule, RULE_FIELDS);
    String field = "PolicyRule.rules.";
    List<GroupResources> resources = new ArrayList<>();
    for (MapNode item : maps(field + "resources", "v1.GroupResources", rule, "resources")) {
      check(at + ".resources[" + resources.size() + "].", item, RESOURCES_FIELDS);
      String inner = "GroupResources.rules.resources.";
      resources.add(
          new GroupResources(
              string(inner + "group", item, "group"),
              strings(inner + "resources", item, "resources"),
              strings(inner + "resourceNames", item, "resourceNames")));
    }
    return new PolicyRule(
        string(field + "level", rule, "level"),
        strings(field + "users", rule, "users"),
        strings(field + "userGroups", rule, "userGroups"),
        strings(field + "verbs", rule, "verbs"),
        resources,
        strings(field + "namespaces", rule, "namespaces"),
        strings(field + "nonResourceURLs", rule, "nonResourceURLs"),
        strings(field + "omitStages", rule, "omitStages"),
        bool(field + "omitManagedFields", rule, "omitManagedFields"));
  }

  private void check(String prefix, MapNode node, Set<String> known) {
    for (String key : node.keys()) {
      if (!known.contains(key)) {
        unknown.add(prefix + key);
      }
    }
  }

  private static String string(String field, MapNode node, String key) {
    return switch (node.get(key)) {
      case null -> "";
      case Node.Null _ -> "";
      case Node.Text text -> text.value();
      case Node other -> throw mismatch(field, other, "string");
    };
  }

  private static @Nullable Boolean bool(String field, MapNode node, String key) {
    return switch (node.get(key)) {
      case null -> null;
      case Node.Null _ -> null;
      case Node.Bool bool -> bool.value();
      case Node other -> throw mismatch(field, other, "bool");
    };
  }

  private static List<String> strings(String field, MapNode node, String key) {
    List<String> strings = new ArrayList<>();
    for (Node item : items(field, "[]string", node, key)) {
      switch (item) {
        case Node.Text text -> strings.add(text.value());
        case Node.Null _ -> strings.add("");
        default -> throw mismatch(field, item, "string");
      }
    }
    return strings;
  }

  private static List<MapNode> maps(String field, String type, MapNode node, String key) {
    List<MapNode> maps = new ArrayList<>();
    for (Node item : items(field, "[]" + type, node, key)) {
      switch (item) {
        case MapNode map -> maps.add(map);
        case Node.Null _ -> maps.add(MapNode.EMPTY);
        default -> throw mismatch(field, item, type);
      }
    }
    return maps;
  }

  private static List<Node> items(String field, String type, MapNode node, String key) {
    return switch (node.get(key)) {
      case null -> List.of();
      case Node.Null _ -> List.of();
      case Node.Items items -> items.values();
      case Node other -> throw mismatch(field, other, type);
    };
  }

  private static IllegalArgumentException mismatch(String field, Node found, String type) {
    String word =
        switch (found) {
          case Node.Text _ -> "string";
          case Node.Int _, Node.Decimal _ -> "number";
          case Node.Bool _ -> "bool";
          case Node.Items _ -> "array";
          case MapNode _ -> "object";
          case Node.Null _ -> "null";
        };
    return failed(
        "json: cannot unmarshal " + word + " into Go struct field " + field + " of type " + type);
  }

  private static IllegalArgumentException failed(String why) {
    return new IllegalArgumentException("failed decoding: " + why);
  }
}
