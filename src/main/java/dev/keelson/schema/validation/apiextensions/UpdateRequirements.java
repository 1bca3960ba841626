package dev.keelson.schema.validation.apiextensions;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import dev.keelson.schema.validation.Value;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Finds what an update of a definition must meet, by what the stored definition meets. */
final class UpdateRequirements {

  private UpdateRequirements() {}

  /** What an update of {@code old} must meet. */
  static Requirements of(Value definition, Value old) {
    SpecForm spec = SpecForm.of(old);
    boolean established = isEstablished(old);
    Value conversion = spec.spec().get("conversion", "webhook");
    Value reviewVersions = conversion.get("conversionReviewVersions");
    Value caBundle = conversion.get("clientConfig", "caBundle");
    return new Requirements(
        reviewVersions.size() == 0 || ConversionRules.hasKnownVersion(reviewVersions),
        established,
        everyVersionHasSchema(spec),
        none(spec, Requirements::hasUnknownType),
        spec.schemas().stream().noneMatch(StructuralForm::isBroken),
        spec.schemas().stream().noneMatch(UpdateRequirements::hasUnprunedDefault),
        none(spec, ListRules::hasSetOfParts),
        none(spec, ListRules::hasIndefiniteKeys),
        established && (!caBundle.filled() || ConversionRules.caBundleProblem(caBundle).isEmpty()),
        unchanged(SpecForm.of(definition), spec));
  }

  private static boolean isEstablished(Value definition) {
    for (Value condition : definition.get("status", "conditions")) {
      if (condition.get("type").is("Established")) {
        return condition.get("status").is("True");
      }
    }
    return false;
  }

  private static boolean everyVersionHasSchema(SpecForm spec) {
    return spec.shared().root().present()
        || spec.versions().stream().allMatch(version -> version.root().present());
  }

  private static boolean none(SpecForm spec, Predicate<MapNode> condition) {
    return spec.schemas().stream().noneMatch(schema -> Schemas.any(schema.node(), condition));
  }

  private static boolean hasUnprunedDefault(Value schema) {
    return Schemas.any(schema.node(), each -> each.has("default"))
        && !StructuralForm.isBroken(schema)
        && DefaultRules.hasUnknownFields(StructuralSchema.of(schema.map()));
  }

  private static Set<String> unchanged(SpecForm spec, SpecForm old) {
    Set<String> names = new HashSet<>();
    Map<String, Value> before = old.byName();
    spec.byName()
        .forEach(
            (name, version) -> {
              Value was = before.get(name);
              if (was != null && version.get("schema").sameAs(was.get("schema"))) {
                names.add(name);
              }
            });
    return names;
  }
}
