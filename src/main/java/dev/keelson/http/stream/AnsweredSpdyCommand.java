package dev.keelson.http.stream;

import dev.keelson.http.Body;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command that this server answers itself over SPDY. The client opens its streams in the order of
 * {@link Channels#open} and waits for the reply to each; once all are open, the output and the
 * status are sent. Confined to the event loop of the connection.
 */
final class AnsweredSpdyCommand implements Body.Upgraded, SpdyReader.Sink {

  private final Channels channels;
  private final Buffer output;
  private final Buffer status;
  private final int[] streams = new int[Channels.COUNT];
  private final SpdyReader reader = new SpdyReader(this);
  private int opened;
  private @Nullable NetSocket client;

  AnsweredSpdyCommand(Channels channels, Buffer output, Buffer status) {
    this.channels = channels;
    this.output = output;
    this.status = status;
  }

  @Override
  public void take(NetSocket connection) {
    client = connection;
    Sockets.watch(connection);
    connection.handler(reader::add);
    connection.resume();
  }

  @Override
  public void abandon() {
    // nothing is held
  }

  @Override
  public void opened(int stream) {
    List<Integer> open = channels.open();
    if (opened == open.size()) {
      send(SpdyFrames.refuse(stream));
      return;
    }
    streams[open.get(opened)] = stream;
    send(SpdyFrames.reply(stream, opened == 0));
    opened++;
    if (opened == open.size()) {
      finish();
    }
  }

  private void finish() {
    NetSocket to = client;
    if (to == null) {
      return;
    }
    Buffer all = Buffer.buffer();
    int stdout = streams[Channels.STDOUT];
    if (stdout > 0) {
      all.appendBuffer(SpdyFrames.data(stdout, output)).appendBuffer(SpdyFrames.end(stdout));
    }
    int stderr = streams[Channels.STDERR];
    if (stderr > 0) {
      all.appendBuffer(SpdyFrames.end(stderr));
    }
    int error = streams[Channels.ERROR];
    all.appendBuffer(SpdyFrames.data(error, status)).appendBuffer(SpdyFrames.end(error));
    Sockets.finish(to, all);
  }

  private void send(Buffer frame) {
    NetSocket to = client;
    if (to != null) {
      Sockets.pass(to, frame, null);
    }
  }

  @Override
  public void data(int stream, Buffer bytes) {
    // the input of a command that does not run
  }

  @Override
  public void ended(int stream) {
    // only the input and the sizes of a terminal come from the client
  }

  @Override
  public void ping(int id) {
    send(SpdyFrames.ping(id));
  }
}
