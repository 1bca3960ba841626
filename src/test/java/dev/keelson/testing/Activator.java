package dev.keelson.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Starts a server when the first connection comes, as a serverless platform does, and passes the
 * connections on to its port for plain HTTP. {@link #scaleToZero} ends the server.
 */
public final class Activator implements AutoCloseable {

  private final Path dataDirectory;
  private final List<String> flags;
  private final int port = FreePort.find();
  private final ServerSocket listener;
  private @Nullable KeelsonProcess server;

  private Activator(Path dataDirectory, List<String> flags) throws IOException {
    this.dataDirectory = dataDirectory;
    this.flags = new ArrayList<>(flags);
    this.flags.add("--http-port=" + port);
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  /**
   * Listens; nothing runs yet.
   *
   * @param flags of the server, besides --http-port
   */
  public static Activator listen(Path dataDirectory, List<String> flags) throws IOException {
    Activator activator = new Activator(dataDirectory, flags);
    Thread unused = Thread.ofPlatform().daemon().name("activator").start(activator::accept);
    return activator;
  }

  /** The address that clients connect to. */
  public URI address() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Thread unused = Thread.ofPlatform().daemon().start(() -> pass(client));
      }
    } catch (SocketException closed) {
      // the listener is closed
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void pass(Socket client) {
    activate();
    try (client;
        Socket instance = new Socket(InetAddress.getLoopbackAddress(), port)) {
      Thread back = Thread.ofPlatform().daemon().start(() -> copy(instance, client));
      copy(client, instance);
      back.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void activate() {
    if (server == null) {
      server = KeelsonProcess.start(dataDirectory, flags);
    }
  }

  /** Ends the server, if it runs. */
  public synchronized void scaleToZero() {
    if (server != null) {
      server.close();
      server = null;
    }
  }

  /** Whether a server runs. */
  public synchronized boolean isActive() {
    return server != null;
  }

  private static void copy(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] some = new byte[16 * 1024];
      int read = in.read(some);
      while (read >= 0) {
        out.write(some, 0, read);
        out.flush();
        read = in.read(some);
      }
      to.shutdownOutput();
    } catch (IOException ended) {
      // one of the ends is gone: so is the other one soon
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    scaleToZero();
  }
}
