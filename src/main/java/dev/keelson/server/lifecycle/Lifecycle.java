package dev.keelson.server.lifecycle;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/**
 * Starts the parts of the server in the order in which they were added, and stops them in reverse.
 *
 * <p>Each start runs to its end at most once: when one throws, {@link #start} throws, and the next
 * call continues with that part. A stop that throws is logged, and the other parts are still
 * stopped. Safe for use by several threads: one thread may stop while another starts.
 */
public final class Lifecycle {

  private static final Logger LOG = Logger.getLogger(Lifecycle.class);

  private final StartProgress progress;
  private final ReentrantLock starting = new ReentrantLock();
  private final List<Part> parts = new ArrayList<>();
  private volatile boolean stopped;

  /** How many parts have started; written under {@code starting}. */
  private int started;

  private record Part(String name, Runnable start, AutoCloseable stop) {}

  /**
   * @param progress records each part that has started
   */
  public Lifecycle(StartProgress progress) {
    this.progress = progress;
  }

  /**
   * Adds a part; all are added before the first {@link #start}.
   *
   * @param name for the log
   * @param start may block and throw, and is then run again by the next {@link #start}
   * @param stop may run twice, and without a start
   */
  public Lifecycle add(String name, Runnable start, AutoCloseable stop) {
    parts.add(new Part(name, start, stop));
    return this;
  }

  /** Adds a part that needs no start. */
  public Lifecycle add(String name, AutoCloseable stop) {
    return add(name, () -> {}, stop);
  }

  /**
   * Starts the parts that have not started yet; does nothing after {@link #stop}.
   *
   * @throws RuntimeException thrown by a part; the later parts have not been started
   */
  public void start() {
    starting.lock();
    try {
      while (started < parts.size() && !stopped) {
        Part part = parts.get(started);
        part.start().run();
        started++;
        progress.completed(part.name());
        LOG.debugf("event=part-started part=%s", part.name());
        if (stopped) {
          // stop may have run before start was complete
          stop(part);
        }
      }
    } finally {
      starting.unlock();
    }
  }

  /** Stops every part, the last one first; does not wait for a {@link #start} that is running. */
  public void stop() {
    stopped = true;
    parts.reversed().forEach(Lifecycle::stop);
  }

  private static void stop(Part part) {
    try {
      part.stop().close();
      LOG.debugf("event=part-stopped part=%s", part.name());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.errorf(e, "event=part-not-stopped part=%s error=%s", part.name(), e);
    }
  }
}
