package dev.keelson.http.connection;

import io.netty.channel.EventLoop;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Schedules the writes of the long-running bodies of one event loop: one wake-up of the loop for
 * all of them, at a rate that depends on their number. A write to a connection costs several times
 * as much as an event, so events that arrive close together are sent to each client in one write. A
 * change after an idle period is sent immediately.
 */
final class FlushScheduler {

  /**
   * Assumed cost of one write to one client in nanoseconds, from which the interval is computed.
   */
  private static final long PACE_PER_CHANNEL = 160_000;

  /** Maximum delay of an event in nanoseconds. */
  private static final long SLOWEST_PACE = 25_000_000;

  /** Delays below this, in nanoseconds, do not justify a timer. */
  private static final long AT_ONCE = 1_000_000;

  private final EventLoop loop;
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean planned = new AtomicBoolean();

  // the loop's own
  private int channels;
  private long lastRun;

  FlushScheduler(EventLoop loop) {
    this.loop = loop;
    lastRun = System.nanoTime() - SLOWEST_PACE;
  }

  /** Adds {@code difference} to the number of channels; on the event loop. */
  void count(int difference) {
    channels += difference;
  }

  /** Schedules {@code turn} on the event loop; may be called from any thread. */
  void wake(Runnable turn) {
    waiting.add(turn);
    if (planned.compareAndSet(false, true)) {
      loop.execute(this::plan);
    }
  }

  private void plan() {
    long pace = Math.min(SLOWEST_PACE, channels * PACE_PER_CHANNEL);
    long wait = lastRun + pace - System.nanoTime();
    if (wait < AT_ONCE) {
      run();
    } else {
      var unused = loop.schedule(this::run, wait, TimeUnit.NANOSECONDS);
    }
  }

  private void run() {
    lastRun = System.nanoTime();
    // later wake-ups belong to the next run
    planned.set(false);
    for (int i = waiting.size(); i > 0; i--) {
      Runnable turn = waiting.poll();
      if (turn != null) {
        turn.run();
      }
    }
  }
}
