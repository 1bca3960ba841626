package dev.keelson.schema.validation.core.pod;

import dev.keelson.api.Names;
import dev.keelson.object.Node;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.ValueSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Where a pod may run: tolerations, affinity, spreading, gates. */
public final class SchedulingRules {
  private SchedulingRules() {}

  static void validateSchedulingGates(Value gates) {
    ValueSet names = new ValueSet();
    for (Value gate : gates) {
      Value name = gate.get("name").orEmpty();
      // Kubernetes names the gate, not its field
      Labels.validateLabelName(gate.holding(name.node()));
      if (!names.add(name.node())) {
        gate.duplicate(name.text());
      }
    }
  }

  public static void validateToleration(Value toleration) {
    Value key = toleration.get("key");
    Value operator = toleration.get("operator");
    Value value = toleration.get("value");
    Value effect = toleration.get("effect");
    key.qualifiedName();
    if (!key.filled() && !operator.is("Exists")) {
      operator
          .orEmpty()
          .invalid(
              "operator must be Exists when `key` is empty, which means \"match all values and all"
                  + " keys\"");
    }
    if (toleration.get("tolerationSeconds").present() && !effect.is("NoExecute")) {
      effect.orEmpty().invalid("effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    switch (operator.text()) {
      case "", "Equal" -> {
        String problem = Names.labelValue(value.text());
        if (!problem.isEmpty()) {
          operator.invalid(value.text(), problem.replace('\n', ';'));
        }
      }
      case "Exists" -> {
        if (value.filled()) {
          operator.invalid(value.text(), "value must be empty when `operator` is 'Exists'");
        }
      }
      case "Lt", "Gt" -> {
        // the gate of these operators is off; what is stored with them may stay
        if (!operator.isStored(operator.text())) {
          operator.unsupportedInOrder("Equal", "Exists", "Lt", "Gt");
        }
      }
      default -> operator.unsupportedInOrder("Equal", "Exists");
    }
    toleration.declared("effect");
  }

  static void validateAffinity(Value affinity) {
    Value node = affinity.get("nodeAffinity");
    Value required = node.get("requiredDuringSchedulingIgnoredDuringExecution");
    if (required.present()) {
      Labels.validateNodeSelector(required);
    }
    for (Value preferred : node.get("preferredDuringSchedulingIgnoredDuringExecution")) {
      validateWeight(preferred.get("weight"));
      Labels.validateNodeSelectorTerm(preferred.get("preference"), false);
    }
    validatePodAffinity(affinity.get("podAffinity"));
    validatePodAffinity(affinity.get("podAntiAffinity"));
  }

  private static void validatePodAffinity(Value affinity) {
    for (Value term : affinity.get("requiredDuringSchedulingIgnoredDuringExecution")) {
      validatePodAffinityTerm(term);
    }
    for (Value preferred : affinity.get("preferredDuringSchedulingIgnoredDuringExecution")) {
      validateWeight(preferred.get("weight"));
      validatePodAffinityTerm(preferred.get("podAffinityTerm"));
    }
  }

  private static void validateWeight(Value weight) {
    Value number = weight.orZero();
    if (number.number() < 1 || number.number() > 100) {
      number.invalid("must be in the range 1-100");
    }
  }

  private static void validatePodAffinityTerm(Value term) {
    Labels.validateLabelSelector(term.get("labelSelector"));
    Labels.validateLabelSelector(term.get("namespaceSelector"));
    for (Value namespace : term.get("namespaces")) {
      String problem = Names.dnsLabel(namespace.text());
      if (!problem.isEmpty()) {
        term.get("namespace").invalid(namespace.text(), problem);
      }
    }
    Value match = term.get("matchLabelKeys");
    Value mismatch = term.get("mismatchLabelKeys");
    validateLabelKeys(match, term.get("labelSelector"));
    validateLabelKeys(mismatch, term.get("labelSelector"));
    repeated(term, match);
    for (Value key : match) {
      if (mismatch.contains(key.text())) {
        key.invalid("exists in both matchLabelKeys and mismatchLabelKeys");
      }
    }
    term.declared("topologyKey");
    Labels.validateLabelName(term.get("topologyKey"));
  }

  private static void validateLabelKeys(Value keys, Value selector) {
    if (keys.size() > 0 && selector.absent()) {
      keys.forbidden("must not be specified when labelSelector is not set");
      return;
    }
    for (Value key : keys) {
      Labels.validateLabelName(key);
    }
  }

  /**
   * The selector has got an expression for each of the keys before; one that was there already is
   * one too many. Kubernetes counts the keys, and names the term.
   */
  private static void repeated(Value term, Value keys) {
    if (keys.size() == 0) {
      return;
    }
    Map<String, Integer> indexes = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      indexes.put(keys.at(i).text(), i);
    }
    Set<String> selected = new HashSet<>(term.get("labelSelector", "matchLabels").map().keys());
    for (Value expression : term.get("labelSelector", "matchExpressions")) {
      String key = expression.get("key").text();
      Integer index = indexes.get(key);
      if (!selected.add(key) && index != null) {
        term.at(index)
            .holding(Node.text(key))
            .invalid("exists in both matchLabelKeys and labelSelector");
      }
    }
  }

  static void validateTopologySpreadConstraints(Value constraints) {
    Map<String, Integer> last = new HashMap<>();
    for (int i = 0; i < constraints.size(); i++) {
      last.put(pair(constraints.at(i)), i);
    }
    for (int i = 0; i < constraints.size(); i++) {
      Value each = constraints.at(i);
      Value skew = each.get("maxSkew").orZero();
      if (skew.number() <= 0) {
        skew.invalid("must be greater than zero");
      }
      Value action = each.get("whenUnsatisfiable");
      each.declared("topologyKey");
      if (action.is("")) {
        action.unsupported("DoNotSchedule", "ScheduleAnyway");
      }
      each.declared("whenUnsatisfiable");
      String pair = pair(each);
      if (last.getOrDefault(pair, i) > i) {
        each.get("{topologyKey, whenUnsatisfiable}").duplicate(pair);
      }
      Value domains = each.get("minDomains");
      if (domains.present()) {
        if (domains.number() <= 0) {
          domains.invalid("must be greater than zero");
        }
        if (!action.is("DoNotSchedule")) {
          domains.invalid(
              "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action.text());
        }
      }
      each.declared("nodeAffinityPolicy", "nodeTaintsPolicy");
      validateLabelKeys(each.get("matchLabelKeys"), each.get("labelSelector"));
      repeated(each, each.get("matchLabelKeys"));
      Labels.validateLabelSelector(each.get("labelSelector"));
    }
  }

  private static String pair(Value constraint) {
    return "{"
        + constraint.get("topologyKey").text()
        + ", "
        + constraint.get("whenUnsatisfiable").text()
        + "}";
  }

  /** A toleration without what an update may change. */
  static Node withoutSeconds(Value toleration) {
    return toleration.map().without("tolerationSeconds");
  }
}
