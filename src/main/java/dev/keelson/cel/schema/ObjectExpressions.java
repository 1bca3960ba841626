package dev.keelson.cel.schema;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.structural.validation.CustomExpressions;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The rules of custom resources for the validation of their objects. */
public final class ObjectExpressions implements CustomExpressions {

  @Override
  public boolean areIn(CustomResourceVersion version) {
    return !SchemaRules.of(version).isEmpty();
  }

  @Override
  public List<FieldCause> validate(
      CustomResourceVersion version,
      MapNode object,
      @Nullable MapNode old,
      Consumer<String> warnings) {
    Findings found = SchemaRules.of(version).validate(object, old);
    found.warnings().forEach(warnings);
    return found.causes();
  }
}
