package dev.keelson.registry;

import dev.keelson.api.FieldCause;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.schema.ResourceDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Pending initializers in {@code metadata.initializers} (the alpha feature Initializers of
 * Kubernetes up to 1.13; contract, "includeUninitialized"). Objects with pending initializers are
 * hidden from lists and watches that do not ask for them, until the last initializer removes
 * itself.
 */
public final class Initializers {

  private static final String FIELD = "initializers";

  private Initializers() {}

  /** Whether an object has pending initializers. */
  public static boolean pending(ObjectMeta meta) {
    return !meta.node().map(FIELD).items("pending").isEmpty();
  }

  /** Defaulting that drops initializers, for when the feature is off. */
  public static Defaulting dropDisabled(Defaulting defaulting) {
    return (definition, object) -> without(defaulting.complete(definition, object));
  }

  /** Defaulting that drops an empty list of initializers: the object is initialized. */
  public static Defaulting dropEmpty(Defaulting defaulting) {
    return (definition, object) -> {
      ApiObject complete = defaulting.complete(definition, object);
      return pending(complete.meta()) ? complete : without(complete);
    };
  }

  private static ApiObject without(ApiObject object) {
    return object.meta().node().has(FIELD) ? object.withMeta(object.meta().without(FIELD)) : object;
  }

  /** {@code rules}, and one that rejects initializers for an initialized object. */
  public static ObjectRules validating(ObjectRules rules) {
    return new ObjectRules() {
      @Override
      public List<FieldCause> validateCreate(
          ResourceDefinition definition, ApiObject object, Consumer<String> warnings) {
        return rules.validateCreate(definition, object, warnings);
      }

      @Override
      public List<FieldCause> validateUpdate(
          ResourceDefinition definition,
          String subresource,
          ApiObject object,
          ApiObject current,
          Consumer<String> warnings) {
        List<FieldCause> causes = new ArrayList<>();
        if (pending(object.meta()) && !pending(current.meta())) {
          MapNode sent = object.meta().node().map(FIELD);
          causes.add(
              FieldCause.invalid(
                  "metadata.initializers",
                  sent.toString(),
                  "field is immutable once initialization has completed"));
        }
        causes.addAll(rules.validateUpdate(definition, subresource, object, current, warnings));
        return causes;
      }
    };
  }
}
