package dev.keelson.controller.event;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Records Events of {@code events.k8s.io/v1} of one component in the background (source:
 * client-go's {@code tools/events}). The second Event about the same makes the first one a series,
 * whose count is written at once; those that follow are counted here, and the count is written
 * every half hour and when there were none for six minutes. An Event that cannot be stored, or for
 * which there is no room, is dropped and logged. Safe for use by several threads.
 */
public final class SeriesRecorder implements AutoCloseable {

  private static final GroupVersionResource EVENTS =
      new GroupVersion("events.k8s.io", "v1").resource("events");
  private static final Logger LOG = Logger.getLogger(SeriesRecorder.class);

  private static final Duration FINISH = Duration.ofMinutes(6);
  private static final Duration REFRESH = Duration.ofMinutes(30);

  /** What the validation of Events allows, in bytes. */
  private static final int MOST_NOTE = 1024;

  private static final String CUT = " ...";

  /** As many as client-go's broadcaster keeps. */
  private static final int MOST_QUEUED = 1000;

  /** client-go remembers all of six minutes. */
  private static final int MOST_KEPT = 4096;

  private final ApiClient client;
  private final String controller;
  private final String instance;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final BlockingQueue<SeriesEvent> queue = new LinkedBlockingQueue<>(MOST_QUEUED);
  private final ControllerLoop loop;

  /** The Events that were seen last, the latest at the end. Confined to the loop. */
  private final Map<SeriesEvent.Key, Series> kept =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  /** Confined to the loop. */
  private final EventNames names = new EventNames();

  private long finishAt;
  private long refreshAt;

  private static final class Series {
    final SeriesEvent first;
    final String name;
    int count = 1;
    Instant last;

    /** What the server has been told. */
    int told = 1;

    Series(SeriesEvent first, String name) {
      this.first = first;
      this.name = name;
      this.last = first.time();
    }
  }

  /**
   * A recorder; {@link #start} must follow.
   *
   * @param controller the reporting controller, such as {@code default-scheduler}
   * @param host the name of this host, for the reporting instance
   * @param nanos a monotonic clock, in nanoseconds
   */
  public SeriesRecorder(
      ApiClient client, String controller, String host, InstantSource clock, LongSupplier nanos) {
    this.client = client;
    this.controller = controller;
    this.instance = controller + "-" + host;
    this.clock = clock;
    this.nanos = nanos;
    this.finishAt = nanos.getAsLong() + FINISH.toNanos();
    this.refreshAt = nanos.getAsLong() + REFRESH.toNanos();
    this.loop = ControllerLoop.every("events-" + controller, Duration.ZERO, this::storeNext);
  }

  /** Starts to store Events. */
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  /**
   * Records an Event.
   *
   * @param related another object of the action; null if there is none
   * @param action what was done or tried, such as {@code Binding}
   */
  public void record(
      ObjectReference regarding,
      @Nullable ObjectReference related,
      EventRecorder.Type type,
      String reason,
      String action,
      String note) {
    SeriesEvent event =
        new SeriesEvent(regarding, related, type.word(), reason, action, note, clock.instant());
    if (!queue.offer(event)) {
      LOG.warnf(
          "event=event-dropped component=%s reason=%s about=%s", controller, reason, regarding);
    }
  }

  /** A text as a note can have it: of 1024 bytes at most, with an end that says that it was cut. */
  public static String note(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= MOST_NOTE) {
      return text;
    }
    int end = MOST_NOTE - CUT.length();
    while ((bytes[end] & 0xC0) == 0x80) {
      // the middle of a character
      end--;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8) + CUT;
  }

  private void storeNext() throws InterruptedException {
    long now = nanos.getAsLong();
    if (now - finishAt >= 0) {
      finishAt = now + FINISH.toNanos();
      finish();
    }
    if (now - refreshAt >= 0) {
      refreshAt = now + REFRESH.toNanos();
      refresh();
    }
    SeriesEvent next = queue.poll(Math.min(finishAt, refreshAt) - now, TimeUnit.NANOSECONDS);
    if (next != null) {
      store(next);
    }
  }

  /** Stores an Event, or counts it. */
  void store(SeriesEvent event) throws InterruptedException {
    Series known = kept.get(event.key());
    if (known == null) {
      Series begun = new Series(event, names.next(event.regarding(), event.time()));
      kept.put(event.key(), begun);
      write(begun, this::create);
      if (kept.size() > MOST_KEPT) {
        SeriesEvent.Key eldest = kept.keySet().iterator().next();
        tell(kept.remove(eldest));
      }
      return;
    }
    known.count++;
    known.last = event.time();
    if (known.count == 2) {
      tell(known);
    }
  }

  /** Writes the counts that the server has not been told. */
  void refresh() throws InterruptedException {
    for (Series series : List.copyOf(kept.values())) {
      tell(series);
    }
  }

  /** Forgets the Events of which there was none for a while. */
  void finish() throws InterruptedException {
    Instant end = clock.instant().minus(FINISH);
    List<Series> over = new ArrayList<>();
    kept.values()
        .removeIf(
            series -> {
              boolean ends = series.last.isBefore(end);
              if (ends) {
                over.add(series);
              }
              return ends;
            });
    for (Series series : over) {
      tell(series);
    }
  }

  private void tell(@Nullable Series series) throws InterruptedException {
    if (series != null && series.count > series.told) {
      series.told = series.count;
      write(series, this::patch);
    }
  }

  /** A request about a series. */
  @FunctionalInterface
  private interface Request {
    void send(Series series) throws InterruptedException;
  }

  private void write(Series series, Request request) throws InterruptedException {
    try {
      request.send(series);
    } catch (ApiException e) {
      // nobody misses the Events of what goes with its namespace
      LOG.logf(
          e.isNamespaceTerminating() ? Level.DEBUG : Level.WARN,
          "event=event-not-stored component=%s reason=%s about=%s error=%s",
          controller,
          series.first.reason(),
          series.first.regarding(),
          e.text());
    }
  }

  private void create(Series series) throws InterruptedException {
    ApiObject object = series.first.object(series.name, controller, instance);
    if (series.count > 1) {
      object = object.with("series", SeriesEvent.series(series.count, series.last));
    }
    Written unused = client.create(EVENTS, object);
  }

  private void patch(Series series) throws InterruptedException {
    try {
      Written unused =
          client.patch(
              EVENTS,
              EventNames.namespace(series.first.regarding()),
              series.name,
              "",
              Patch.STRATEGIC_MERGE,
              MapNode.of("series", SeriesEvent.series(series.count, series.last)));
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND) {
        throw e;
      }
      // it was deleted, or could not be created
      create(series);
    }
  }
}
