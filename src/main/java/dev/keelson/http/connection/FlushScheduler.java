package dev.keelson.http.connection;

import io.netty.channel.EventLoop;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs the live bodies of one event loop that have something to send: one wake-up of the loop for
 * all of them, and, where there are many, not more often than their number allows. Writing to a
 * connection costs several times what an event costs; events that come close together go out in one
 * write to each client. A change that comes after a pause goes out at once.
 */
final class FlushScheduler {

  /** What one write to one client costs at most, in nanoseconds; the pace leaves time for it. */
  private static final long PACE_PER_CHANNEL = 160_000;

  /** The longest that an event waits for others, in nanoseconds. */
  private static final long SLOWEST_PACE = 25_000_000;

  /** Below this, in nanoseconds, a timer is worth less than it costs. */
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

  /** One channel more, or one less; on the loop. */
  void count(int difference) {
    channels += difference;
  }

  /** Runs {@code turn} on the loop, soon; may be called from any thread. */
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
    // who is woken from here on is for the next run
    planned.set(false);
    for (int i = waiting.size(); i > 0; i--) {
      Runnable turn = waiting.poll();
      if (turn != null) {
        turn.run();
      }
    }
  }
}
