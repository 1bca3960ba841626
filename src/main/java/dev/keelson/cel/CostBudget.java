package dev.keelson.cel;

import dev.cel.common.ast.CelExpr;
import dev.cel.runtime.CelEvaluationListener;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cost budget of one evaluation: one unit per step, one per ten characters of each string
 * result and one per ten items of each collection result, similar to Kubernetes' runtime cost; and
 * a time limit for work inside a step. Used by one thread.
 */
final class CostBudget implements CelEvaluationListener {

  /** Kubernetes' limit of a single expression. */
  static final long MOST = 1_000_000;

  static final Duration LONGEST = Duration.ofSeconds(5);

  /** Number of steps between readings of the clock. */
  private static final int STEPS_A_LOOK = 64;

  private final long begin = System.nanoTime();
  private final long most;
  private long cost;
  private int steps;
  private boolean spent;

  CostBudget(long most) {
    this.most = most;
  }

  /**
   * Counts a step.
   *
   * @throws IllegalStateException if the budget is exhausted. An operator such as {@code ||} may
   *     swallow it, so the next step throws it again and the result is discarded.
   */
  @Override
  public void callback(CelExpr step, @Nullable Object value) {
    cost += 1 + size(value) / 10;
    if (cost > most
        || (++steps % STEPS_A_LOOK == 0 && System.nanoTime() - begin > LONGEST.toNanos())) {
      spent = true;
    }
    if (spent) {
      throw new IllegalStateException("cost limit exceeded");
    }
  }

  boolean spent() {
    return spent;
  }

  private static long size(@Nullable Object value) {
    return switch (value) {
      case String text -> text.length();
      case Collection<?> items -> items.size();
      case Map<?, ?> map -> map.size();
      case null, default -> 0;
    };
  }
}
