package dev.keelson.http.connection.limit;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Counts the open connections on which nobody was authenticated yet, so that clients without
 * credentials cannot hold all of the server's memory: those of one address, and all together. An
 * address with too many gets no more. When there are too many of all addresses, the oldest ends: a
 * client with credentials is a stranger for one handshake, so it does not wait behind a crowd. The
 * addresses of an IPv6 network of 64 bits count as one, since one host may have them all (RFC 4291,
 * section 2.5.1). Safe for use by several threads.
 */
public final class Strangers {

  /** A connection with TLS takes about a quarter of this. */
  private static final long BYTES = 256 * 1024;

  private static final int LEAST = 256;

  /** How many addresses may have their most at a time. */
  private static final int CROWD = 2;

  private final int most;
  private final int mostTogether;

  /** An IPv4 address, or the first 64 bits of an IPv6 address. */
  private record Host(boolean network, long bits) {}

  /** A connection without an authenticated request. */
  public interface Stranger {

    /** Ends the connection soon. Called by any thread; must not block. */
    void giveWay();
  }

  /** Guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Map<Host, Integer> open = new HashMap<>();

  /** In the order in which they came. */
  private final LinkedHashMap<Stranger, Host> all = new LinkedHashMap<>();

  /** At most {@code most} connections of one address, and {@code mostTogether} of all. */
  public Strangers(int most, int mostTogether) {
    this.most = most;
    this.mostTogether = mostTogether;
  }

  /**
   * Of one address as many as take a quarter of the memory of this process, at least 256; twice as
   * many of all.
   */
  public static Strangers ofMemory() {
    long fitting = Runtime.getRuntime().maxMemory() / BYTES;
    int most = Math.clamp(fitting, LEAST, Integer.MAX_VALUE / CROWD);
    return new Strangers(most, CROWD * most);
  }

  /** Counts a connection; false if its address has too many. */
  public boolean enter(InetAddress address, Stranger connection) {
    Host host = host(address);
    Stranger oldest = null;
    lock.lock();
    try {
      if (open.getOrDefault(host, 0) >= most) {
        return false;
      }
      if (all.size() >= mostTogether) {
        oldest = all.firstEntry().getKey();
        remove(oldest);
      }
      int unused = open.merge(host, 1, Integer::sum);
      all.put(connection, host);
    } finally {
      lock.unlock();
    }
    if (oldest != null) {
      oldest.giveWay();
    }
    return true;
  }

  /** Forgets a connection that was closed or authenticated. */
  public void leave(Stranger connection) {
    lock.lock();
    try {
      remove(connection);
    } finally {
      lock.unlock();
    }
  }

  private void remove(Stranger connection) {
    Host host = all.remove(connection);
    if (host != null) {
      @Nullable Integer unused =
          open.computeIfPresent(host, (_, count) -> count > 1 ? count - 1 : null);
    }
  }

  /** The connections of an address. */
  public int of(InetAddress address) {
    lock.lock();
    try {
      return open.getOrDefault(host(address), 0);
    } finally {
      lock.unlock();
    }
  }

  private static Host host(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    return address instanceof Inet6Address
        ? new Host(true, bytes.getLong())
        : new Host(false, bytes.getInt());
  }
}
