package dev.keelson.schema.structural.validation;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.Names;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.schema.StructuralSchema;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The type and the metadata of embedded objects ({@code x-kubernetes-embedded-resource}), which
 * follow the rules of every object (source: {@code objectmeta.Validate} of
 * apiextensions-apiserver).
 */
final class EmbeddedObjects {

  private final ObjectMetaRules metadata;

  EmbeddedObjects(ObjectMetaRules metadata) {
    this.metadata = metadata;
  }

  /** Whether a schema embeds objects anywhere. */
  static boolean areIn(@Nullable StructuralSchema schema) {
    return schema != null
        && (schema.isEmbeddedResource()
            || areIn(schema.additionalProperties())
            || areIn(schema.items())
            || schema.properties().values().stream().anyMatch(EmbeddedObjects::areIn));
  }

  /** Reports what is wrong with the objects that a whole object embeds. */
  void checkIn(MapNode object, StructuralSchema schema, Findings findings) {
    children(object, schema, Place.ROOT, findings);
  }

  /** Reports what is wrong with the type and metadata of an object, and with all that it embeds. */
  void checkWhole(MapNode object, StructuralSchema schema, Findings findings) {
    embedded(object, Place.ROOT, findings);
    children(object, schema, Place.ROOT, findings);
  }

  /** Reports what is wrong with a value and all that it embeds. */
  void check(Node value, StructuralSchema schema, Place at, Findings findings) {
    if (value instanceof MapNode map) {
      if (schema.isEmbeddedResource()) {
        embedded(map, at, findings);
      }
      children(map, schema, at, findings);
    } else if (value instanceof Items items) {
      StructuralSchema element = schema.items();
      for (int i = 0; element != null && i < items.values().size(); i++) {
        check(items.values().get(i), element, at.index(i), findings);
      }
    }
  }

  private void children(MapNode map, StructuralSchema schema, Place at, Findings findings) {
    StructuralSchema values = schema.additionalProperties();
    map.forEach(
        (name, value) -> {
          StructuralSchema declared = schema.properties().get(name);
          if (declared != null) {
            check(value, declared, at.field(name), findings);
          } else if (values != null) {
            check(value, values, at.key(name), findings);
          }
        });
  }

  private void embedded(MapNode object, Place at, Findings findings) {
    if (!object.has("apiVersion")) {
      findings.required(at.field("apiVersion"));
    }
    if (!object.has("kind")) {
      findings.required(at.field("kind"));
    }
    object.forEach(
        (name, value) -> {
          Place field = at.field(name);
          switch (name) {
            case "apiVersion" -> apiVersion(value, field, findings);
            case "kind" -> kind(value, field, findings);
            case "metadata" -> metadata(value, field, findings);
            default -> {}
          }
        });
  }

  private static void apiVersion(Node value, Place at, Findings findings) {
    if (!(value instanceof Node.Text text)) {
      findings.invalidValue(at, value, "must be a string");
    } else if (text.value().isEmpty()) {
      findings.required(at);
    } else {
      try {
        Object unused = GroupVersion.parse(text.value());
      } catch (IllegalArgumentException e) {
        findings.invalidValue(at, value, String.valueOf(e.getMessage()));
      }
    }
  }

  private static void kind(Node value, Place at, Findings findings) {
    if (!(value instanceof Node.Text text)) {
      findings.invalidValue(at, value, "must be a string");
    } else if (text.value().isEmpty()) {
      findings.required(at);
    } else {
      String problems = Names.dns1035Label(text.value().toLowerCase(Locale.ROOT));
      if (!problems.isEmpty()) {
        findings.invalidValue(
            at,
            value,
            "may have mixed case, but should otherwise match: " + problems.replace('\n', ','));
      }
    }
  }

  private void metadata(Node value, Place at, Findings findings) {
    if (value instanceof MapNode map) {
      // an embedded object needs no name
      ObjectMeta meta = new ObjectMeta(map);
      ObjectMeta named = meta.name().isEmpty() ? meta.withText("name", "fakename") : meta;
      findings.addAll(metadata.validate(named, findings.field(at)));
    }
  }
}
