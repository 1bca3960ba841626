package dev.keelson.testing.kubelet;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The streams of a command, named by the header streamType. */
final class SpdyCommandStreams implements CommandStreams, SpdyConnection.Streams {

  private static final List<String> TYPES = List.of("stdin", "stdout", "stderr", "error", "resize");

  private final SpdyConnection connection;
  private final Input input;
  private final int expected;
  private final Runnable complete;
  private final Map<Integer, Integer> channels = new ConcurrentHashMap<>();
  private final Map<Integer, Integer> streams = new ConcurrentHashMap<>();

  /**
   * @param expected how many streams the client opens
   * @param complete runs when it has
   */
  SpdyCommandStreams(NetSocket socket, Vertx vertx, Input input, int expected, Runnable complete) {
    this.connection = new SpdyConnection(socket, socket, vertx, this);
    this.input = input;
    this.expected = expected;
    this.complete = complete;
  }

  void begin() {
    connection.begin();
  }

  @Override
  public void opened(int stream, Map<String, String> headers) {
    int channel = TYPES.indexOf(headers.getOrDefault("streamtype", ""));
    channels.put(stream, channel);
    streams.put(channel, stream);
    if (streams.size() == expected) {
      complete.run();
    }
  }

  @Override
  public void data(int stream, byte[] bytes) {
    input.bytes(channels.getOrDefault(stream, -1), bytes);
  }

  @Override
  public void ended(int stream) {
    input.end(channels.getOrDefault(stream, -1));
  }

  @Override
  public void gone() {
    input.gone();
  }

  @Override
  public void send(int channel, byte[] bytes) {
    Integer stream = streams.get(channel);
    if (stream != null) {
      connection.send(stream, bytes);
    }
  }

  @Override
  public void end(int channel) {
    Integer stream = streams.get(channel);
    if (stream != null) {
      connection.end(stream);
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
