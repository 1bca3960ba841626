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
 * Sends a watch: its objects, its changes and its bookmarks, as fast as the client takes them.
 *
 * <p>Lives on one event loop. The watch wakes it from other threads, once until it polls again.
 */
public final class WatchBody implements Body.LongRunning {

  private static final int EVENTS_A_TURN = 256;
  private static final Duration BOOKMARK_INTERVAL = Duration.ofMinutes(1);

  /** So many intervals a client may take nothing of what waits for it. */
  private static final int PATIENCE = 5;

  /** How long a client that has lost events may take nothing; then it is not told either. */
  private static final Duration LAG_PATIENCE = Duration.ofMinutes(1);

  private final WatchEncoder frames;
  private final Options options;

  /**
   * How a watch goes.
   *
   * @param timeout when it ends
   * @param bookmarks whether the client wants bookmarks
   * @param markInitialEnd whether a bookmark says when all the objects that it begins with have
   *     been sent
   */
  public record Options(Duration timeout, boolean bookmarks, boolean markInitialEnd) {}

  private final ObjectWatch watch;
  private final AtomicReference<Runnable> waker;

  /**
   * A watch that has begun.
   *
   * @param watch the events; its waker is {@code waker}'s content
   * @param waker where the body puts what is to be run when there is more to poll
   */
  public WatchBody(
      ObjectWatch watch, AtomicReference<Runnable> waker, WatchEncoder frames, Options options) {
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

  /** The state of one watch while it is sent. */
  private final class Sending {
    private final Channel channel;
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
     * Sends what there is, a bounded part of it at a time, so that other connections of the loop
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
      }
      ApiException end = batch.end();
      if (end != null) {
        frames.error(end).ifPresent(events::add);
      }
      if (!events.isEmpty()) {
        channel.write(events);
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

    /** The error of a watch that has lost events waits for the client to take what is before it. */
    private void cutIfFull() {
      if (!over && channel.full()) {
        cut();
      }
    }

    /** Looks after the watch from time to time: whether it still gets on, and how far. */
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

    /** Tells how far the watch has come, if that is news and everything before it has been sent. */
    private void bookmark() {
      turn();
      if (!over && initialDone && !turnPlanned && !channel.full() && revision > bookmarked) {
        bookmarked = revision;
        channel.write(List.of(frames.bookmark(revision)));
      }
    }

    /** The client does not take what waits for it: an orderly end would wait with the rest. */
    private void cut() {
      close();
      channel.cut();
    }

    private void finish() {
      if (!over) {
        if (options.bookmarks && initialDone && !channel.full() && revision > 0) {
          turn();
          channel.write(List.of(frames.bookmark(revision)));
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
