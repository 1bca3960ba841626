package dev.keelson.http.stream;

import dev.keelson.http.Body;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Exec and attach between a client that speaks {@code v5.channel.k8s.io} over WebSocket and a
 * kubelet that speaks SPDY (source: {@code StreamTranslatorHandler} of apiserver). Confined to the
 * event loop of both connections.
 */
public final class TranslatedStreams
    implements Body.Upgraded, WebSocketReader.Sink, SpdyReader.Sink {

  /*
   * Each channel of the client is a stream of the kubelet; the kubelet's streams have the odd
   * numbers from 1. Bytes pass as they come: a connection that does not take them pauses the other.
   * The client half-closes a channel by the channel 255, the kubelet by FIN.
   *
   * The command is over when stdout, stderr and the error stream have ended. Then its status, which
   * came by the error stream, is the last message, as it would be if the output and the status came
   * on one stream. A connection to the kubelet that breaks before it has ended the error stream is
   * an error, not a success.
   */

  /** The subprotocol that has half-closes. */
  public static final String PROTOCOL = "v5.channel.k8s.io";

  private static final Logger LOG = Logger.getLogger(TranslatedStreams.class);
  private static final byte[] SUCCESS =
      "{\"metadata\":{},\"status\":\"Success\"}".getBytes(StandardCharsets.UTF_8);

  /** A Status with all its causes is shorter. */
  private static final int MOST_STATUS = 1 << 20;

  /** The Status of a kubelet's connection that broke. */
  private final byte[] broken;

  private final NetSocket server;
  private final Buffer first;
  private final Channels channels;
  private final int[] streams = new int[Channels.COUNT];
  private final boolean[] ended = new boolean[Channels.COUNT];
  private final Buffer status = Buffer.buffer();
  private final WebSocketReader fromClient = new WebSocketReader(this);
  private final SpdyReader fromServer = new SpdyReader(this);
  private @Nullable NetSocket client;

  /** The channel of the message that is being read. */
  private int channel;

  private boolean over;

  /**
   * @param server the connection to the kubelet, paused
   * @param first what it has sent already
   * @param broken the Status if its connection breaks
   */
  public TranslatedStreams(NetSocket server, Buffer first, Channels channels, byte[] broken) {
    this.server = server;
    this.first = first;
    this.channels = channels;
    this.broken = broken.clone();
  }

  @Override
  public void take(NetSocket connection) {
    client = connection;
    List<Integer> open = channels.open();
    for (int i = 0; i < open.size(); i++) {
      int each = open.get(i);
      streams[each] = 2 * i + 1;
      toServer(SpdyFrames.open(streams[each], "streamtype", Channels.type(each), i == 0));
    }
    connection.handler(this::receive);
    Sockets.watch(connection);
    connection.closeHandler(gone -> clientGone());
    Sockets.watch(server);
    // after what was read before, also while it is paused
    server.endHandler(end -> serverGone());
    server.handler(fromServer::add);
    fromServer.add(first);
    server.resume();
    connection.resume();
  }

  @Override
  public void abandon() {
    Sockets.close(server);
  }

  private void receive(Buffer bytes) {
    try {
      fromClient.add(bytes);
    } catch (IOException e) {
      LOG.debugf("event=websocket-refused error=%s", e.getMessage());
      finish(WebSocketFrames.close(WebSocketFrames.PROTOCOL_ERROR));
    }
  }

  @Override
  public void part(Buffer bytes, boolean begins) {
    Buffer data = bytes;
    if (begins) {
      channel = bytes.getUnsignedByte(0);
      data = bytes.getBuffer(1, bytes.length());
    }
    if (data.length() == 0 || over) {
      return;
    }
    if (channel == Channels.CLOSE) {
      endFromClient(data.getUnsignedByte(0));
    } else if (takes(channel)) {
      toServer(SpdyFrames.data(streams[channel], data));
    }
  }

  /** Whether the client may send on a channel; what it sends on others is ignored. */
  private boolean takes(int asked) {
    return (asked == Channels.STDIN || asked == Channels.RESIZE)
        && streams[asked] > 0
        && !ended[asked];
  }

  private void endFromClient(int asked) {
    if (takes(asked)) {
      ended[asked] = true;
      toServer(SpdyFrames.end(streams[asked]));
    }
  }

  @Override
  public void ping(Buffer payload) {
    toClient(WebSocketFrames.pong(payload));
  }

  @Override
  public void closed() {
    finish(WebSocketFrames.close(WebSocketFrames.NORMAL));
  }

  @Override
  public void data(int stream, Buffer bytes) {
    int from = channelOf(stream);
    if (from == Channels.ERROR) {
      if (status.length() + bytes.length() <= MOST_STATUS) {
        status.appendBuffer(bytes);
      }
    } else if (from == Channels.STDOUT || from == Channels.STDERR) {
      toClient(WebSocketFrames.binary(from, bytes));
    }
  }

  private int channelOf(int stream) {
    for (int i = 0; i < streams.length; i++) {
      if (streams[i] == stream && stream > 0) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public void ended(int stream) {
    int which = channelOf(stream);
    if (which >= 0) {
      ended[which] = true;
      if (isEnded(Channels.STDOUT) && isEnded(Channels.STDERR) && isEnded(Channels.ERROR)) {
        tell(status.length() == 0 ? SUCCESS : status.getBytes());
      }
    }
  }

  private boolean isEnded(int which) {
    return streams[which] == 0 || ended[which];
  }

  @Override
  public void opened(int stream) {
    toServer(SpdyFrames.refuse(stream));
  }

  @Override
  public void ping(int id) {
    toServer(SpdyFrames.ping(id));
  }

  private void serverGone() {
    // the status may be there without the ends of the streams
    tell(status.length() == 0 ? broken : status.getBytes());
  }

  /** The last message. */
  private void tell(byte[] last) {
    finish(
        WebSocketFrames.binary(Channels.ERROR, Buffer.buffer(last))
            .appendBuffer(WebSocketFrames.close(WebSocketFrames.NORMAL)));
  }

  private void finish(Buffer last) {
    NetSocket to = client;
    if (over || to == null) {
      return;
    }
    over = true;
    Sockets.close(server);
    Sockets.finish(to, last);
  }

  private void clientGone() {
    over = true;
    Sockets.close(server);
  }

  private void toServer(Buffer frame) {
    Sockets.pass(server, frame, client);
  }

  private void toClient(Buffer frame) {
    NetSocket to = client;
    if (to != null && !over) {
      Sockets.pass(to, frame, server);
    }
  }
}
