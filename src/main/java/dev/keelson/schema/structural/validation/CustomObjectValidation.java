package dev.keelson.schema.structural.validation;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Validates custom objects beyond their metadata, in the version of the request: by the schema, the
 * paths of the scale subresource, embedded objects, sets and maps, then by the rules in CEL
 * (source: the strategies of custom resources in apiextensions-apiserver). An update is not
 * rejected for what it leaves as it was (KEP-4008). Immutable; safe for use by several threads.
 */
public final class CustomObjectValidation {

  /** Causes after which rules in CEL are not evaluated: the object has not the declared shape. */
  private static final Set<String> BLOCKING =
      Set.of(
          "FieldValueNotSupported",
          "FieldValueRequired",
          "FieldValueTooLong",
          "FieldValueTooMany",
          "FieldValueTypeInvalid");

  private static final FieldCause NOT_CHECKED =
      new FieldCause(
          "FieldValueInvalid",
          "Invalid value: null: some validation rules were not checked because the object was"
              + " invalid; correct the existing errors to complete validation",
          Findings.NO_FIELD);

  private final EmbeddedObjects embedded;
  private final CustomExpressions expressions;

  /**
   * A validation.
   *
   * @param metadata the rules of the metadata of embedded objects
   * @param expressions evaluates the rules in CEL
   */
  public CustomObjectValidation(ObjectMetaRules metadata, CustomExpressions expressions) {
    this.embedded = new EmbeddedObjects(metadata);
    this.expressions = expressions;
  }

  /** The causes to reject a new object; empty if it is valid. */
  public List<FieldCause> validateCreate(
      CustomResourceVersion version, MapNode object, Consumer<String> warnings) {
    CompiledRules rules = CompiledRules.of(version);
    Findings findings = new Findings("");
    ValueCheck.check(rules.object(), object, Place.ROOT, null, findings);
    ScaleValues.checkSpec(object, rules.scale(), findings);
    ScaleValues.checkStatus(object, rules.scale(), findings);
    if (rules.embedded()) {
      embedded.checkIn(object, version.schema(), findings);
    }
    if (rules.listTypes()) {
      ListTypes.check(object, version.schema(), Place.ROOT, findings);
    }
    return withExpressions(findings.causes(), version, object, null, warnings);
  }

  /**
   * The causes to reject an update of {@code old}; empty if it is valid.
   *
   * @param subresource through which the object is updated; empty for the main resource
   * @param warnings receives violations of rules in CEL that the update does not change
   */
  public List<FieldCause> validateUpdate(
      CustomResourceVersion version,
      String subresource,
      MapNode object,
      MapNode old,
      Consumer<String> warnings) {
    CompiledRules rules = CompiledRules.of(version);
    List<FieldCause> causes =
        subresource.equals("status")
            ? status(rules, version.schema(), object, old)
            : whole(rules, version.schema(), object, old);
    if (rules.listTypes()) {
      List<FieldCause> duplicates = duplicates(object, version.schema());
      if (!duplicates.isEmpty() && duplicates(old, version.schema()).isEmpty()) {
        causes = new ArrayList<>(causes);
        causes.addAll(duplicates);
      }
    }
    return withExpressions(causes, version, object, old, warnings);
  }

  private List<FieldCause> whole(
      CompiledRules rules, StructuralSchema schema, MapNode object, MapNode old) {
    Findings findings = new Findings("");
    Correlation correlation = new Correlation(object, old, schema);
    ValueCheck.check(rules.object(), object, Place.ROOT, correlation, findings);
    ScaleValues.checkSpec(object, rules.scale(), findings);
    ScaleValues.checkStatus(object, rules.scale(), findings);
    if (rules.embedded()) {
      embedded.checkIn(object, schema, findings);
    }
    return findings.causes();
  }

  private static List<FieldCause> status(
      CompiledRules rules, StructuralSchema schema, MapNode object, MapNode old) {
    List<FieldCause> causes = new ArrayList<>();
    Node status = object.get("status");
    if (status != null && rules.status() != null) {
      Findings findings = new Findings("status");
      Correlation correlation = new Correlation(object, old, schema).field("status");
      ValueCheck.check(rules.status(), status, Place.ROOT, correlation, findings);
      causes.addAll(findings.causes());
    }
    Findings findings = new Findings("");
    ScaleValues.checkStatus(object, rules.scale(), findings);
    causes.addAll(findings.causes());
    return causes;
  }

  private static List<FieldCause> duplicates(MapNode object, StructuralSchema schema) {
    Findings findings = new Findings("");
    ListTypes.check(object, schema, Place.ROOT, findings);
    return findings.causes();
  }

  private List<FieldCause> withExpressions(
      List<FieldCause> causes,
      CustomResourceVersion version,
      MapNode object,
      @Nullable MapNode old,
      Consumer<String> warnings) {
    if (!expressions.areIn(version)) {
      return causes;
    }
    List<FieldCause> all = new ArrayList<>(causes);
    if (causes.stream().anyMatch(cause -> BLOCKING.contains(cause.reason()))) {
      all.add(NOT_CHECKED);
    } else {
      all.addAll(expressions.validate(version, object, old, warnings));
    }
    return all;
  }
}
