package dev.keelson.http.media;

import dev.keelson.api.ApiException;
import dev.keelson.http.Body;
import dev.keelson.http.Payload;
import dev.keelson.registry.ObjectEvent;
import dev.keelson.registry.ObjectWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sends a watch: its objects, its changes and its bookmarks, as fast as the client takes them.
 *
 * <p>Lives on one event loop. The watch wakes it from other threads, once until it polls again.
 */
public final class WatchBody implements Body.Live {

  private static final int EVENTS_A_TURN = 256;
  private static final Duration BOOKMARK_INTERVAL = Duration.ofMinutes(1);

  private final WatchFrames frames;
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
      ObjectWatch watch, AtomicReference<Runnable> waker, WatchFrames frames, Options options) {
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

    Sending(Channel channel) {
      this.channel = channel;
    }

    void begin() {
      channel.onGone(this::close);
      channel.onShutdown(this::finish);
      channel.onDrain(this::turn);
      waker.set(() -> channel.execute(this::turn));
      channel.after(options.timeout, this::finish);
      if (options.bookmarks) {
        channel.after(BOOKMARK_INTERVAL, this::bookmark);
      }
      turn();
    }

    /**
     * Sends what there is, a bounded part of it at a time, so that other connections of the loop
     * get their turn.
     */
    private void turn() {
      if (over || turnPlanned || channel.full()) {
        return;
      }
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

    /** Tells how far the watch has come, if that is news and everything before it has been sent. */
    private void bookmark() {
      if (over) {
        return;
      }
      turn();
      if (!over && initialDone && !turnPlanned && !channel.full() && revision > bookmarked) {
        bookmarked = revision;
        channel.write(List.of(frames.bookmark(revision)));
      }
      channel.after(BOOKMARK_INTERVAL, this::bookmark);
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
