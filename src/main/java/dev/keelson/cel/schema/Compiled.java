package dev.keelson.cel.schema;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.keelson.cel.compile.CompilationException;
import dev.keelson.cel.compile.CompiledExpression;
import dev.keelson.cel.cost.CostEstimator;
import dev.keelson.cel.cost.SchemaSizes;
import dev.keelson.cel.plan.Plan;
import dev.keelson.cel.type.DataType;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A correct expression of a schema. Immutable; rules with the same text at places of the same type
 * share it, in all schemas.
 *
 * @param plan evaluates it
 * @param cost its estimated cost
 * @param result its type
 * @param usesOldSelf whether it refers to the old value
 */
record Compiled(Plan plan, long cost, CelType result, boolean usesOldSelf) {

  /*
   * Definitions repeat themselves: versions have the same rules, and so have places within one
   * schema. A compilation costs some 100 microseconds, a look at the shared ones a few. The rules
   * own what they use; an expression that no rule has any more goes with the next compilation.
   * The checked trees are not kept: they are ten times as large as the plans.
   */

  private static final Map<Key, Shared> SHARED = new ConcurrentHashMap<>();
  private static final ReferenceQueue<Compiled> UNUSED = new ReferenceQueue<>();

  /** What decides about the result of a compilation, unless it fails with a message. */
  private record Key(String text, boolean optionalOldSelf, Shape self) {}

  /** A shared expression as long as a rule has it. */
  private static final class Shared extends WeakReference<Compiled> {
    private final Key key;

    Shared(Key key, Compiled compiled) {
      super(compiled, UNUSED);
      this.key = key;
    }
  }

  /** Compiles expressions of one place. */
  @FunctionalInterface
  interface Compiler {
    CompiledExpression compile(String text, boolean optionalOldSelf) throws CompilationException;
  }

  /**
   * The compiled expression.
   *
   * @param self the type of the value at the place
   * @param shape of that type
   * @param compiler compiles it, if no other rule has
   * @throws CompilationException if the expression is not correct
   */
  static Compiled of(
      String text, boolean optionalOldSelf, DataType self, Shape shape, Compiler compiler)
      throws CompilationException {
    Key key = new Key(text, optionalOldSelf, shape);
    @Nullable Shared known = SHARED.get(key);
    @Nullable Compiled shared = known == null ? null : known.get();
    if (shared != null) {
      return shared;
    }
    CompiledExpression made = compiler.compile(text, optionalOldSelf);
    Compiled compiled =
        new Compiled(
            made.plan(), cost(made, self), made.tree().getResultType(), made.refersTo("oldSelf"));
    // an expression could name a type, and names are not compared
    if (!text.contains(SchemaTypes.NAME)) {
      forgetUnused();
      SHARED.put(key, new Shared(key, compiled));
    }
    return compiled;
  }

  /** The estimated cost of an expression; unbounded if it is nested too deeply to tell. */
  private static long cost(CompiledExpression expression, DataType self) {
    try {
      return CostEstimator.estimate(expression.tree(), new SchemaSizes(self)).max();
    } catch (StackOverflowError e) {
      return Long.MAX_VALUE;
    }
  }

  private static void forgetUnused() {
    for (var unused = UNUSED.poll(); unused != null; unused = UNUSED.poll()) {
      if (unused instanceof Shared shared) {
        SHARED.remove(shared.key, shared);
      }
    }
  }

  /** The number of shared expressions. */
  static int sharedCount() {
    forgetUnused();
    return SHARED.size();
  }

  boolean isBool() {
    return result.equals(SimpleType.BOOL);
  }

  boolean isString() {
    return result.equals(SimpleType.STRING);
  }
}
