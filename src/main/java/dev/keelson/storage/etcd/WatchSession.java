package dev.keelson.storage.etcd;

import dev.keelson.storage.KeyRange;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One jetcd watcher from its creation to its first error, and the responses that the reader has not
 * taken yet. jetcd resumes a watcher on its own and can lose events then, so any error ends the
 * session: it accepts no more responses and closes the watcher.
 *
 * <p>jetcd calls the listener on its event loop: nothing here waits there, and the watcher is
 * closed on a thread of its own.
 */
final class WatchSession implements Watch.Listener {

  /** Why a session ended. */
  sealed interface End {
    /** The buffer for the reader is full. */
    record Overflow() implements End {}

    /** The watcher failed, or was closed from the other side. */
    record Broken(Throwable reason) implements End {}

    /** The feed was closed. */
    record Closed() implements End {}
  }

  private final Link link;
  private final int mostChanges;
  private final long mostBytes;
  private final long openedNanos = System.nanoTime();

  // guards everything below
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<WatchResponse> waiting = new ArrayDeque<>();
  private int changes;
  private long bytes;
  private boolean created;
  private @Nullable End end;
  private Watch.@Nullable Watcher watcher;

  private WatchSession(Link link, EtcdOptions options) {
    this.link = link;
    mostChanges = options.feedChanges();
    mostBytes = options.feedBytes();
  }

  /**
   * Begins a watch of {@code range} from {@code startRevision} on. Does not wait for etcd.
   *
   * @param startRevision positive: with 0, etcd and jetcd choose for themselves
   */
  static WatchSession open(Link link, EtcdOptions options, KeyRange range, long startRevision) {
    WatchSession session = new WatchSession(link, options);
    WatchOption option =
        WatchOption.builder()
            .withRange(Wire.end(range))
            .withRevision(startRevision)
            .withPrevKV(true)
            .withCreateNotify(true)
            .withRequireLeader(true)
            .build();
    try {
      session.attach(link.watch.watch(Wire.start(range), option, session));
    } catch (EtcdException e) {
      // the client was closed meanwhile
      session.end(new End.Broken(e));
    }
    return session;
  }

  Link link() {
    return link;
  }

  private void attach(Watch.Watcher opened) {
    lock.lock();
    try {
      if (end == null) {
        watcher = opened;
        return;
      }
    } finally {
      lock.unlock();
    }
    opened.close();
  }

  // ---- by jetcd's event loop

  @Override
  public void onNext(WatchResponse response) {
    lock.lock();
    try {
      if (end != null) {
        return;
      }
      if (changes < mostChanges && bytes < mostBytes) {
        changes += response.getEvents().size();
        bytes += size(response);
        waiting.add(response);
        created |= response.isCreatedNotify();
        changed.signalAll();
        return;
      }
    } finally {
      lock.unlock();
    }
    end(new End.Overflow());
  }

  @Override
  public void onError(Throwable failure) {
    end(new End.Broken(failure));
  }

  @Override
  public void onCompleted() {
    end(new End.Broken(new IllegalStateException("etcd ended the watch")));
  }

  private static long size(WatchResponse response) {
    long size = 0;
    for (WatchEvent event : response.getEvents()) {
      size += Wire.size(event);
    }
    return size;
  }

  // ---- by anyone

  /** Ends the session unless it has ended. What was taken before can still be read. */
  void end(End reason) {
    Watch.Watcher closing;
    lock.lock();
    try {
      if (end != null) {
        return;
      }
      end = reason;
      closing = watcher;
      watcher = null;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (closing != null) {
      // jetcd's lock for this is held while it opens watchers
      Thread.ofVirtual().name("etcd-watch-close").start(closing::close);
    }
  }

  // ---- by the reader

  /**
   * Waits for a response.
   *
   * @return the response, or null if none came within {@code nanos} or none will come
   */
  @Nullable WatchResponse take(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (waiting.isEmpty() && end == null && left > 0) {
        left = changed.awaitNanos(left);
      }
      WatchResponse response = waiting.poll();
      if (response != null) {
        changes -= response.getEvents().size();
        bytes -= size(response);
      }
      return response;
    } finally {
      lock.unlock();
    }
  }

  /** Why the session ended, once everything that came before has been taken; else null. */
  @Nullable End ended() {
    lock.lock();
    try {
      return waiting.isEmpty() ? end : null;
    } finally {
      lock.unlock();
    }
  }

  /** Whether etcd has said that it watches. */
  boolean created() {
    lock.lock();
    try {
      return created;
    } finally {
      lock.unlock();
    }
  }

  /** How many changes wait for the reader. */
  int waitingChanges() {
    lock.lock();
    try {
      return changes;
    } finally {
      lock.unlock();
    }
  }

  long ageNanos() {
    return System.nanoTime() - openedNanos;
  }

  /** Asks etcd how far this watch has got. */
  void requestProgress() {
    Watch.Watcher asked;
    lock.lock();
    try {
      asked = watcher;
    } finally {
      lock.unlock();
    }
    if (asked != null) {
      try {
        asked.requestProgress();
      } catch (IllegalStateException e) {
        // gRPC's way to say that the stream ended meanwhile
        end(new End.Broken(e));
      }
    }
  }
}
