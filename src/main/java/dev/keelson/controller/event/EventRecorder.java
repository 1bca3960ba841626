package dev.keelson.controller.event;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.event.EventCorrelator.Correlated;
import dev.keelson.controller.event.EventCorrelator.Draft;
import dev.keelson.controller.event.EventCorrelator.Stored;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/**
 * Records Events of one component in the background (source: client-go's {@code tools/record}): an
 * Event that cannot be stored, or for which there is no room, is dropped and logged, since no
 * controller may wait for one. Safe for use by several threads.
 */
public final class EventRecorder implements AutoCloseable {

  private static final GroupVersionResource EVENTS = GroupVersion.CORE_V1.resource("events");
  private static final Logger LOG = Logger.getLogger(EventRecorder.class);

  /** As many as client-go's broadcaster keeps. */
  private static final int MOST_QUEUED = 1000;

  private final ApiClient client;
  private final String component;
  private final InstantSource clock;
  private final EventCorrelator correlator;
  private final BlockingQueue<Draft> queue = new LinkedBlockingQueue<>(MOST_QUEUED);
  private final ControllerLoop loop;

  /** Confined to the loop. */
  private final EventNames names = new EventNames();

  /** The type of an Event. */
  public enum Type {
    NORMAL("Normal"),
    WARNING("Warning");

    private final String word;

    Type(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /**
   * A recorder; {@link #start} must follow.
   *
   * @param component the component in the Events, such as {@code replicaset-controller}
   * @param nanos a monotonic clock, in nanoseconds
   */
  public EventRecorder(
      ApiClient client, String component, InstantSource clock, LongSupplier nanos) {
    this.client = client;
    this.component = component;
    this.clock = clock;
    this.correlator = new EventCorrelator(nanos);
    this.loop = ControllerLoop.every("events-" + component, Duration.ZERO, this::storeNext);
  }

  /** Starts to store Events. */
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  /** Records an Event. */
  public void record(ObjectReference about, Type type, String reason, String message) {
    record(about, type, reason, message, "");
  }

  /**
   * Records an Event of one of several components of the same name.
   *
   * @param host the name of its host; empty if there is only one
   */
  public void record(ObjectReference about, Type type, String reason, String message, String host) {
    if (!queue.offer(new Draft(component, host, about, type.word, reason, message))) {
      LOG.warnf("event=event-dropped component=%s reason=%s about=%s", component, reason, about);
    }
  }

  private void storeNext() throws InterruptedException {
    Correlated event = correlator.correlate(queue.take());
    if (event == null) {
      return;
    }
    try {
      store(event);
    } catch (ApiException e) {
      // nobody misses the Events of what goes with its namespace
      LOG.logf(
          e.isNamespaceTerminating() ? Level.DEBUG : Level.WARN,
          "event=event-not-stored component=%s reason=%s about=%s error=%s",
          component,
          event.draft().reason(),
          event.draft().about(),
          e.text());
    }
  }

  private void store(Correlated event) throws InterruptedException {
    Instant now = clock.instant();
    Stored earlier = event.earlier();
    if (earlier != null) {
      try {
        count(event, earlier, now);
        return;
      } catch (ApiException e) {
        if (e.reason() != Reason.NOT_FOUND) {
          throw e;
        }
        correlator.gone(event);
      }
    }
    ApiObject object = object(event.draft(), now);
    Written unused = client.create(EVENTS, object);
    correlator.created(event, new Stored(object.meta().name()));
  }

  private void count(Correlated event, Stored earlier, Instant now) throws InterruptedException {
    MapNode patch =
        MapNode.builder(3)
            .put("count", new Node.Int(earlier.count))
            .put("lastTimestamp", Node.text(seconds(now)))
            .put("message", Node.text(event.draft().text()))
            .build();
    Written unused =
        client.patch(
            EVENTS,
            EventNames.namespace(event.draft().about()),
            earlier.name,
            "",
            Patch.STRATEGIC_MERGE,
            patch);
  }

  private ApiObject object(Draft draft, Instant now) {
    ObjectReference about = draft.about();
    String time = seconds(now);
    MapNode metadata =
        MapNode.of("name", Node.text(names.next(about, now)))
            .with("namespace", Node.text(EventNames.namespace(about)));
    return new ApiObject(
        MapNode.builder(13)
            .put("apiVersion", Node.text("v1"))
            .put("kind", Node.text("Event"))
            .put("metadata", metadata)
            .put("involvedObject", about.node())
            .put("reason", Node.text(draft.reason()))
            .put("message", Node.text(draft.text()))
            .put("source", source(draft.host()))
            .put("firstTimestamp", Node.text(time))
            .put("lastTimestamp", Node.text(time))
            .put("count", new Node.Int(1))
            .put("type", Node.text(draft.type()))
            .put("reportingComponent", Node.text(component))
            .put("reportingInstance", Node.text(draft.host()))
            .build());
  }

  private MapNode source(String host) {
    MapNode source = MapNode.of("component", Node.text(component));
    return host.isEmpty() ? source : source.with("host", Node.text(host));
  }

  private static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
