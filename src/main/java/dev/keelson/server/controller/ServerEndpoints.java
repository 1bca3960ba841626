package dev.keelson.server.controller;

import dev.keelson.api.ApiException;
import dev.keelson.controller.ControllerLoop;
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
public final class ServerEndpoints implements AutoCloseable {

  /** How long a server counts as alive, and how often it says so: as kube-apiserver. */
  public static final Duration TIME_TO_LIVE = Duration.ofSeconds(15);

  private static final Duration INTERVAL = Duration.ofSeconds(10);

  /** Stopping does not wait for a store that does not answer. */
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private static final Logger LOG = Logger.getLogger(ServerEndpoints.class);

  private final SystemObjects objects;

  /** Null if no other server can be at the store. */
  private final @Nullable MasterLeases leases;

  private final ControllerLoop loop;

  /** Null before the start and after the end. */
  private volatile SystemObjects.@Nullable Place place;

  public ServerEndpoints(SystemObjects objects, @Nullable MasterLeases leases) {
    this(objects, leases, INTERVAL);
  }

  public ServerEndpoints(SystemObjects objects, @Nullable MasterLeases leases, Duration interval) {
    this.objects = objects;
    this.leases = leases;
    this.loop = ControllerLoop.every("server-endpoints", interval, this::turn);
  }

  /** Says where this server is, and goes on doing so; throws if the store cannot be reached. */
  public void start(SystemObjects.Place where) {
    turn(where);
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
              .name("server-farewell")
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
      // the lease ends by itself, and the other servers see to the rest
      LOG.infof("event=server-endpoints-left error=%s", e.getMessage());
    }
  }
}
