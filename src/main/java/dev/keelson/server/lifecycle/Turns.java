package dev.keelson.server.lifecycle;

import dev.keelson.api.ApiException;
import dev.keelson.storage.StorageException;
import java.time.Duration;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Does something again and again on a thread of its own, until the server or the store is closed. A
 * turn that fails is told of, and the next one tries again: even after a defect, since what is not
 * done any more shows long after nobody looks for the reason.
 */
public final class Turns implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Turns.class);

  private final String name;
  private final Duration interval;

  // written by start() and close() alone
  private volatile @Nullable Thread thread;

  /**
   * Not yet doing anything.
   *
   * @param name of the thread, and of what fails in the log
   * @param interval the time from the end of a turn to the next
   */
  public Turns(String name, Duration interval) {
    this.name = name;
    this.interval = interval;
  }

  /**
   * Begins.
   *
   * @param atOnce whether the first turn is now, and not after the interval
   */
  public void start(Runnable turn, boolean atOnce) {
    thread = Thread.ofVirtual().name(name).start(() -> run(turn, atOnce));
  }

  /** No turn begins any more; waits so long for the end of the one that runs. */
  public void close(Duration longest) throws InterruptedException {
    Thread running = thread;
    close();
    if (running != null) {
      boolean unused = running.join(longest);
    }
  }

  @Override
  public void close() {
    Thread running = thread;
    thread = null;
    if (running != null) {
      running.interrupt();
    }
  }

  private void run(Runnable turn, boolean atOnce) {
    try {
      if (!atOnce) {
        Thread.sleep(interval);
      }
      while (attempt(turn)) {
        Thread.sleep(interval);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether there is a next turn. */
  private boolean attempt(Runnable turn) {
    try {
      turn.run();
    } catch (StorageException.Closed e) {
      return false;
    } catch (StorageException | ApiException e) {
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
      LOG.warnf("event=%s-failed error=%s", name, e.getMessage());
    } catch (RuntimeException e) {
      LOG.errorf(e, "event=%s-failed error=%s", name, e);
    }
    return true;
  }
}
