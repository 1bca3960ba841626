package dev.keelson.schema.validation.apiextensions;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.apiextensions.SpecForm.Parts;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The spec of a definition (source: validateCustomResourceDefinitionSpec). */
final class SpecRules {

  private final SchemaRules schemas;

  SpecRules(SchemaRules schemas) {
    this.schemas = schemas;
  }

  void validate(SpecForm form, Requirements given) {
    Value spec = form.spec();
    group(spec.get("group"));
    scope(spec.get("scope"));
    Requirements requirements = requirements(form, given);
    versions(form, requirements);
    wholeVersions(form);
    NameRules.required(spec.get("names"));
    NameRules.validate(spec.get("names"));
    shared(form, requirements);
    conversion(form, requirements);
  }

  private static void group(Value group) {
    if (!group.filled()) {
      group.required();
      return;
    }
    String problem = Formats.DNS_SUBDOMAIN.apply(group.text()).replace("\n", ",");
    if (!problem.isEmpty()) {
      group.invalid(problem);
    } else if (group.text().indexOf('.') < 0) {
      group.invalid("should be a domain with at least one dot");
    }
  }

  private static void scope(Value scope) {
    if (!scope.filled()) {
      scope.required();
    } else if (!scope.is("Cluster") && !scope.is("Namespaced")) {
      scope.unsupportedInOrder("Cluster", "Namespaced");
    }
  }

  /** Reports missing schemas, and decides whether schemas must be structural. */
  private static Requirements requirements(SpecForm form, Requirements given) {
    boolean preserve = form.preservesUnknownFields();
    boolean structural = given.structural() || !preserve;
    if (!form.shared().root().present()) {
      for (Parts version : form.versions()) {
        if (version.root().absent()) {
          Value schema = version.at().get("schema", "openAPIV3Schema");
          if (given.schemas()) {
            schema.required("schemas are required");
          } else if (!preserve && version.at().get("served").flag()) {
            schema.required("because otherwise all fields are pruned");
          }
        }
      }
    }
    if (any(form, schema -> schema.has("default"))) {
      structural = true;
      if (preserve) {
        form.spec()
            .get("preserveUnknownFields")
            .invalid("must be false in order to use defaults in the schema");
      }
    }
    structural |= any(form, SpecRules::hasExtensions);
    return structural ? given.requiringStructure() : given;
  }

  private static boolean any(SpecForm form, Predicate<MapNode> condition) {
    return form.schemas().stream().anyMatch(schema -> Schemas.any(schema.node(), condition));
  }

  private static boolean hasExtensions(MapNode schema) {
    return Schemas.flag(schema, "x-kubernetes-embedded-resource")
        || schema.has("x-kubernetes-preserve-unknown-fields")
        || Schemas.flag(schema, "x-kubernetes-int-or-string")
        || !schema.items("x-kubernetes-list-map-keys").isEmpty()
        || schema.has("x-kubernetes-list-type")
        || !schema.items("x-kubernetes-validations").isEmpty();
  }

  private void versions(SpecForm form, Requirements requirements) {
    Map<String, Boolean> statuses = form.statuses();
    for (Parts version : form.versions()) {
      Value name = version.at().get("name");
      NameRules.requiredLabel(name);
      VersionRules.validateDeprecation(version.at());
      schemas.validate(
          version.schema(),
          statuses.getOrDefault(name.text(), false),
          requirements.unchangedVersions().contains(name.text()),
          requirements);
      VersionRules.validateScale(version.subresources());
      VersionRules.validateColumns(version.columns());
      VersionRules.validateSelectableFields(
          version,
          "selectableFields may only be set when version.schema.openAPIV3Schema is not included");
    }
  }

  private static void wholeVersions(SpecForm form) {
    Value spec = form.spec();
    Value versions = spec.get("versions");
    Set<String> names = new HashSet<>();
    int storage = 0;
    boolean unique = true;
    for (Value version : versions) {
      unique &= names.add(version.get("name").text());
      storage += version.get("storage").flag() ? 1 : 0;
    }
    if (!unique) {
      form.shownVersions().invalid("must contain unique version names");
    }
    if (storage != 1) {
      form.shownVersions().invalid("must have exactly one version marked as storage version");
    }
    if (versions.at(0).get("name").filled()) {
      NameRules.requiredLabel(spec.get("version").holding(versions.at(0).get("name").node()));
    }
  }

  private void shared(SpecForm form, Requirements requirements) {
    Parts shared = form.shared();
    String version = form.spec().get("versions").at(0).get("name").text();
    schemas.validate(
        shared.schema(),
        form.hasAnyStatus(),
        requirements.unchangedVersions().contains(version),
        requirements);
    VersionRules.validateScale(shared.subresources());
    VersionRules.validateColumns(shared.columns());
    VersionRules.validateSelectableFields(
        shared, "selectableFields may only be set when validations.schema is included");
  }

  private static void conversion(SpecForm form, Requirements requirements) {
    Value conversion = form.spec().get("conversion");
    Value strategy = conversion.get("strategy");
    if (conversion.present() && !strategy.is("None") && form.preservesUnknownFields()) {
      strategy.orEmpty().invalid("must be None if spec.preserveUnknownFields is true");
    }
    ConversionRules.validate(conversion, requirements);
  }
}
