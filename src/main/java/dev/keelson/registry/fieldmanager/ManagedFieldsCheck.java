package dev.keelson.registry.fieldmanager;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.apply.Managers;
import java.util.List;
import java.util.Optional;

/** Finds what is wrong with {@code managedFields} that mutating admission has changed. */
final class ManagedFieldsCheck {

  private ManagedFieldsCheck() {}

  /** The first problem, in the words of Kubernetes' decoder, or empty if there is none. */
  static Optional<String> problem(List<Node> entries) {
    for (int i = 0; i < entries.size(); i++) {
      Optional<String> problem =
          entries.get(i) instanceof MapNode entry
              ? problem(entry, i)
              : Optional.of("operation must be `Apply` or `Update`");
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> problem(MapNode entry, int index) {
    String operation = entry.text("operation");
    if (!operation.equals("Apply") && !operation.equals("Update")) {
      return Optional.of("operation must be `Apply` or `Update`");
    }
    if (entry.text("apiVersion").isEmpty()) {
      return Optional.of("apiVersion must not be empty");
    }
    String type = entry.text("fieldsType");
    if (type.isEmpty()) {
      return Optional.of("missing fieldsType in managed fields entry " + index);
    }
    if (!type.equals("FieldsV1")) {
      return Optional.of("invalid fieldsType \"" + type + "\" in managed fields entry " + index);
    }
    return Managers.sent(List.of(entry)).isPresent()
        ? Optional.empty()
        : Optional.of("error decoding versioned set from managed fields entry " + index);
  }
}
