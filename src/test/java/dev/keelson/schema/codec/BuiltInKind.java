package dev.keelson.schema.codec;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.proto.ProtoSchemas;
import java.util.stream.Stream;

/** A served kind with its schema, as the argument of tests that run for every kind. */
public record BuiltInKind(GroupVersionKind gvk, StructSchema schema) {

  private static final ProtoSchemas SCHEMAS = ProtoSchemas.fromClassPath();

  /** The kinds of all built-in resources and of their subresources, each once. */
  public static Stream<BuiltInKind> all() {
    return BuiltInResources.all(SCHEMAS::struct).stream().flatMap(BuiltInKind::kindsOf).distinct();
  }

  private static Stream<BuiltInKind> kindsOf(ResourceDefinition resource) {
    return Stream.concat(
        Stream.of(new BuiltInKind(resource.gvk(), resource.schema())),
        resource.subresources().values().stream()
            .map(subresource -> new BuiltInKind(subresource.kind(), subresource.schema())));
  }

  /** An object of the kind with a value in every field. */
  public MapNode sample() {
    return SampleObjects.fill(schema, gvk.apiVersion(), gvk.kind());
  }

  @Override
  public String toString() {
    return gvk.toString();
  }
}
