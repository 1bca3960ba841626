package dev.keelson.schema;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Verb;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.Set;

/**
 * A sub-path of a resource.
 *
 * @param name the path segment, for example {@code status}
 * @param kind the type that is sent and answered, which may belong to another group ({@code
 *     autoscaling/v1, Kind=Scale})
 * @param verbs what it can do
 * @param schema the shape of {@code kind}
 */
public record Subresource(
    String name, GroupVersionKind kind, Set<Verb> verbs, StructSchema schema) {
  public Subresource {
    verbs = Set.copyOf(verbs);
  }
}
