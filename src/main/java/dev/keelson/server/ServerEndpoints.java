package dev.keelson.server;

import dev.keelson.api.ApiException;
import dev.keelson.controller.bootstrap.SystemObjects;
import dev.keelson.storage.StorageException;
import java.time.Duration;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what every cluster has, and the endpoints of the Service {@code kubernetes} at the
 * addresses of all servers that are alive. Servers that share a store renew a lease each; one that
 * stops takes its address away itself, and one that dies loses it when its lease ends.
 */
final class ServerEndpoints implements AutoCloseable {

  /** How long a server counts as alive, and how often it says so: as kube-apiserver. */
  static final Duration TIME_TO_LIVE = Duration.ofSeconds(15);

  private static final Duration INTERVAL = Duration.ofSeconds(10);

  /** Stopping does not wait for a store that does not answer. */
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private static final Logger LOG = Logger.getLogger(ServerEndpoints.class);

  private final SystemObjects objects;

  /** Null if no other server can be at the store. */
  private final @Nullable MasterLeases leases;

  private final Duration interval;

  // both are written before the thread starts that reads them, and by that of start() alone
  private volatile SystemObjects.@Nullable Place place;
  private volatile @Nullable Thread thread;

  ServerEndpoints(SystemObjects objects, @Nullable MasterLeases leases) {
    this(objects, leases, INTERVAL);
  }

  ServerEndpoints(SystemObjects objects, @Nullable MasterLeases leases, Duration interval) {
    this.objects = objects;
    this.leases = leases;
    this.interval = interval;
  }

  /** Says where this server is, and goes on doing so; throws if the store cannot be reached. */
  void start(SystemObjects.Place where) {
    turn(where);
    place = where;
    thread = Thread.ofVirtual().name("server-endpoints").start(() -> run(where));
  }

  @Override
  public void close() {
    Thread running = thread;
    SystemObjects.Place where = place;
    if (running == null || where == null) {
      return;
    }
    thread = null;
    running.interrupt();
    MasterLeases known = leases;
    if (known == null) {
      return;
    }
    try {
      running.join(FAREWELL);
      boolean unused =
          Thread.ofVirtual()
              .name("server-farewell")
              .start(() -> leave(known, where))
              .join(FAREWELL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(SystemObjects.Place where) {
    try {
      while (true) {
        Thread.sleep(interval);
        try {
          turn(where);
        } catch (StorageException.Closed e) {
          return;
        } catch (StorageException | ApiException e) {
          LOG.warnf("event=server-endpoints-failed error=%s", e.getMessage());
        } catch (RuntimeException e) {
          // a defect, but one turn's: without the next ones this server would soon count as dead
          LOG.errorf(e, "event=server-endpoints-failed error=%s", e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void turn(SystemObjects.Place where) {
    objects.ensure(where);
    MasterLeases known = leases;
    if (known == null) {
      objects.moveTo(where);
      return;
    }
    known.renew(where.address());
    objects.serveAt(where, known.addresses());
  }

  private void leave(MasterLeases known, SystemObjects.Place where) {
    try {
      known.remove(where.address());
      objects.serveAt(where, known.addresses());
    } catch (StorageException | ApiException e) {
      // the lease ends by itself, and the other servers see to the rest
      LOG.infof("event=server-endpoints-left error=%s", e.getMessage());
    }
  }
}
