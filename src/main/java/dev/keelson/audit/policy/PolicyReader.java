package dev.keelson.audit.policy;

import dev.keelson.object.GoText;
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

  private static final String GROUP = "audit.k8s.io";
  private static final String VERSION = GROUP + "/v1";

  /** The version that kube-apiserver assumes of a document that names none. */
  private static final String INTERNAL = GROUP + "/__internal";

  private static final String UNKNOWN_KIND = "couldn't get version/kind; json parse error: ";

  /** The other kinds of the group. */
  private static final Set<String> OTHER_KINDS = Set.of("Event", "EventList", "PolicyList");

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
   * @param warnings the duplicate and unknown fields, each as a sentence; empty if there are none
   */
  public record Result(PolicyEvaluator policy, List<String> warnings) {}

  /**
   * Reads a policy.
   *
   * @param file the document of the file; Null if it is empty
   * @param duplicates the duplicate fields that its decoder has found, each as a sentence
   * @throws IllegalArgumentException if it is no valid policy, in the words of kube-apiserver
   */
  public static Result read(Node file, List<String> duplicates) {
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
    List<String> warnings = new ArrayList<>(duplicates);
    reader.unknown.forEach(path -> warnings.add("unknown field \"" + path + "\""));
    return new Result(new PolicyEvaluator(policy), warnings);
  }

  private Policy policy(Node file) {
    MapNode root = document(file);
    checkKind(interpreted("apiVersion", root), interpreted("kind", root));
    object("Policy.metadata", "v1.ObjectMeta", root, "metadata");
    check("", root, POLICY_FIELDS);
    List<PolicyRule> rules = new ArrayList<>();
    for (MapNode rule : maps("Policy.rules", "v1.PolicyRule", root, "rules")) {
      rules.add(rule("rules[" + rules.size() + "]", rule));
    }
    Boolean omit = bool("Policy.omitManagedFields", root, "omitManagedFields");
    return new Policy(
        rules, strings("Policy.omitStages", "v1.Stage", root, "omitStages"), omit != null && omit);
  }

  private static MapNode document(Node file) {
    return switch (file) {
      case MapNode root -> root;
      case Node.Null _ -> MapNode.EMPTY;
      case Node other ->
          throw failed(
              UNKNOWN_KIND
                  + "json: cannot unmarshal "
                  + GoText.jsonType(other)
                  + " into Go value of type struct { APIVersion string"
                  + " \"json:\\\"apiVersion,omitempty\\\"\"; Kind string"
                  + " \"json:\\\"kind,omitempty\\\"\" }");
    };
  }

  private static String interpreted(String key, MapNode root) {
    return switch (root.get(key)) {
      case null -> "";
      case Node.Null _ -> "";
      case Node.Text text -> text.value();
      case Node other -> throw failed(UNKNOWN_KIND + unmarshal("." + key, other, "string"));
    };
  }

  /** Checks the kind of the document; a document without one, of this version, is a Policy. */
  private static void checkKind(String apiVersion, String statedKind) {
    if (apiVersion.indexOf('/') != apiVersion.lastIndexOf('/')) {
      throw failed("unexpected GroupVersion string: " + apiVersion);
    }
    String kind = statedKind.isEmpty() ? "Policy" : statedKind;
    String version = Set.of("", "/", GROUP + "/").contains(apiVersion) ? INTERNAL : apiVersion;
    if (version.equals(VERSION) && kind.equals("Policy")) {
      return;
    }
    boolean internal = version.equals(INTERNAL);
    if (internal && kind.equals("Policy")) {
      throw new IllegalArgumentException(
          "unknown group version field " + INTERNAL + ", Kind=Policy in policy");
    }
    if ((internal || version.equals(VERSION)) && OTHER_KINDS.contains(kind)) {
      throw failed(
          "converting ("
              + (internal ? "audit." : "v1.")
              + kind
              + ") to (audit.Policy): unknown conversion");
    }
    throw failed(
        "no kind \""
            + kind
            + "\" is registered for "
            + (internal
                ? "the internal version of group \"" + GROUP + "\""
                : "version \"" + version + "\""));
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
              string(inner + "group", "string", item, "group"),
              strings(inner + "resources", "string", item, "resources"),
              strings(inner + "resourceNames", "string", item, "resourceNames")));
    }
    return new PolicyRule(
        string(field + "level", "v1.Level", rule, "level"),
        strings(field + "users", "string", rule, "users"),
        strings(field + "userGroups", "string", rule, "userGroups"),
        strings(field + "verbs", "string", rule, "verbs"),
        resources,
        strings(field + "namespaces", "string", rule, "namespaces"),
        strings(field + "nonResourceURLs", "string", rule, "nonResourceURLs"),
        strings(field + "omitStages", "v1.Stage", rule, "omitStages"),
        bool(field + "omitManagedFields", rule, "omitManagedFields"));
  }

  private void check(String prefix, MapNode node, Set<String> known) {
    for (String key : node.keys()) {
      if (!known.contains(key)) {
        unknown.add(prefix + key);
      }
    }
  }

  private static String string(String field, String type, MapNode node, String key) {
    return switch (node.get(key)) {
      case null -> "";
      case Node.Null _ -> "";
      case Node.Text text -> text.value();
      case Node other -> throw mismatch(field, other, type);
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

  private static List<String> strings(String field, String type, MapNode node, String key) {
    List<String> strings = new ArrayList<>();
    for (Node item : items(field, "[]" + type, node, key)) {
      switch (item) {
        case Node.Text text -> strings.add(text.value());
        case Node.Null _ -> strings.add("");
        default -> throw mismatch(field, item, type);
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

  private static void object(String field, String type, MapNode node, String key) {
    switch (node.get(key)) {
      case null -> {}
      case Node.Null _ -> {}
      case MapNode _ -> {}
      case Node other -> throw mismatch(field, other, type);
    }
  }

  private static IllegalArgumentException mismatch(String field, Node found, String type) {
    return failed(unmarshal(field, found, type));
  }

  private static String unmarshal(String field, Node found, String type) {
    return "json: cannot unmarshal "
        + GoText.jsonType(found)
        + " into Go struct field "
        + field
        + " of type "
        + type;
  }

  private static IllegalArgumentException failed(String why) {
    return new IllegalArgumentException("failed decoding: " + why);
  }
}
