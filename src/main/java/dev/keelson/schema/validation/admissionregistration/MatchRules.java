package dev.keelson.schema.validation.admissionregistration;

import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import java.util.Set;

/** Which requests webhooks and policies are for. */
final class MatchRules {
  private static final Set<String> OPERATIONS =
      Set.of("CREATE", "UPDATE", "DELETE", "CONNECT", "*");
  private static final int MOST_CONDITIONS = 64;

  private MatchRules() {}

  static void validateRule(Value rule) {
    Value operations = rule.get("operations").needed();
    if (operations.size() > 1 && operations.contains("*")) {
      operations.invalid("if '*' is present, must not specify other operations");
    }
    for (Value operation : operations) {
      if (!OPERATIONS.contains(operation.text())) {
        operation.unsupported(OPERATIONS.toArray(String[]::new));
      }
    }
    Value groups = rule.get("apiGroups").needed();
    if (groups.size() > 1 && groups.contains("*")) {
      groups.invalid("if '*' is present, must not specify other API groups");
    }
    Value versions = rule.get("apiVersions").needed();
    if (versions.size() > 1 && versions.contains("*")) {
      versions.invalid("if '*' is present, must not specify other API versions");
    }
    for (Value version : versions) {
      if (!version.filled()) {
        version.required();
      }
    }
    validateResources(rule.get("resources").needed());
  }

  static void validateResources(Value resources) {
    if (resources.size() > 1 && resources.contains("*/*")) {
      resources.invalid("if '*/*' is present, must not specify other resources");
    }
    boolean all = resources.contains("*");
    for (Value resource : resources) {
      if (!resource.filled()) {
        resource.required();
      } else if (all && !resource.is("*") && resource.text().indexOf('/') < 0) {
        resources.invalid(
            "if '*' is present, must not specify other resources without subresources");
        return;
      }
    }
  }

  static void validateMatchConditions(Value conditions) {
    if (conditions.size() > MOST_CONDITIONS) {
      conditions.tooMany(MOST_CONDITIONS);
    }
    for (Value condition : conditions) {
      condition.get("name").qualifiedName();
    }
    conditions.uniqueBy("name");
  }

  static void validateMatchResources(Value match, boolean needsRules) {
    Labels.validateLabelSelector(match.get("namespaceSelector"));
    Labels.validateLabelSelector(match.get("objectSelector"));
    Value rules = match.get("resourceRules");
    if (needsRules && rules.size() == 0) {
      rules.required();
    }
    for (Value rule : rules) {
      validateRule(rule);
    }
    for (Value rule : match.get("excludeResourceRules")) {
      validateRule(rule);
    }
  }
}
