package dev.keelson.http.connection.limit;

import io.vertx.core.Future;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the memory of responses that clients do not read: of HTTP/2 every stream may have one, and
 * a window of one byte keeps it for as long as the client likes (RFC 9113, section 10.5). When all
 * connections together hold too much, the one that holds most ends. Safe for use by several
 * threads.
 *
 * <p>A long-running response stops to take events while its client does not read them; what it has
 * taken counts: 64 KiB each, with the windows that clients grant by default.
 */
public final class UnreadResponses {

  /**
   * What a response of a few bytes keeps while it is not sent: the state of its request, and the
   * buffer of a TLS record.
   */
  public static final int LEAST_BYTES = 20 * 1024;

  /**
   * A connection that holds less, one response at most, is never ended, nor found by the search for
   * the largest: the number of connections is bounded elsewhere.
   */
  private static final int LARGE = 2 * LEAST_BYTES;

  private static final long LEAST = 32L * 1024 * 1024;

  private final long most;
  private final AtomicLong used = new AtomicLong();

  /** The connections that hold at least {@link #LARGE}. */
  private final Set<Connection> large = ConcurrentHashMap.newKeySet();

  /** At most {@code most} bytes of all connections. */
  public UnreadResponses(long most) {
    this.most = most;
  }

  /** A quarter of the memory of this process, at least 32 MiB. */
  public static UnreadResponses ofMemory() {
    return new UnreadResponses(Math.max(LEAST, Runtime.getRuntime().maxMemory() / 4));
  }

  /** The bytes that are held by all connections. */
  public long used() {
    return used.get();
  }

  private void endLargest() {
    large.stream().max(Comparator.comparingLong(Connection::held)).ifPresent(Connection::giveWay);
  }

  /** What one connection holds. */
  public final class Connection {

    /** What makes the sum negative for good. */
    private static final long OVER = Long.MIN_VALUE / 2;

    private final Runnable end;

    /** Negative when the connection is over. */
    private final AtomicLong bytes = new AtomicLong();

    /**
     * @param end ends the connection soon; called by any thread, must not block
     */
    public Connection(Runnable end) {
      this.end = end;
    }

    private long held() {
      return bytes.get();
    }

    /**
     * Counts bytes until they are sent.
     *
     * @param sent completes when they are, or when they cannot be
     */
    public void hold(long count, Future<Void> sent) {
      if (!sent.isComplete()) {
        add(count);
        var unused = sent.onComplete(done -> add(-count));
      }
    }

    private void add(long count) {
      long now = bytes.addAndGet(count);
      if (now < 0) {
        return;
      }
      boolean isLarge = now >= LARGE;
      if (isLarge != now - count >= LARGE) {
        boolean unused = isLarge ? large.add(this) : large.remove(this);
      }
      if (used.addAndGet(count) > most) {
        endLargest();
      }
    }

    /** The connection is closed: it holds nothing more. */
    public void closed() {
      boolean unused = over();
    }

    private void giveWay() {
      if (over()) {
        end.run();
      }
    }

    /** False if it was over before. */
    private boolean over() {
      long held = bytes.getAndSet(OVER);
      boolean unused = large.remove(this);
      if (held < 0) {
        return false;
      }
      long unusedToo = used.addAndGet(-held);
      return true;
    }
  }

  /**
   * Counts bytes of a response until they are sent.
   *
   * @param connection null for one that was not accepted by the listener
   */
  public static void hold(@Nullable Connection connection, long count, Future<Void> sent) {
    if (connection != null) {
      connection.hold(count, sent);
    }
  }
}
