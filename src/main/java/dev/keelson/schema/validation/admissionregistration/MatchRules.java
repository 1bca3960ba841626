package dev.keelson.schema.validation.admissionregistration;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.GivenText;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.admissionregistration.PolicyExpressions.Compiler;
import dev.keelson.schema.validation.admissionregistration.PolicyExpressions.Role;
import dev.keelson.schema.validation.admissionregistration.PolicyExpressions.Sees;
import java.util.HashSet;
import java.util.Set;

/** Which requests webhooks and policies are for. */
final class MatchRules {
  private static final Set<String> OPERATIONS =
      Set.of("CREATE", "UPDATE", "DELETE", "CONNECT", "*");
  private static final Set<String> MUTATING_OPERATIONS = Set.of("CREATE", "UPDATE", "CONNECT", "*");
  private static final int MOST_CONDITIONS = 64;

  private MatchRules() {}

  /** Reports the problem with an expression in one cause, whatever its lines. */
  static void report(Value expression, String shown, String problem) {
    if (!problem.isEmpty()) {
      expression.report(FieldCause.invalid(expression.path(), shown, problem));
    }
  }

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
    GivenText.validateKnown(rule.get("scope"), "*", "Cluster", "Namespaced");
  }

  static void validateResources(Value resources) {
    Set<String> everySubresourceOf = new HashSet<>();
    Set<String> ofEveryResource = new HashSet<>();
    boolean lastIsMain = false;
    for (Value resource : resources) {
      String text = resource.text();
      int slash = text.indexOf('/');
      if (text.isEmpty()) {
        resource.required();
      } else if (slash < 0) {
        lastIsMain = !text.equals("*");
      } else {
        String main = text.substring(0, slash);
        String sub = text.substring(slash + 1);
        if (everySubresourceOf.contains(main)) {
          resource.invalid("if '" + main + "/*' is present, must not specify " + text);
        }
        if (ofEveryResource.contains(sub)) {
          resource.invalid("if '*/" + sub + "' is present, must not specify " + text);
        }
        if (sub.equals("*")) {
          everySubresourceOf.add(main);
        }
        if (main.equals("*")) {
          ofEveryResource.add(sub);
        }
      }
    }
    if (resources.size() > 1 && resources.contains("*/*")) {
      resources.invalid("if '*/*' is present, must not specify other resources");
    }
    if (resources.contains("*") && lastIsMain) {
      resources.invalid("if '*' is present, must not specify other resources without subresources");
    }
  }

  static void validateMatchConditions(
      Value conditions, PolicyExpressions expressions, Set<Sees> sees) {
    if (conditions.size() == 0) {
      return;
    }
    Compiler compiler = expressions.forConditions();
    if (conditions.size() > MOST_CONDITIONS) {
      conditions.tooMany(MOST_CONDITIONS);
    }
    Set<Node> names = new HashSet<>();
    for (Value condition : conditions) {
      Value expression = condition.get("expression");
      String text = expression.text().strip();
      if (text.isEmpty()) {
        expression.required();
      } else {
        report(expression, text, compiler.check(text, Role.CONDITION, sees));
      }
      Value name = condition.get("name").needed().qualifiedName();
      if (name.filled() && name.node() != null && !names.add(name.node())) {
        name.duplicate();
      }
    }
  }

  static void validateMatchResources(Value match) {
    GivenText.validateKnown(match.get("matchPolicy"), "Equivalent", "Exact");
    for (String name : new String[] {"namespaceSelector", "objectSelector"}) {
      Value selector = match.get(name);
      Labels.validateLabelSelector(selector);
    }
    for (Value rule : match.get("resourceRules")) {
      validateNamedRule(rule);
    }
    for (Value rule : match.get("excludeResourceRules")) {
      validateNamedRule(rule);
    }
  }

  /** The constraints of a policy, which have to name resources. */
  static void validateMatchConstraints(Value match) {
    if (match.absent()) {
      match.required();
      return;
    }
    validateMatchResources(match);
    if (match.get("resourceRules").size() == 0) {
      match.get("resourceRules").required();
    }
  }

  /** Operations that change objects; the path has no index, as in Kubernetes. */
  static void validateMutatingOperations(Value match) {
    Value path = match.get("resourceRules").get("operations");
    for (Value rule : match.get("resourceRules")) {
      for (Value operation : rule.get("operations")) {
        if (!MUTATING_OPERATIONS.contains(operation.text())) {
          path.unsupportedText(operation.text(), MUTATING_OPERATIONS.toArray(String[]::new));
        }
      }
    }
  }

  private static void validateNamedRule(Value rule) {
    Set<Node> known = new HashSet<>();
    for (Value name : rule.get("resourceNames")) {
      name.as(Formats.PATH_SEGMENT);
      if (name.node() != null && !known.add(name.node())) {
        name.duplicate();
      }
    }
    validateRule(rule);
  }
}
