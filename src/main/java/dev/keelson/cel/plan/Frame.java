package dev.keelson.cel.plan;

import dev.keelson.work.Turn;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The variables and the cost of one evaluation. Used by one thread. */
public final class Frame {

  /**
   * The time that an evaluation may take. Cost bounds it in practice; this is for work whose cost
   * is estimated too low.
   */
  static final Duration LONGEST = Duration.ofSeconds(5);

  /** Number of loop rounds between readings of the clock. */
  private static final int ROUNDS_A_LOOK = 1024;

  private final @Nullable Object[] slots;
  private final long limit;
  private final long begin;
  private long cost;
  private int rounds;

  /**
   * @param slots the number of variables, see {@link Plan#slots}
   * @param limit the maximum cost
   */
  public Frame(int slots, long limit) {
    this.slots = new Object[slots];
    this.limit = limit;
    this.begin = System.nanoTime();
  }

  /** Sets a variable; null if it has no value. */
  public void set(int slot, @Nullable Object value) {
    slots[slot] = value;
  }

  @Nullable Object get(int slot) {
    return slots[slot];
  }

  /** The cost until now. */
  public long cost() {
    return cost;
  }

  void charge(long units) {
    cost += units;
    if (cost > limit || cost < 0) {
      throw new CostExceededException();
    }
  }

  void discount(long units) {
    cost -= units;
  }

  /**
   * Counts a round of a loop.
   *
   * @throws dev.keelson.api.ApiException of reason Timeout if nobody waits for the result
   */
  void round() {
    Turn.pass();
    if (++rounds % ROUNDS_A_LOOK == 0 && System.nanoTime() - begin > LONGEST.toNanos()) {
      throw new CostExceededException();
    }
  }
}
