package dev.keelson.cel.schema;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.StructuralSchema;
import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a schema, ready for objects (source:
 * apiextensions-apiserver/pkg/apiserver/schema/cel, validation.go). Rules are compiled when an
 * object first has a value for them. Safe for use by several threads.
 */
public final class SchemaRules {

  /** Kubernetes' limit of the cost of all rules for one object (RuntimeCELCostBudget). */
  static final long OBJECT_BUDGET = 10_000_000;

  /** Versions with the same schema share their rules. */
  private static final Map<StructuralSchema, SoftReference<SchemaRules>> SHARED =
      new ConcurrentHashMap<>();

  private final @Nullable RuleNode root;

  private SchemaRules(@Nullable RuleNode root) {
    this.root = root;
  }

  /** The rules of a version of a custom resource, compiled once for it. */
  public static SchemaRules of(CustomResourceVersion version) {
    return version.derived(SchemaRules.class, () -> of(version.schema()));
  }

  /** The rules of the schema of a custom resource; schemas that are equal share them. */
  public static SchemaRules of(StructuralSchema schema) {
    SoftReference<SchemaRules> known = SHARED.get(schema);
    SchemaRules rules = known == null ? null : known.get();
    if (rules == null) {
      rules = new SchemaRules(RuleNode.root(schema));
      if (rules.root != null) {
        SHARED.values().removeIf(reference -> reference.get() == null);
        SHARED.put(schema, new SoftReference<>(rules));
      }
    }
    return rules;
  }

  /** The root of the schema; null if it has no rules. */
  @Nullable RuleNode root() {
    return root;
  }

  /** Whether the schema has no rules. */
  public boolean isEmpty() {
    return root == null;
  }

  /**
   * Evaluates the rules.
   *
   * @param object an object that is valid by the schema
   * @param old the object before an update; null for a create
   */
  public Findings validate(MapNode object, @Nullable MapNode old) {
    return validate(object, old, OBJECT_BUDGET);
  }

  Findings validate(MapNode object, @Nullable MapNode old, long budget) {
    if (root == null) {
      return Findings.NONE;
    }
    RuleEvaluation evaluation = new RuleEvaluation(budget);
    evaluation.validate(root, object, old);
    return evaluation.findings();
  }
}
