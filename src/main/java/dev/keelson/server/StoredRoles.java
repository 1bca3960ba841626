package dev.keelson.server;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.authz.rbac.RoleSource;
import dev.keelson.registry.ObjectForms;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Entry;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.WatchCache;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/**
 * Roles and bindings from the watch cache. Nobody follows them on a thread of their own: whoever
 * needs them next takes what has come. While nothing has, that costs two reads of memory.
 */
final class StoredRoles implements RoleSource, AutoCloseable {

  private static final Logger LOG = Logger.getLogger(StoredRoles.class);

  /** How long a decision waits for a write of this server to come back by the feed. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final MarkedStore marks;
  private final ObjectForms forms;
  private final Map<Kind, FollowedType> types = new EnumMap<>(Kind.class);
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean dirty = true;
  private volatile long caughtUp;
  private volatile Runnable listener = () -> {};

  StoredRoles(
      Map<Kind, StoredType> stored,
      WatchCache cache,
      KeyLayout layout,
      MarkedStore marks,
      ObjectForms forms) {
    this.marks = marks;
    this.forms = forms;
    stored.forEach(
        (kind, type) ->
            types.put(
                kind,
                new FollowedType(
                    type,
                    cache.type(layout.range(type, "").start()),
                    layout.range(type, ""),
                    this::wake)));
  }

  /** Has {@code changed} run, on any thread, whenever there may be something new. */
  void listen(Runnable changed) {
    listener = changed;
  }

  private void wake() {
    dirty = true;
    listener.run();
  }

  @Override
  public void catchUp(Sink sink) {
    long written = marks.lastWrite();
    if (!dirty && written <= caughtUp) {
      return;
    }
    lock.lock();
    try {
      if (dirty || written > caughtUp) {
        await(written);
        dirty = false;
        read(sink);
        caughtUp = Math.max(caughtUp, written);
      }
    } catch (RuntimeException e) {
      dirty = true;
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private void await(long written) {
    try {
      FollowedType any = types.values().iterator().next();
      if (!any.await(written, PATIENCE)) {
        throw new ApiException(
            Reason.SERVER_TIMEOUT,
            "the roles and bindings that were written last cannot be read yet",
            ErrorDetails.NONE.withRetryAfterSeconds(1),
            null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(Reason.TIMEOUT, "the request was interrupted", ErrorDetails.NONE, e);
    }
  }

  private void read(Sink sink) {
    types.forEach((kind, followed) -> followed.read(new Decoding(kind, followed.type(), sink)));
  }

  private final class Decoding implements FollowedType.Reader {
    private final Kind kind;
    private final StoredType type;
    private final Sink sink;

    Decoding(Kind kind, StoredType type, Sink sink) {
      this.kind = kind;
      this.type = type;
      this.sink = sink;
    }

    @Override
    public void clear() {
      sink.clear(kind);
    }

    @Override
    public void put(Entry entry) {
      try {
        sink.put(kind, forms.decode(type, entry.value()));
      } catch (ApiException damaged) {
        // it grants nothing; the others must still count
        LOG.warnf("event=role-unreadable key=%s error=%s", entry.key(), damaged.text());
        forget(entry);
      }
    }

    @Override
    public void remove(Entry last) {
      forget(last);
    }

    private void forget(Entry entry) {
      String[] segments = entry.key().utf8().split("/", -1);
      boolean namespaced = kind == Kind.ROLE || kind == Kind.ROLE_BINDING;
      sink.remove(
          kind, namespaced ? segments[segments.length - 2] : "", segments[segments.length - 1]);
    }
  }

  @Override
  public void close() {
    types.values().forEach(FollowedType::close);
  }
}
