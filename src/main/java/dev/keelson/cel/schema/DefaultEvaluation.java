package dev.keelson.cel.schema;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.schema.StructuralSchema;
import java.util.List;

/**
 * Evaluates the rules of a schema on its defaults, within the budget that an object has (source:
 * apiextensions-apiserver/pkg/apiserver/schema/defaulting, validation.go). Used by one thread, for
 * one schema.
 */
public final class DefaultEvaluation {

  private long budget = SchemaRules.OBJECT_BUDGET;

  /**
   * The failed rules of a place and of those below it. The default must meet them as a value that
   * stays, which transition rules compare with itself, and as a new one. Nothing is evaluated after
   * the budget is used up.
   *
   * @param value a default that is valid by the schema
   * @param schema of the place that declares the default
   * @param path of the default, which the causes begin with
   */
  public List<FieldCause> validate(Node value, StructuralSchema schema, String path) {
    RuleNode rules = budget < 0 ? null : RuleNode.at(schema, schema.isEmbeddedResource());
    if (rules == null) {
      return List.of();
    }
    Place place = Place.ROOT.at(path);
    RuleEvaluation unchanged = new RuleEvaluation(budget);
    unchanged.validate(rules, place, value, value, Correlation.NONE);
    long left = unchanged.budget();
    List<FieldCause> causes = unchanged.findings().causes();
    if (causes.isEmpty()) {
      RuleEvaluation created = new RuleEvaluation(budget);
      created.validate(rules, place, value, null, Correlation.NONE);
      left = Math.min(left, created.budget());
      causes = created.findings().causes();
    }
    budget = left;
    return causes;
  }
}
