package dev.keelson.schema.validation.apiextensions;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.value.GoQuote;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * CustomResourceDefinitions (source: apiextensions-apiserver, {@code
 * pkg/apis/apiextensions/validation}).
 */
final class CustomResourceDefinitionRules implements KindRules {

  private final SpecRules specs;

  CustomResourceDefinitionRules(DefaultValidation defaults, SchemaExpressions expressions) {
    this.specs = new SpecRules(new SchemaRules(defaults, expressions));
  }

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.NEVER;
  }

  @Override
  public void validateCreate(Value object) {
    Value name = object.get("metadata", "name");
    Value spec = object.get("spec");
    String required = spec.get("names", "plural").text() + "." + spec.get("group").text();
    if (name.filled() && !name.is(required)) {
      name.invalid("must be spec.names.plural+\".\"+spec.group");
    }
    specs.validate(SpecForm.of(object), Requirements.ofNew());
    whole(object, null);
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    Value spec = object.get("spec");
    Value before = old.get("spec");
    Requirements requirements = UpdateRequirements.of(object, old);
    specs.validate(SpecForm.of(object), requirements);
    if (requirements.immutableNames()) {
      Value _ = spec.get("scope").immutable(before.get("scope"));
      Value _ = spec.get("names", "kind").immutable(before.get("names", "kind"));
    }
    Value _ = spec.get("group").immutable(before.get("group"));
    Value _ = spec.get("names", "plural").immutable(before.get("names", "plural"));
    whole(object, old);
  }

  private static void whole(Value object, @Nullable Value old) {
    NameRules.validate(object.get("status", "acceptedNames"));
    storedVersions(object.get("status", "storedVersions"), object.get("spec", "versions"));
    ApprovalRules.validate(object, old);
    Value preserve = object.get("spec", "preserveUnknownFields");
    if (preserve.flag() && (old == null || !old.get("spec", "preserveUnknownFields").flag())) {
      preserve.invalid(
          "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
              + " spec.versions[*].schema instead");
    }
  }

  private static void storedVersions(Value stored, Value versions) {
    if (stored.size() == 0) {
      stored.invalid("must have at least one stored version");
      return;
    }
    Map<String, Value> missing = new LinkedHashMap<>();
    for (Value version : stored) {
      missing.put(version.text(), version);
    }
    Set<String> all = Set.copyOf(missing.keySet());
    for (Value version : versions) {
      String name = version.get("name").text();
      if (version.get("storage").flag() && !all.contains(name)) {
        stored.invalid("must have the storage version " + name);
      }
      missing.remove(name);
    }
    missing.forEach(
        (name, at) ->
            at.invalid(
                "missing from spec.versions; "
                    + name
                    + " was previously a storage version, and must remain in spec.versions until a"
                    + " storage migration ensures no data remains persisted in "
                    + name
                    + " and removes "
                    + name
                    + " from status.storedVersions"));
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    NameRules.validate(object.get("status", "acceptedNames"));
  }

  @Override
  public void warnOnCreate(Value object, Consumer<String> warnings) {
    UnrecognizedFormats.of(object).forEach(format -> warn(format, warnings));
  }

  @Override
  public void warnOnUpdate(Value object, Value old, Consumer<String> warnings) {
    Set<String> known = UnrecognizedFormats.of(old);
    UnrecognizedFormats.of(object).stream()
        .filter(format -> !known.contains(format))
        .forEach(format -> warn(format, warnings));
  }

  private static void warn(String format, Consumer<String> warnings) {
    warnings.accept("unrecognized format " + GoQuote.quote(format));
  }
}
