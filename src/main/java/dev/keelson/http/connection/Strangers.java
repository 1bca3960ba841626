package dev.keelson.http.connection;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the open connections of each address on which nobody was authenticated yet, so that one
 * client without credentials cannot hold all of the server's memory. The addresses of an IPv6
 * network of 64 bits count as one, since one host may have them all (RFC 4291, section 2.5.1). Safe
 * for use by several threads.
 */
final class Strangers {

  /** A connection with TLS takes about a quarter of this. */
  private static final long BYTES = 256 * 1024;

  private static final int LEAST = 256;

  private final int most;

  /** An IPv4 address, or the first 64 bits of an IPv6 address. */
  private record Host(boolean network, long bits) {}

  private final ConcurrentHashMap<Host, Integer> open = new ConcurrentHashMap<>();

  /** At most {@code most} connections of one address. */
  Strangers(int most) {
    this.most = most;
  }

  /** As many as take a quarter of the memory of this process, at least 256. */
  static Strangers ofMemory() {
    long fitting = Runtime.getRuntime().maxMemory() / BYTES;
    return new Strangers(Math.clamp(fitting, LEAST, Integer.MAX_VALUE));
  }

  /** Counts a connection; false if its address has too many. */
  boolean enter(InetAddress address) {
    if (open.merge(host(address), 1, Integer::sum) > most) {
      leave(address);
      return false;
    }
    return true;
  }

  /** Forgets a connection that was closed or authenticated. */
  void leave(InetAddress address) {
    Integer unused =
        open.computeIfPresent(host(address), (_, count) -> count > 1 ? count - 1 : null);
  }

  /** The connections of an address. */
  int of(InetAddress address) {
    return open.getOrDefault(host(address), 0);
  }

  private static Host host(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    return address instanceof Inet6Address
        ? new Host(true, bytes.getLong())
        : new Host(false, bytes.getInt());
  }
}
