package dev.keelson.http.loopback;

import dev.keelson.client.rest.ApiTransport.EventStream;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A long-running body whose reader is a thread of the same process. The thread that calls {@link
 * #next} takes the place of the event loop: it runs the actions of the body while it waits for an
 * event, so that an idle watch has no thread of its own. The lock stands for the confinement to the
 * event loop; only {@link #wake} and {@link #execute} do without.
 */
final class LoopbackEvents implements Body.Channel, EventStream {

  /** More unread events than this make the body wait. */
  private static final int MOST_UNREAD = 256;

  private record Timer(long dueNanos, Runnable action) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final BlockingQueue<Runnable> actions = new LinkedBlockingQueue<>();
  private final Queue<Payload> events = new ArrayDeque<>();
  private final Queue<Timer> timers =
      new PriorityQueue<>(Comparator.comparingLong((Timer timer) -> timer.dueNanos()));
  private Runnable onDrain = () -> {};
  private Runnable onGone = () -> {};
  private boolean draining;
  private boolean ended;

  /** Starts a body. */
  static LoopbackEvents of(Body.LongRunning body) {
    LoopbackEvents events = new LoopbackEvents();
    events.lock.lock();
    try {
      body.start(events);
    } finally {
      events.lock.unlock();
    }
    return events;
  }

  @Override
  public byte @Nullable [] next() throws InterruptedException {
    while (true) {
      Timer first;
      lock.lock();
      try {
        Payload event = events.poll();
        if (event != null) {
          drained();
          return event.toByteArray();
        }
        if (ended) {
          return null;
        }
        first = timers.peek();
      } finally {
        lock.unlock();
      }
      Runnable action = await(first);
      lock.lock();
      try {
        action.run();
      } finally {
        lock.unlock();
      }
    }
  }

  /** The next action, or that of the timer when it is due. */
  private Runnable await(@Nullable Timer first) throws InterruptedException {
    if (first == null) {
      return actions.take();
    }
    long wait = Math.max(0, first.dueNanos() - System.nanoTime());
    Runnable action = actions.poll(wait, TimeUnit.NANOSECONDS);
    return action == null ? this::runDue : action;
  }

  private void runDue() {
    Timer first = timers.peek();
    if (first != null && first.dueNanos() - System.nanoTime() <= 0) {
      timers.remove();
      first.action().run();
    }
  }

  private void drained() {
    if (draining && events.isEmpty()) {
      draining = false;
      onDrain.run();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      gone();
    } finally {
      lock.unlock();
    }
    // wakes the reader
    actions.add(() -> {});
  }

  private void gone() {
    if (!ended) {
      ended = true;
      events.clear();
      timers.clear();
      onGone.run();
    }
  }

  @Override
  public void write(List<Payload> more) {
    if (!ended) {
      events.addAll(more);
    }
  }

  @Override
  public boolean full() {
    draining = events.size() >= MOST_UNREAD;
    return draining;
  }

  @Override
  public void onDrain(Runnable action) {
    onDrain = action;
  }

  @Override
  public void onGone(Runnable action) {
    onGone = action;
  }

  @Override
  public void onShutdown(Runnable action) {
    // the reader closes the stream
  }

  @Override
  public void end() {
    if (!ended) {
      ended = true;
      timers.clear();
      onGone.run();
    }
  }

  @Override
  public void cut() {
    gone();
  }

  @Override
  public void wake(Runnable action) {
    actions.add(action);
  }

  @Override
  public void execute(Runnable action) {
    actions.add(action);
  }

  @Override
  public void after(Duration delay, Runnable action) {
    if (!ended) {
      timers.add(new Timer(System.nanoTime() + delay.toNanos(), action));
    }
  }
}
