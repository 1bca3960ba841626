package dev.keelson.registry.write;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.KindStrategy;
import dev.keelson.schema.ResourceDefinition;

/**
 * Resets the fields that an update may not change: all fields outside the part that its path
 * updates (source: the {@code PrepareForUpdate} of kube-apiserver's strategies).
 */
final class UpdatePreparation {

  private UpdatePreparation() {}

  /** {@code wanted} with everything outside {@code part} as it is in {@code current}. */
  static ApiObject prepare(
      ObjectPart part,
      ResourceDefinition definition,
      KindStrategy strategy,
      ApiObject wanted,
      ApiObject current) {
    return switch (part) {
      case STATUS -> strategy.prepareForStatusUpdate(status(definition, wanted, current), current);
      case MAIN -> {
        ApiObject next = keepStatus(definition, wanted, current);
        yield definition.behaviour().resetFields().specOnUpdate()
            ? copy("spec", current, next)
            : next;
      }
      case FINALIZERS, SCALE, ROLLBACK -> keepStatus(definition, wanted, current);
      case BINDING -> wanted;
      case EPHEMERAL_CONTAINERS, RESIZE, APPROVAL ->
          strategy.prepareForSubresourceUpdate(part.subresource(), wanted, current);
    };
  }

  private static ApiObject keepStatus(
      ResourceDefinition definition, ApiObject wanted, ApiObject current) {
    return definition.subresources().containsKey("status")
        ? copy("status", current, wanted)
        : wanted;
  }

  /** {@code to} with the top-level field as {@code from} has it. */
  private static ApiObject copy(String key, ApiObject from, ApiObject to) {
    Node value = from.root().get(key);
    return value == null ? to.without(key) : to.with(key, value);
  }

  private static ApiObject status(
      ResourceDefinition definition, ApiObject wanted, ApiObject current) {
    return copy("status", wanted, current)
        .withMeta(resetForStatus(definition, wanted.meta(), current.meta()));
  }

  /** A status update may change metadata, except the fields that the row of the resource names. */
  private static ObjectMeta resetForStatus(
      ResourceDefinition definition, ObjectMeta meta, ObjectMeta current) {
    ObjectMeta kept = meta;
    for (String field : definition.behaviour().resetFields().statusMetadata()) {
      Node old = current.node().get(field);
      kept = old == null ? kept.without(field) : kept.with(field, old);
    }
    return kept;
  }
}
