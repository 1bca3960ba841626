package dev.keelson.server.audit;

import dev.keelson.api.ApiException;
import dev.keelson.audit.EventSink;
import dev.keelson.audit.Route;
import dev.keelson.object.ApiObject;
import dev.keelson.object.ObjectSink;
import dev.keelson.server.cache.Reflectors;
import dev.keelson.webhook.WebhookClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The back ends of the AuditSink objects, which come and go with them. Each has a buffer and
 * threads of its own, so that a slow one takes nothing from another. The next request on this
 * server is recorded by the sinks whose writes it has answered.
 */
public final class DynamicSinks implements Supplier<List<Route>>, AutoCloseable {

  /** The one type that is followed. */
  public enum Kind {
    AUDIT_SINK
  }

  /**
   * What the sinks work with.
   *
   * @param feed follows the AuditSinks; asked for once, at the first request
   * @param webhooks posts the events
   */
  public record Parts(Supplier<Reflectors<Kind>> feed, Supplier<WebhookClient> webhooks) {}

  private static final Logger LOG = Logger.getLogger(DynamicSinks.class);

  private final Supplier<Reflectors<Kind>> feed;
  private final Function<SinkSpec, EventSink> opener;
  private final Duration grace;
  private final ReentrantLock lock = new ReentrantLock();

  /** By name; guarded by the lock. */
  private final Map<String, SinkSpec> wanted = new TreeMap<>();

  /** By name; guarded by the lock. */
  private final Map<String, Running> running = new HashMap<>();

  /** Null before the first request. */
  private volatile @Nullable Reflectors<Kind> following;

  private volatile boolean changed;
  private volatile boolean closed;
  private volatile List<Route> routes = List.of();

  private record Running(SinkSpec spec, Route route) {}

  /**
   * Sinks without a thread before the first AuditSink.
   *
   * @param feed is asked for at the first request
   * @param opener makes the back end of a sink, which is not started yet
   * @param grace how long a sink that goes may send what it has
   */
  DynamicSinks(
      Supplier<Reflectors<Kind>> feed, Function<SinkSpec, EventSink> opener, Duration grace) {
    this.feed = feed;
    this.opener = opener;
    this.grace = grace;
  }

  @Override
  public List<Route> get() {
    try {
      following().catchUp(new Changes());
    } catch (ApiException e) {
      // the sinks of before stay: no request fails because one is new
      LOG.warnf("event=audit-sinks-behind error=%s", e.text());
    }
    if (changed) {
      apply();
    }
    return routes;
  }

  private Reflectors<Kind> following() {
    Reflectors<Kind> known = following;
    if (known != null) {
      return known;
    }
    lock.lock();
    try {
      if (following == null) {
        following = feed.get();
      }
      return Objects.requireNonNull(following);
    } finally {
      lock.unlock();
    }
  }

  private void apply() {
    lock.lock();
    try {
      if (!changed || closed) {
        return;
      }
      changed = false;
      List<Route> next = new ArrayList<>();
      for (Map.Entry<String, SinkSpec> each : wanted.entrySet()) {
        Running known = running.get(each.getKey());
        if (known == null || !known.spec.equals(each.getValue())) {
          Running opened = open(each.getValue());
          running.put(each.getKey(), opened);
          retire(known);
          known = opened;
        }
        next.add(known.route);
      }
      running
          .entrySet()
          .removeIf(
              each -> {
                boolean gone = !wanted.containsKey(each.getKey());
                if (gone) {
                  retire(each.getValue());
                }
                return gone;
              });
      routes = List.copyOf(next);
      LOG.infof("event=audit-sinks count=%d names=%s", next.size(), wanted.keySet());
    } finally {
      lock.unlock();
    }
  }

  private Running open(SinkSpec spec) {
    EventSink sink = opener.apply(spec);
    sink.start();
    return new Running(spec, new Route((_, _) -> spec.config(), sink));
  }

  /** Lets a sink send what it has without keeping the request that found the change. */
  private void retire(@Nullable Running old) {
    if (old != null) {
      Thread unused =
          Thread.ofVirtual().name("audit-sink-end").start(() -> old.route.sink().stop(grace));
    }
  }

  private final class Changes implements ObjectSink<Kind> {
    @Override
    public void clear(Kind kind) {
      edit(wanted::clear);
    }

    @Override
    public void put(Kind kind, ApiObject object) {
      SinkSpec spec = SinkSpec.of(object);
      edit(() -> wanted.put(spec.name(), spec));
    }

    @Override
    public void remove(Kind kind, String namespace, String name) {
      edit(() -> wanted.remove(name));
    }

    private void edit(Runnable change) {
      lock.lock();
      try {
        change.run();
        changed = true;
      } finally {
        lock.unlock();
      }
    }
  }

  /** Sends what is left of all sinks, side by side. */
  @Override
  public void close() {
    List<Thread> ends = new ArrayList<>();
    lock.lock();
    try {
      closed = true;
      if (following != null) {
        following.close();
      }
      routes = List.of();
      for (Running each : running.values()) {
        ends.add(
            Thread.ofVirtual().name("audit-sink-end").start(() -> each.route.sink().stop(grace)));
      }
      running.clear();
    } finally {
      lock.unlock();
    }
    try {
      for (Thread end : ends) {
        end.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
