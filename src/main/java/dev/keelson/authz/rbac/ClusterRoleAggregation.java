package dev.keelson.authz.rbac;

import dev.keelson.api.LabelSelector;
import dev.keelson.authz.PolicyRule;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sets the rules of cluster roles with an aggregationRule (source: kube-controller-manager's
 * clusterrole-aggregation controller). Several servers may run it at once; the result is the same.
 */
public final class ClusterRoleAggregation {

  private static final String MANAGER = "clusterrole-aggregation-controller";

  private final RbacAuthorizer roles;
  private final RoleStore store;

  public ClusterRoleAggregation(RbacAuthorizer roles, RoleStore store) {
    this.roles = roles;
    this.store = store;
  }

  /**
   * Updates every aggregated role whose rules differ, each at most once, chains of aggregated roles
   * included; throws what the store throws.
   */
  public void run() {
    List<ApiObject> all = new ArrayList<>(roles.clusterRoles());
    all.sort(Comparator.comparing(role -> role.meta().name()));
    List<ApiObject> aggregated =
        all.stream().filter(role -> role.root().has("aggregationRule")).toList();
    Map<String, List<PolicyRule>> rules = new HashMap<>();
    all.forEach(role -> rules.put(role.meta().name(), RuleEvaluation.of(role.root())));
    // a chain has at most as many steps as there are roles; a cycle continues in the next run
    boolean changed = !aggregated.isEmpty();
    for (int i = 0; i <= aggregated.size() && changed; i++) {
      changed = false;
      for (ApiObject role : aggregated) {
        List<PolicyRule> wanted = collect(role, all, rules);
        changed |= !wanted.equals(rules.put(role.meta().name(), wanted));
      }
    }
    for (ApiObject role : aggregated) {
      List<PolicyRule> wanted = rules.getOrDefault(role.meta().name(), List.of());
      if (!wanted.equals(RuleEvaluation.of(role.root()))) {
        store.applyClusterRole(fields(role, wanted), MANAGER);
      }
    }
  }

  /** Of a role only its rules are this controller's; the uid keeps it from being made again. */
  private static ApiObject fields(ApiObject role, List<PolicyRule> rules) {
    return new ApiObject(
        MapNode.builder(4)
            .put("apiVersion", Node.text(EscalationCheck.GROUP + "/v1"))
            .put("kind", Node.text("ClusterRole"))
            .put(
                "metadata",
                MapNode.ofTexts(Map.of("name", role.meta().name(), "uid", role.meta().uid())))
            .put("rules", RuleEvaluation.items(rules))
            .build());
  }

  private static List<PolicyRule> collect(
      ApiObject role, List<ApiObject> all, Map<String, List<PolicyRule>> known) {
    Set<PolicyRule> rules = new LinkedHashSet<>();
    for (Node node : role.root().map("aggregationRule").items("clusterRoleSelectors")) {
      if (node instanceof MapNode selector) {
        LabelSelector labels = LabelSelector.parse(query(selector));
        for (ApiObject other : all) {
          if (!other.meta().name().equals(role.meta().name())
              && labels.matches(other.meta().labels())) {
            rules.addAll(known.getOrDefault(other.meta().name(), List.of()));
          }
        }
      }
    }
    return List.copyOf(rules);
  }

  /** Returns a LabelSelector in query syntax. */
  static String query(MapNode selector) {
    List<String> terms = new ArrayList<>();
    for (Map.Entry<String, String> label : selector.map("matchLabels").texts().entrySet()) {
      terms.add(label.getKey() + "=" + label.getValue());
    }
    for (Node node : selector.items("matchExpressions")) {
      if (node instanceof MapNode expression) {
        String key = expression.text("key");
        String values = "(" + String.join(",", RuleEvaluation.texts(expression, "values")) + ")";
        terms.add(
            switch (expression.text("operator")) {
              case "In" -> key + " in " + values;
              case "NotIn" -> key + " notin " + values;
              case "DoesNotExist" -> "!" + key;
              default -> key;
            });
      }
    }
    return String.join(",", terms);
  }
}
