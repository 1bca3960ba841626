package dev.keelson.work;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The turns of a request on a processor. Virtual threads are not preempted: a computation that does
 * not block would keep its carrier thread from all others until it ends. So loops over what a
 * client sent call {@link #pass} for each element: after a millisecond it lets the other requests
 * run, and it ends the work for a client that is gone or has had its response.
 *
 * <p>Used by one thread.
 */
public final class Turn {

  /** Elements between two looks at the clock. */
  private static final int STRIDE = 256;

  /** The longest turn, in nanoseconds. */
  private static final long LONGEST = 1_000_000;

  /** The pause between two turns, in nanoseconds; in fact the precision of the timer. */
  private static final long PAUSE = 1;

  private static final ThreadLocal<@Nullable Turn> CURRENT = new ThreadLocal<>();

  private final BooleanSupplier abandoned;
  private int left = STRIDE;

  /** How many calls of {@link #whole} are running. */
  private int shared;

  private long began = System.nanoTime();

  private Turn(BooleanSupplier abandoned) {
    this.abandoned = abandoned;
  }

  /**
   * Runs the work of a request on this thread in turns.
   *
   * @param abandoned whether nobody waits for the result any more; asked by any thread
   */
  public static <T> T run(BooleanSupplier abandoned, Supplier<T> work) {
    CURRENT.set(new Turn(abandoned));
    try {
      return work.get();
    } finally {
      CURRENT.remove();
    }
  }

  /** A step of a request. */
  @FunctionalInterface
  public interface Step<E extends Exception> {
    void run() throws E;
  }

  /** Runs a step as {@link #run} does. */
  public static <E extends Exception> void perform(BooleanSupplier abandoned, Step<E> step)
      throws E {
    CURRENT.set(new Turn(abandoned));
    try {
      step.run();
    } finally {
      CURRENT.remove();
    }
  }

  /** A part of the work of this thread's request that runs on another thread, in turns as well. */
  public static Runnable part(Runnable work) {
    Turn turn = CURRENT.get();
    return turn == null ? work : () -> perform(turn.abandoned, work::run);
  }

  /**
   * One element of work is done. Costs some nanoseconds; does nothing outside of a request.
   *
   * @throws ApiException of reason Timeout if nobody waits for the result
   */
  public static void pass() {
    pass(1);
  }

  /**
   * Work like that of so many elements is done; otherwise as {@link #pass()}.
   *
   * @param elements at least 1
   */
  public static void pass(int elements) {
    Turn turn = CURRENT.get();
    if (turn != null) {
      turn.left -= elements;
      if (turn.left <= 0) {
        turn.look();
      }
    }
  }

  /** Whether nobody waits for the result of this thread's request; false outside of one. */
  public static boolean isAbandoned() {
    Turn turn = CURRENT.get();
    return turn != null && turn.abandoned.getAsBoolean();
  }

  /**
   * Ends the work if it is abandoned; called before a step that others would notice.
   *
   * @throws ApiException of reason Timeout if nobody waits for the result
   */
  public static void check() {
    Turn turn = CURRENT.get();
    if (turn != null) {
      turn.end();
    }
  }

  /**
   * Runs work that others share, such as bringing a cache up to date: it is not ended half-way when
   * the request is abandoned.
   */
  public static void whole(Runnable work) {
    Turn turn = CURRENT.get();
    if (turn == null) {
      work.run();
      return;
    }
    turn.shared++;
    try {
      work.run();
    } finally {
      turn.shared--;
    }
  }

  private void end() {
    if (shared == 0 && abandoned.getAsBoolean()) {
      throw new ApiException(Reason.TIMEOUT, "nobody waits for the response any more");
    }
  }

  private void look() {
    left = STRIDE;
    if (System.nanoTime() - began < LONGEST) {
      return;
    }
    end();
    // not a yield: it puts the thread into the carrier's own queue, and a carrier whose queue is
    // never empty takes nothing from the queue of threads that event loops start
    LockSupport.parkNanos(this, PAUSE);
    began = System.nanoTime();
  }
}
