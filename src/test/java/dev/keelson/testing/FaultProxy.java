package dev.keelson.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

/**
 * A TCP proxy on a free port of the loopback address that injects network faults: reset,
 * half-close, blocked or delayed traffic, and rejected connections. Faults may be set from any
 * thread.
 */
public final class FaultProxy implements AutoCloseable {

  /** The direction of traffic. */
  public enum Way {
    TO_SERVER,
    TO_CLIENT
  }

  private final IntSupplier targetPort;
  private final ServerSocket listener;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

  // guards the three below, which pumps wait for
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean heldToServer;
  private boolean heldToClient;
  private Duration delay = Duration.ZERO;

  private volatile boolean refusing;

  private FaultProxy(IntSupplier targetPort, ServerSocket listener) {
    this.targetPort = targetPort;
    this.listener = listener;
  }

  /** Listens, and forwards connections to {@code targetPort} of the loopback address. */
  public static FaultProxy to(int targetPort) {
    return to(() -> targetPort);
  }

  /**
   * The same for a target whose port may change.
   *
   * @param targetPort is asked for each connection
   */
  public static FaultProxy to(IntSupplier targetPort) {
    try {
      ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
      FaultProxy proxy = new FaultProxy(targetPort, listener);
      Thread.ofVirtual().name("proxy-accept").start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The port of the proxy. */
  public URI endpoint(String scheme) {
    return URI.create(scheme + "://127.0.0.1:" + listener.getLocalPort());
  }

  // ---- faults

  /** Resets all connections. */
  public void cut() {
    connections.forEach(Connection::cut);
  }

  /** Resets all connections and, until {@link #admit}, every new one. */
  public void refuse() {
    refusing = true;
    cut();
  }

  /** Accepts new connections again. */
  public void admit() {
    refusing = false;
  }

  /** Half-closes all connections in one direction. */
  public void halfClose(Way way) {
    connections.forEach(connection -> connection.halfClose(way));
  }

  /** Blocks one direction of all connections until {@link #release}. */
  public void hold(Way way) {
    hold(way, true);
  }

  /** Unblocks both directions. */
  public void release() {
    hold(Way.TO_SERVER, false);
    hold(Way.TO_CLIENT, false);
  }

  private void hold(Way way, boolean held) {
    lock.lock();
    try {
      switch (way) {
        case TO_SERVER -> heldToServer = held;
        case TO_CLIENT -> heldToClient = held;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Blocks existing connections permanently and forwards new ones. */
  public void stall() {
    connections.forEach(Connection::stall);
  }

  /** Delays traffic by {@code time}; zero ends the delay. */
  public void delay(Duration time) {
    lock.lock();
    try {
      delay = time;
    } finally {
      lock.unlock();
    }
  }

  /** The number of connections. */
  public int connections() {
    return connections.size();
  }

  // ---- the work

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        if (refusing) {
          reset(client);
        } else {
          open(client);
        }
      }
    } catch (IOException e) {
      // the listener was closed
      cut();
    }
  }

  private void open(Socket client) throws IOException {
    Socket server;
    try {
      server = new Socket(InetAddress.getLoopbackAddress(), targetPort.getAsInt());
    } catch (IOException e) {
      // the target does not listen: the client gets a closed connection
      reset(client);
      return;
    }
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    Connection connection = new Connection(client, server);
    connections.add(connection);
    connection.pump(Way.TO_SERVER);
    connection.pump(Way.TO_CLIENT);
    if (refusing) {
      connection.cut();
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean held(Way way) {
    return switch (way) {
      case TO_SERVER -> heldToServer;
      case TO_CLIENT -> heldToClient;
    };
  }

  private final class Connection {
    private final Socket client;
    private final Socket server;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile boolean stalled;

    Connection(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void pump(Way way) {
      Thread.ofVirtual().name("proxy-" + way).start(() -> run(way));
    }

    private void run(Way way) {
      byte[] buffer = new byte[16 * 1024];
      try {
        while (true) {
          int read = from(way).getInputStream().read(buffer);
          awaitPassage(way);
          if (read < 0) {
            to(way).shutdownOutput();
            return;
          }
          to(way).getOutputStream().write(buffer, 0, read);
        }
      } catch (IOException e) {
        // one end closed, so close the other
        cut();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        cut();
      }
    }

    private void awaitPassage(Way way) throws InterruptedException {
      lock.lock();
      try {
        long until = System.nanoTime() + delay.toNanos();
        while (!over.get()) {
          long left = until - System.nanoTime();
          if (held(way) || stalled) {
            changed.await();
          } else if (left > 0) {
            changed.awaitNanos(left);
          } else {
            return;
          }
        }
      } finally {
        lock.unlock();
      }
    }

    private Socket from(Way way) {
      return way == Way.TO_SERVER ? client : server;
    }

    private Socket to(Way way) {
      return way == Way.TO_SERVER ? server : client;
    }

    void stall() {
      stalled = true;
    }

    void halfClose(Way way) {
      try {
        to(way).shutdownOutput();
      } catch (IOException e) {
        cut();
      }
    }

    void cut() {
      if (over.compareAndSet(false, true)) {
        connections.remove(this);
        reset(client);
        reset(server);
        lock.lock();
        try {
          changed.signalAll();
        } finally {
          lock.unlock();
        }
      }
    }
  }

  @Override
  public void close() {
    refusing = true;
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }
}
