package dev.keelson.schema.validation.storage;

import dev.keelson.api.Names;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.NodeLabelWarnings;
import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import java.util.function.Consumer;

/** CSI storage capacities. */
final class CsiStorageCapacityRules implements KindRules {
  @Override
  public void validate(Value object) {
    Labels.validateLabelSelector(object.get("nodeTopology"));
    String problem = Names.dnsSubdomain(object.get("storageClassName").text());
    if (!problem.isEmpty()) {
      object.get("storageClassName").orEmpty().invalid(problem);
    }
    QuantityRules.nonNegative(object.get("capacity"));
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("nodeTopology").immutable(old.get("nodeTopology"));
    object.get("storageClassName").immutable(old.get("storageClassName"));
  }

  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    Value topology = object.get("nodeTopology");
    NodeLabelWarnings.warnAboutTerm(topology, warnings);
    Value labels = topology.get("matchLabels");
    for (Value label : labels) {
      String message = NodeLabelWarnings.message(label.name());
      if (message != null) {
        // Kubernetes writes the label as if it were a field
        warnings.accept(labels.get(label.name()).path() + ": " + message);
      }
    }
  }
}
