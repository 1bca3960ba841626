package dev.keelson.cel.schema;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.StructuralSchema;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;
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

  /** Number of schemas whose rules are kept for versions that are about to be used. */
  private static final int MOST_RECENT = 4;

  /**
   * The rules of schemas by their hash codes, so that versions with the same schema share them. The
   * versions own them.
   */
  private static final Map<Integer, WeakReference<SchemaRules>> SHARED = new ConcurrentHashMap<>();

  /**
   * Guarded by itself: the rules of the last definitions that were checked, which no version has
   * yet.
   */
  private static final Deque<SchemaRules> RECENT = new ArrayDeque<>();

  private final StructuralSchema schema;
  private final @Nullable RuleNode root;

  private SchemaRules(StructuralSchema schema) {
    this.schema = schema;
    this.root = RuleNode.root(schema);
  }

  /** The rules of a version of a custom resource, compiled once for it. */
  public static SchemaRules of(CustomResourceVersion version) {
    return version.derived(SchemaRules.class, () -> of(version.schema()));
  }

  /** The rules of the schema of a custom resource; schemas that are equal share them. */
  public static SchemaRules of(StructuralSchema schema) {
    int hash = schema.hashCode();
    WeakReference<SchemaRules> known = SHARED.get(hash);
    SchemaRules rules = known == null ? null : known.get();
    if (rules == null || !rules.schema.equals(schema)) {
      rules = new SchemaRules(schema);
      if (rules.root != null) {
        SHARED.values().removeIf(reference -> reference.get() == null);
        SHARED.put(hash, new WeakReference<>(rules));
      }
    }
    return rules;
  }

  /** The rules of a schema that is checked, kept until it is in use. */
  static SchemaRules checked(StructuralSchema schema) {
    SchemaRules rules = of(schema);
    synchronized (RECENT) {
      RECENT.remove(rules);
      RECENT.addFirst(rules);
      if (RECENT.size() > MOST_RECENT) {
        RECENT.removeLast();
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
    evaluation.validate(root, Place.ROOT, object, old, Correlation.of(object, old));
    return evaluation.findings();
  }
}
