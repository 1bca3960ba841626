package dev.keelson.testing;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for processes that are told theirs, for example because they must have the same one after a
 * restart.
 *
 * <p>They lie below the range from which Linux gives ports to connections (32768 to 60999 unless
 * {@code net.ipv4.ip_local_port_range} says otherwise): a port of that range that is free now may
 * be one end of a connection when the process begins to listen.
 */
public final class FreePort {

  private static final int FIRST = 10_000;
  private static final int RANGE = 32_768 - FIRST;

  /** The processes of two test runs begin at different places. */
  private static final AtomicInteger NEXT =
      new AtomicInteger((int) Math.floorMod(ProcessHandle.current().pid() * 7_919L, (long) RANGE));

  private FreePort() {}

  /** A port on which nothing listens now, at any address; never the same twice in a process. */
  public static int find() {
    for (int attempt = 0; attempt < RANGE; attempt++) {
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), RANGE);
      try (ServerSocket socket = new ServerSocket(port, 1)) {
        return socket.getLocalPort();
      } catch (IOException taken) {
        // another process listens there: the next one
      }
    }
    throw new AssertionError("no free port from " + FIRST + " to " + (FIRST + RANGE - 1));
  }
}
