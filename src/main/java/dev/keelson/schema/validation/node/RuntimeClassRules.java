package dev.keelson.schema.validation.node;

import dev.keelson.api.Names;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.NodeLabelWarnings;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.pod.ResourceRules;
import dev.keelson.schema.validation.core.pod.SchedulingRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runtime classes. */
final class RuntimeClassRules implements KindRules {
  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Value handler = object.get("handler").orEmpty();
    String problem = Names.dnsLabel(handler.text());
    if (!problem.isEmpty()) {
      handler.invalid(problem);
    }
    ResourceRules.validateOverhead(object.get("overhead", "podFixed"), object.get("overhead"));
    Labels.validateLabels(object.get("scheduling", "nodeSelector"));
    Value tolerations = object.get("scheduling", "tolerations");
    for (Value toleration : tolerations) {
      SchedulingRules.validateToleration(toleration);
    }
    Set<List<String>> seen = new HashSet<>();
    for (Value toleration : tolerations) {
      if (!seen.add(identity(toleration))) {
        toleration.duplicate();
      }
    }
  }

  private static List<String> identity(Value toleration) {
    return Stream.of("key", "operator", "value", "effect")
        .map(field -> toleration.get(field).text())
        .toList();
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("handler").immutable(old.get("handler"));
  }

  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    Value selector = object.get("scheduling", "nodeSelector");
    for (Value label : selector) {
      String message = NodeLabelWarnings.message(label.name());
      if (message != null) {
        warnings.accept(selector.path() + ": " + message);
      }
    }
  }
}
