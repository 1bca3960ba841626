package dev.keelson.schema;

import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Field.Presence;
import dev.keelson.schema.SchemaNode.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The fields of the objects of a custom resource: the type, the metadata, and what is declared. */
final class CustomFields {

  private CustomFields() {}

  /**
   * The fields in the order in which JSON writes them.
   *
   * @param metadata the shape of {@code metadata}, which a schema cannot declare
   */
  static List<Field> of(StructuralSchema schema, SchemaNode metadata) {
    List<Field> fields = new ArrayList<>(schema.properties().size() + 3);
    fields.add(field("kind", Scalar.STRING, Presence.OMIT_EMPTY));
    fields.add(field("apiVersion", Scalar.STRING, Presence.OMIT_EMPTY));
    fields.add(field("metadata", metadata, Presence.POINTER));
    for (Map.Entry<String, StructuralSchema> property : schema.properties().entrySet()) {
      switch (property.getKey()) {
        case "kind", "apiVersion", "metadata" -> {}
        default -> fields.add(field(property.getKey(), property.getValue(), Presence.POINTER));
      }
    }
    return fields;
  }

  private static Field field(String name, SchemaNode type, Presence presence) {
    return new Field(name, type, 0, List.of(), presence, Field.Rules.NONE);
  }
}
