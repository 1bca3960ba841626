package dev.keelson.schema.structural.validation;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The rules in CEL of custom resources ({@code x-kubernetes-validations}). */
public interface CustomExpressions {

  /** Without rules. */
  CustomExpressions NONE =
      new CustomExpressions() {
        @Override
        public boolean areIn(CustomResourceVersion version) {
          return false;
        }

        @Override
        public List<FieldCause> validate(
            CustomResourceVersion version,
            MapNode object,
            @Nullable MapNode old,
            Consumer<String> warnings) {
          return List.of();
        }
      };

  /** Whether a version has rules. */
  boolean areIn(CustomResourceVersion version);

  /**
   * The violations of the rules. Called only for objects that have the types, sizes and required
   * fields that the schema asks for.
   *
   * @param object the object in {@code version}
   * @param old the object that it replaces, in the same version; null for a new one
   * @param warnings receives violations by parts that the update does not change
   */
  List<FieldCause> validate(
      CustomResourceVersion version,
      MapNode object,
      @Nullable MapNode old,
      Consumer<String> warnings);
}
