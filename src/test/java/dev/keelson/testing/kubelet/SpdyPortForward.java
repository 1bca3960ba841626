package dev.keelson.testing.kubelet;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Port forward by SPDY: each connection of the client is a pair of streams with one requestID, an
 * error stream that the client ends at once, and a data stream.
 */
final class SpdyPortForward implements SpdyConnection.Streams {

  private final SpdyConnection connection;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Integer> errors = new ConcurrentHashMap<>();
  private final Map<Integer, Forwarded> data = new ConcurrentHashMap<>();

  /** A connection to a port of this host, and the order of what is written to it. */
  private record Forwarded(@Nullable Socket socket, ExecutorService writer) {}

  SpdyPortForward(ReadStream<Buffer> in, WriteStream<Buffer> out, Vertx vertx) {
    connection = new SpdyConnection(in, out, vertx, this);
  }

  void begin() {
    connection.begin();
  }

  @Override
  public void opened(int stream, Map<String, String> headers) {
    String request = headers.getOrDefault("requestid", "");
    if ("error".equals(headers.get("streamtype"))) {
      errors.put(request, stream);
      return;
    }
    ExecutorService writer = Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());
    int port = Integer.parseInt(headers.getOrDefault("port", "0"));
    int error = errors.getOrDefault(request, -1);
    try {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      data.put(stream, new Forwarded(socket, writer));
      var unused = threads.submit(() -> pump(socket, stream, error));
    } catch (IOException e) {
      data.put(stream, new Forwarded(null, writer));
      var unused = threads.submit(() -> refuse(stream, error, port));
    }
  }

  private boolean pump(Socket socket, int stream, int error) throws IOException {
    InputStream from = socket.getInputStream();
    byte[] part = new byte[32_768];
    for (int read = from.read(part); read >= 0; read = from.read(part)) {
      connection.send(stream, Arrays.copyOf(part, read));
    }
    connection.end(stream);
    connection.end(error);
    return true;
  }

  private boolean refuse(int stream, int error, int port) {
    connection.send(error, ("cannot forward to port " + port).getBytes(StandardCharsets.UTF_8));
    connection.end(error);
    connection.end(stream);
    return true;
  }

  @Override
  public void data(int stream, byte[] bytes) {
    Forwarded forwarded = data.get(stream);
    if (forwarded != null && forwarded.socket != null) {
      Socket socket = forwarded.socket;
      var unused =
          forwarded.writer.submit(
              () -> {
                socket.getOutputStream().write(bytes);
                return true;
              });
    }
  }

  @Override
  public void ended(int stream) {
    Forwarded forwarded = data.get(stream);
    if (forwarded != null && forwarded.socket != null) {
      Socket socket = forwarded.socket;
      var unused =
          forwarded.writer.submit(
              () -> {
                socket.shutdownOutput();
                return true;
              });
    }
  }

  @Override
  public void gone() {
    for (Forwarded forwarded : data.values()) {
      Socket socket = forwarded.socket;
      if (socket != null) {
        var unused =
            forwarded.writer.submit(
                () -> {
                  socket.close();
                  return true;
                });
      }
    }
  }
}
