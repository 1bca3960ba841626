package dev.keelson.server.controller;

import dev.keelson.api.ApiException;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.bootstrap.SystemObjects;
import dev.keelson.storage.StorageException;
import java.time.Duration;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the system objects and the endpoints of the Service {@code kubernetes} with the
 * addresses of all live servers. Servers that share a store renew a lease each; a server that stops
 * deletes its lease, and the lease of one that crashes expires.
 */
public final class ServerEndpoints implements AutoCloseable {

  /** The duration of a lease and the interval of its renewal, as in kube-apiserver. */
  public static final Duration TIME_TO_LIVE = Duration.ofSeconds(15);

  private static final Duration INTERVAL = Duration.ofSeconds(10);

  /** Maximum wait for the store when the server stops. */
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private static final Logger LOG = Logger.getLogger(ServerEndpoints.class);

  private final SystemObjects objects;

  /** Null if no other server can use the store. */
  private final @Nullable MasterLeases leases;

  private final ControllerLoop loop;

  /** Null before start and after close. */
  private volatile SystemObjects.@Nullable Place place;

  public ServerEndpoints(SystemObjects objects, @Nullable MasterLeases leases) {
    this(objects, leases, INTERVAL);
  }

  public ServerEndpoints(SystemObjects objects, @Nullable MasterLeases leases, Duration interval) {
    this.objects = objects;
    this.leases = leases;
    this.loop = ControllerLoop.every("server-endpoints", interval, this::turn);
  }

  /**
   * Publishes the address of this server and starts to renew it; throws if the store is
   * unavailable.
   */
  public void start(SystemObjects.Place where) {
    turn(where);
    objects.mendService(where);
    place = where;
    loop.startAfterInterval();
  }

  @Override
  public void close() {
    SystemObjects.Place where = place;
    MasterLeases known = leases;
    place = null;
    if (where == null || known == null) {
      loop.close();
      return;
    }
    try {
      loop.close(FAREWELL);
      boolean unused =
          Thread.ofVirtual()
              .name("server-endpoints-close")
              .start(() -> leave(known, where))
              .join(FAREWELL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void turn() {
    SystemObjects.Place where = place;
    if (where != null) {
      turn(where);
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
      // the lease expires, and the other servers update the endpoints
      LOG.infof("event=server-endpoints-left error=%s", e.getMessage());
    }
  }
}
