package dev.keelson.schema.validation.storage;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.NodeLabelWarnings;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.ValueSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Storage classes. */
final class StorageClassRules implements KindRules {
  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    ParameterRules.validateProvisioner(object.get("provisioner"));
    ParameterRules.validateParameters(object.get("parameters"));
    // an empty policy is accepted, as in Kubernetes
    object.get("reclaimPolicy").oneOf("Delete", "Retain");
    object.declared("volumeBindingMode");
    for (Value term : object.get("allowedTopologies")) {
      ValueSet keys = new ValueSet();
      for (Value each : term.get("matchLabelExpressions")) {
        each.declared("values").get("values").unique();
        Value key = each.get("key").orEmpty();
        Labels.validateLabelName(key);
        if (!keys.add(key.node())) {
          key.duplicate();
        }
      }
    }
    differentTerms(object.get("allowedTopologies"));
  }

  /**
   * Two terms that ask for the same values of the same labels are one too many. One that asks for
   * nothing is always one: Kubernetes compares it with terms that it has not come to yet.
   */
  private static void differentTerms(Value terms) {
    Set<Map<String, Set<String>>> known = new HashSet<>();
    for (Value term : terms) {
      Map<String, Set<String>> wanted = new HashMap<>();
      for (Value each : term.get("matchLabelExpressions")) {
        Set<String> values = new HashSet<>();
        each.get("values").forEach(value -> values.add(value.text()));
        wanted.put(each.get("key").text(), values);
      }
      if (!known.add(wanted) || wanted.isEmpty()) {
        term.get("matchLabelExpressions").duplicate("");
      }
    }
  }

  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    for (Value term : object.get("allowedTopologies")) {
      for (Value expression : term.get("matchLabelExpressions")) {
        Value key = expression.get("key");
        String message = NodeLabelWarnings.message(key.text());
        if (message != null) {
          warnings.accept(key.path() + ": " + message);
        }
      }
    }
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    ParameterRules.validateUnchanged(object, old, "parameters", "provisioner", "reclaimPolicy");
    Value mode = object.get("volumeBindingMode");
    if (mode.present() || old.get("volumeBindingMode").present()) {
      mode.immutable(old.get("volumeBindingMode"));
    }
  }
}
