package dev.keelson.http.media;

import dev.keelson.api.ApiException;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.registry.read.ObjectEvent;
import dev.keelson.registry.read.ObjectWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sends a watch: its initial objects, changes and bookmarks, as fast as the client reads them
 * (kube-apiserver's WatchServer).
 *
 * <p>Confined to one event loop. The watch wakes it from other threads, once until it polls again.
 */
public final class WatchBody implements Body.LongRunning {

  private static final int EVENTS_A_TURN = 256;
  private static final Duration BOOKMARK_INTERVAL = Duration.ofMinutes(1);

  /** Number of intervals after which a connection with a full write queue is closed. */
  private static final int PATIENCE = 5;

  /**
   * How long the write queue of a lagging watcher may be full before the connection is closed
   * without the ERROR event.
   */
  private static final Duration LAG_PATIENCE = Duration.ofMinutes(1);

  private final WatchEncoder frames;
  private final Options options;

  /**
   * The options of a watch.
   *
   * @param timeout the maximum duration
   * @param bookmarks whether the client allows bookmarks
   * @param markInitialEnd whether to send a bookmark after the initial objects (KEP-3157)
   * @param namespace whether objects of one namespace are watched
   */
  public record Options(
      Duration timeout, boolean bookmarks, boolean markInitialEnd, boolean namespace) {}

  private final ObjectWatch watch;
  private final WatchMetrics.OfType metrics;
  private final AtomicReference<Runnable> waker;

  /**
   * @param watch the started watch; it runs the action in {@code waker}
   * @param waker holds the action to run when there are events to poll
   */
  public WatchBody(
      ObjectWatch watch,
      AtomicReference<Runnable> waker,
      WatchEncoder frames,
      Options options,
      WatchMetrics.OfType metrics) {
    this.metrics = metrics;
    this.watch = watch;
    this.waker = waker;
    this.frames = frames;
    this.options = options;
  }

  @Override
  public void start(Channel channel) {
    new Sending(channel).begin();
  }

  @Override
  public void abandon() {
    watch.close();
  }

  /** The state of a running watch. */
  private final class Sending {
    private final Channel channel;
    private final long begin = System.nanoTime();
    private long revision;
    private long bookmarked;
    private boolean initialMarked;
    private boolean initialDone;
    private boolean over;
    private boolean turnPlanned;
    private boolean lagged;
    private int stuck;

    Sending(Channel channel) {
      this.channel = channel;
    }

    void begin() {
      channel.onGone(this::close);
      channel.onShutdown(this::finish);
      channel.onDrain(this::turn);
      Runnable turn = this::turn;
      waker.set(() -> channel.wake(turn));
      channel.after(options.timeout, this::finish);
      channel.after(BOOKMARK_INTERVAL, this::tick);
      turn();
    }

    /**
     * Sends pending events, a bounded number at a time, so that other connections of the event loop
     * get their turn.
     */
    private void turn() {
      if (over || turnPlanned) {
        return;
      }
      if (channel.full()) {
        if (!lagged && watch.lagged()) {
          lagged = true;
          channel.after(LAG_PATIENCE, this::cutIfFull);
        }
        return;
      }
      stuck = 0;
      ObjectWatch.Batch batch = watch.poll(EVENTS_A_TURN);
      List<Payload> events = new ArrayList<>(batch.events().size() + 1);
      for (ObjectEvent event : batch.events()) {
        events.add(frames.event(event));
      }
      revision = Math.max(revision, batch.revision());
      initialDone |= batch.initialDone();
      if (initialDone && options.markInitialEnd && !initialMarked) {
        initialMarked = true;
        bookmarked = revision;
        events.add(frames.initialEnd(revision));
        metrics.listed(options.namespace, System.nanoTime() - begin);
      }
      ApiException end = batch.end();
      if (end != null) {
        frames.error(end).ifPresent(events::add);
      }
      if (!events.isEmpty()) {
        write(events);
      }
      if (end != null) {
        over();
      } else if (batch.more()) {
        turnPlanned = true;
        channel.execute(
            () -> {
              turnPlanned = false;
              turn();
            });
      }
    }

    private void write(List<Payload> events) {
      for (Payload event : events) {
        metrics.sent(event.length());
      }
      channel.write(events);
    }

    /** Closes the connection if a lagging watcher has not drained its write queue. */
    private void cutIfFull() {
      if (!over && channel.full()) {
        cut();
      }
    }

    /** Runs at every interval: closes a stuck connection, sends a bookmark. */
    private void tick() {
      if (over) {
        return;
      }
      if (channel.full() && ++stuck >= PATIENCE) {
        cut();
        return;
      }
      if (options.bookmarks) {
        bookmark();
      }
      channel.after(BOOKMARK_INTERVAL, this::tick);
    }

    /** Sends a bookmark if the revision has advanced and all earlier events have been sent. */
    private void bookmark() {
      turn();
      if (!over && initialDone && !turnPlanned && !channel.full() && revision > bookmarked) {
        bookmarked = revision;
        write(List.of(frames.bookmark(revision)));
      }
    }

    /** Closes the connection at once: a graceful end would wait behind the unsent events. */
    private void cut() {
      close();
      channel.cut();
    }

    private void finish() {
      if (!over) {
        if (options.bookmarks && initialDone && !channel.full() && revision > 0) {
          turn();
          write(List.of(frames.bookmark(revision)));
        }
        over();
      }
    }

    private void over() {
      close();
      channel.end();
    }

    private void close() {
      over = true;
      watch.close();
    }
  }
}
