package dev.keelson.schema.structural.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.StructuralSchema;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a version, compiled on its first write.
 *
 * @param object the rules of whole objects
 * @param status the rules of the status; null if the schema does not declare it
 * @param listTypes whether there are sets or maps
 * @param embedded whether objects are embedded
 * @param scale the paths of the scale subresource; empty without it
 */
record CompiledRules(
    ValueRules object,
    @Nullable ValueRules status,
    boolean listTypes,
    boolean embedded,
    MapNode scale) {

  static CompiledRules of(CustomResourceVersion version) {
    return version.derived(CompiledRules.class, () -> compile(version));
  }

  private static CompiledRules compile(CustomResourceVersion version) {
    StructuralSchema schema = version.schema();
    ValueRules object = ValueRules.of(schema.source());
    Node scale = version.declaration().map("subresources").get("scale");
    return new CompiledRules(
        object,
        object.fields == null ? null : object.fields.declared().get("status"),
        ListTypes.areIn(schema),
        EmbeddedObjects.areIn(schema),
        scale instanceof MapNode paths ? paths : MapNode.EMPTY);
  }
}
