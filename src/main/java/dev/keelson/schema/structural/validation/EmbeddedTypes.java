package dev.keelson.schema.structural.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;

/**
 * The JSON types of the type and the metadata of embedded objects in a default (source: {@code
 * objectmeta.Coerce} of apiextensions-apiserver, which stops at the first mistake). Those of a body
 * are found when it is read.
 */
final class EmbeddedTypes {

  private final MetadataTypes metadata;

  EmbeddedTypes(MetadataTypes metadata) {
    this.metadata = metadata;
  }

  /** Reports the first value of the wrong type in a value and in all that it embeds. */
  void check(Node value, StructuralSchema schema, Place at, Findings findings) {
    if (value instanceof MapNode map) {
      for (int i = 0; i < map.size() && findings.isEmpty(); i++) {
        entry(map.keyAt(i), map.valueAt(i), schema, at, findings);
      }
    } else if (value instanceof Items items) {
      StructuralSchema element = schema.items();
      for (int i = 0; element != null && i < items.values().size() && findings.isEmpty(); i++) {
        check(items.values().get(i), element, at.index(i), findings);
      }
    }
  }

  private void entry(String key, Node value, StructuralSchema schema, Place at, Findings findings) {
    String problem = schema.isEmbeddedResource() ? problem(key, value) : "";
    StructuralSchema declared = schema.properties().get(key);
    StructuralSchema values = schema.additionalProperties();
    if (!problem.isEmpty()) {
      findings.invalidValue(at.field(key), value, problem);
    } else if (declared != null) {
      check(value, declared, at.field(key), findings);
    } else if (values != null) {
      check(value, values, at.key(key), findings);
    }
  }

  private String problem(String key, Node value) {
    return switch (key) {
      case "apiVersion", "kind" -> value instanceof Node.Text ? "" : "must be a string";
      case "metadata" -> metadata.problem(value);
      default -> "";
    };
  }
}
