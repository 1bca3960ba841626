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
 * What new objects wait for under {@code metadata.initializers} (the alpha feature Initializers of
 * Kubernetes up to 1.13; contract, "includeUninitialized"): such objects are hidden from lists and
 * watches that do not ask for them, until the last initializer takes itself off.
 */
public final class Initializers {

  private static final String FIELD = "initializers";

  private Initializers() {}

  /** Whether an object waits for somebody. */
  public static boolean pending(ObjectMeta meta) {
    return !meta.node().map(FIELD).items("pending").isEmpty();
  }

  /** Defaults that forget who is waited for, since the feature is off. */
  public static Defaulting forgotten(Defaulting defaulting) {
    return (definition, object) -> without(defaulting.complete(definition, object));
  }

  /** Defaults that forget an empty list: nobody is waited for any more. */
  public static Defaulting kept(Defaulting defaulting) {
    return (definition, object) -> {
      ApiObject complete = defaulting.complete(definition, object);
      return pending(complete.meta()) ? complete : without(complete);
    };
  }

  private static ApiObject without(ApiObject object) {
    return object.meta().node().has(FIELD) ? object.withMeta(object.meta().without(FIELD)) : object;
  }

  /** Rules that refuse an initializer for an object that is initialized, besides {@code rules}. */
  public static ObjectRules after(ObjectRules rules) {
    return new ObjectRules() {
      @Override
      public List<FieldCause> ofNew(
          ResourceDefinition definition, ApiObject object, Consumer<String> warnings) {
        return rules.ofNew(definition, object, warnings);
      }

      @Override
      public List<FieldCause> ofChanged(
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
        causes.addAll(rules.ofChanged(definition, subresource, object, current, warnings));
        return causes;
      }
    };
  }
}
