package dev.keelson.server;

import dev.keelson.api.ApiException;
import dev.keelson.controller.bootstrap.FlowObjects;
import dev.keelson.storage.StorageException;
import java.time.Duration;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the flow schemas and priority levels that every cluster has, beside the server, whose start
 * they must not delay. What somebody deletes or spoils comes back within a minute, as in
 * kube-apiserver.
 */
final class FlowDefaults implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofMinutes(1);
  private static final Logger LOG = Logger.getLogger(FlowDefaults.class);

  private final FlowObjects objects;

  // written before the thread starts, and by that of close() alone
  private volatile @Nullable Thread thread;

  FlowDefaults(FlowObjects objects) {
    this.objects = objects;
  }

  /** Begins to keep them. */
  void start() {
    thread = Thread.ofVirtual().name("flow-defaults").start(this::run);
  }

  @Override
  public void close() {
    Thread running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  private void run() {
    try {
      while (true) {
        try {
          objects.ensure();
        } catch (StorageException.Closed e) {
          return;
        } catch (StorageException | ApiException e) {
          if (Thread.currentThread().isInterrupted()) {
            return;
          }
          // the next turn tries again
          LOG.warnf("event=flow-defaults-failed error=%s", e.getMessage());
        }
        Thread.sleep(INTERVAL);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
