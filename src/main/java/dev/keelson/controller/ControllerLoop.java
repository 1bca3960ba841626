package dev.keelson.controller;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/**
 * A background loop on named virtual threads: runs a step, waits for an interval or a signal, and
 * runs it again until the loop is closed. A step that fails is logged and run again after a
 * back-off that grows from one second to the interval, or to a minute where that is shorter; a
 * defect does not end the loop either. Started at most once. Safe for use by several threads.
 *
 * <p>Not for threads that read a feed of the store or the watch cache, which handle lost and
 * compacted revisions themselves ({@code watch}, {@code NamespaceInformer}).
 */
public final class ControllerLoop implements AutoCloseable {

  /** The interval of a loop that only runs after signals. */
  public static final Duration NO_RESYNC = Duration.ofDays(100_000);

  private static final Logger LOG = Logger.getLogger(ControllerLoop.class);
  private static final Duration FIRST_BACK_OFF = Duration.ofSeconds(1);
  private static final Duration LONGEST_BACK_OFF = Duration.ofMinutes(1);

  /** How long {@link #close()} waits for the running step. */
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(1);

  private final String name;
  private final int workers;
  private final Duration interval;
  private final Step step;
  private final Semaphore signals = new Semaphore(0);

  /** Guards the two fields below; no other lock is taken under it. */
  private final ReentrantLock lock = new ReentrantLock();

  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;

  /** One iteration of a loop. */
  @FunctionalInterface
  public interface Step {

    /**
     * Runs an iteration; an exception other than an interrupt is logged and the step is retried.
     */
    void run() throws IOException, InterruptedException;
  }

  /** The result of a reconciliation. */
  public enum Outcome {
    /** The item is done until it is added again. */
    DONE,
    /** The item is requeued after a back-off. */
    RETRY
  }

  /** Reconciles one object. */
  @FunctionalInterface
  public interface Reconciler<T> {

    /**
     * Reconciles the current state of the item; an exception is logged and counts as {@code RETRY}.
     */
    Outcome reconcile(T item) throws InterruptedException;
  }

  private ControllerLoop(String name, int workers, Duration interval, Step step) {
    this.name = name;
    this.workers = workers;
    this.interval = interval;
    this.step = step;
  }

  /**
   * A loop with one thread.
   *
   * @param name of the thread, and of the loop in the log
   * @param interval the time from the end of a step to the next one without a {@link #signal}
   */
  public static ControllerLoop every(String name, Duration interval, Step step) {
    return new ControllerLoop(name, 1, interval, step);
  }

  /**
   * Workers of a queue, one thread each.
   *
   * @param name of the threads, with a number behind it, and of the loop in the log
   */
  public static <T> ControllerLoop workers(
      String name, int workers, WorkQueue<T> queue, Reconciler<T> reconciler) {
    return new ControllerLoop(name, workers, Duration.ZERO, () -> takeOne(name, queue, reconciler));
  }

  private static <T> void takeOne(String name, WorkQueue<T> queue, Reconciler<T> reconciler)
      throws InterruptedException {
    T item = queue.take();
    Outcome outcome = Outcome.RETRY;
    try {
      outcome = reconciler.reconcile(item);
    } catch (RuntimeException e) {
      if (!Thread.currentThread().isInterrupted()) {
        log(name, " item=" + item, e);
      }
    } finally {
      switch (outcome) {
        case DONE -> queue.done(item);
        case RETRY -> queue.failed(item);
      }
    }
  }

  /**
   * Starts the threads, which run the first step immediately; does nothing when started or closed.
   */
  public void start() {
    start(Duration.ZERO);
  }

  /** Starts the threads, whose first step is after the interval or a signal. */
  public void startAfterInterval() {
    start(interval);
  }

  private void start(Duration delay) {
    lock.lock();
    try {
      for (int i = threads.size(); i < workers && !closed; i++) {
        String thread = workers == 1 ? name : name + "-" + i;
        threads.add(Thread.ofVirtual().name(thread).start(() -> run(delay)));
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs the next step without waiting for the interval; several signals during a step run it once.
   */
  public void signal() {
    signals.release();
  }

  /** The number of running threads. */
  int running() {
    lock.lock();
    try {
      return (int) threads.stream().filter(Thread::isAlive).count();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    close(CLOSE_WAIT);
  }

  /** Interrupts the threads and waits at most {@code longest} for them; may be called again. */
  public void close(Duration longest) {
    List<Thread> ending;
    lock.lock();
    try {
      closed = true;
      ending = List.copyOf(threads);
    } finally {
      lock.unlock();
    }
    ending.forEach(Thread::interrupt);
    long end = System.nanoTime() + longest.toNanos();
    try {
      for (Thread thread : ending) {
        if (thread != Thread.currentThread()
            && !thread.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
          LOG.debugf("event=loop-not-terminated loop=%s", name);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(Duration delay) {
    Duration wait = delay;
    Duration backOff = FIRST_BACK_OFF;
    String lastFailure = "";
    try {
      while (!closed) {
        await(wait);
        try {
          step.run();
          wait = interval;
          backOff = FIRST_BACK_OFF;
          lastFailure = "";
        } catch (IOException | RuntimeException e) {
          if (closed || Thread.currentThread().isInterrupted()) {
            return;
          }
          lastFailure = logOnce(lastFailure, e);
          wait = shorter(backOff, longestWait());
          backOff = shorter(backOff.multipliedBy(2), LONGEST_BACK_OFF);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void await(Duration wait) throws InterruptedException {
    if (!wait.isZero()) {
      boolean unused = signals.tryAcquire(TimeUnit.NANOSECONDS.convert(wait), TimeUnit.NANOSECONDS);
    }
    int merged = signals.drainPermits();
    LOG.tracef("event=loop-turn loop=%s signals=%d", name, merged);
  }

  private Duration longestWait() {
    return interval.isZero() ? LONGEST_BACK_OFF : interval;
  }

  /** The same failure again is logged at debug level only. */
  private String logOnce(String last, Exception e) {
    String text = e.toString();
    if (text.equals(last)) {
      LOG.debugf("event=%s-failed error=%s", name, e.getMessage());
    } else {
      log(name, "", e);
    }
    return text;
  }

  /** JDK exceptions other than IOException are bugs and are logged with their stack trace. */
  private static void log(String name, String item, Exception e) {
    if (e.getClass().getName().startsWith("java.") && !(e instanceof IOException)) {
      LOG.errorf(e, "event=%s-failed%s error=%s", name, item, e);
    } else {
      LOG.warnf("event=%s-failed%s error=%s", name, item, e.getMessage());
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
