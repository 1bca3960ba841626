package dev.keelson.testing.kubelet;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.netty.handler.codec.spdy.DefaultSpdyPingFrame;
import io.netty.handler.codec.spdy.DefaultSpdySynReplyFrame;
import io.netty.handler.codec.spdy.SpdyDataFrame;
import io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.netty.handler.codec.spdy.SpdyPingFrame;
import io.netty.handler.codec.spdy.SpdyRstStreamFrame;
import io.netty.handler.codec.spdy.SpdySynReplyFrame;
import io.netty.handler.codec.spdy.SpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyVersion;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.util.Map;
import java.util.TreeMap;

/** The server's side of a SPDY/3.1 connection, by Netty's codec. */
final class SpdyConnection {

  /** Takes what the client sends, on the event loop. */
  interface Streams {

    /** A stream is opened; its headers have lower-case names. */
    void opened(int stream, Map<String, String> headers);

    /** Data of a stream. */
    void data(int stream, byte[] bytes);

    /** The client sends no more on a stream, or has reset it. */
    void ended(int stream);

    /** The connection is gone. */
    void gone();
  }

  private final ReadStream<Buffer> in;
  private final WriteStream<Buffer> out;
  private final Context context;
  private final Streams streams;

  /** Confined to the event loop. */
  private final EmbeddedChannel codec =
      new EmbeddedChannel(new SpdyFrameCodec(SpdyVersion.SPDY_3_1));

  /**
   * @param in the connection, or the messages of a WebSocket
   * @param out the same
   */
  SpdyConnection(ReadStream<Buffer> in, WriteStream<Buffer> out, Vertx vertx, Streams streams) {
    this.in = in;
    this.out = out;
    this.context = vertx.getOrCreateContext();
    this.streams = streams;
  }

  /** Begins to read; on the event loop. */
  void begin() {
    var unused = in.handler(this::receive);
    unused = in.endHandler(closed -> streams.gone());
    unused = in.resume();
  }

  private void decode(Buffer bytes) {
    boolean unused = codec.writeInbound(Unpooled.wrappedBuffer(bytes.getBytes()));
  }

  private void receive(Buffer bytes) {
    decode(bytes);
    for (Object frame = codec.readInbound(); frame != null; frame = codec.readInbound()) {
      take(frame);
      var unused = ReferenceCountUtil.release(frame);
    }
  }

  private void take(Object frame) {
    switch (frame) {
      case SpdySynStreamFrame open -> {
        Map<String, String> headers = new TreeMap<>();
        open.headers()
            .forEach(each -> headers.put(each.getKey().toString(), each.getValue().toString()));
        SpdySynReplyFrame reply = new DefaultSpdySynReplyFrame(open.streamId());
        // without one, the codec sends no header block, which is not allowed
        reply.headers().set("status", "200");
        var unused = write(reply);
        streams.opened(open.streamId(), headers);
        if (open.isLast()) {
          streams.ended(open.streamId());
        }
      }
      case SpdyDataFrame data -> {
        if (data.content().isReadable()) {
          byte[] bytes = new byte[data.content().readableBytes()];
          data.content().readBytes(bytes);
          streams.data(data.streamId(), bytes);
        }
        if (data.isLast()) {
          streams.ended(data.streamId());
        }
      }
      case SpdyRstStreamFrame reset -> streams.ended(reset.streamId());
      case SpdyPingFrame ping -> {
        var unused = write(new DefaultSpdyPingFrame(ping.id()));
      }
      default -> {
        // nothing that a kubelet acts on
      }
    }
  }

  private void encode(Object frame) {
    boolean unused = codec.writeOutbound(frame);
  }

  /** On the event loop. */
  private Future<Void> write(Object frame) {
    encode(frame);
    Buffer bytes = Buffer.buffer();
    for (ByteBuf part = codec.readOutbound(); part != null; part = codec.readOutbound()) {
      byte[] array = new byte[part.readableBytes()];
      part.readBytes(array);
      bytes.appendBytes(array);
      var unused = part.release();
    }
    return out.write(bytes);
  }

  private Future<Void> sent(Object frame) {
    Promise<Void> done = Promise.promise();
    context.runOnContext(onLoop -> write(frame).onComplete(done));
    return done.future();
  }

  /** Sends data; any thread but the event loop. */
  void send(int stream, byte[] bytes) {
    Waiting.on(sent(new DefaultSpdyDataFrame(stream, Unpooled.wrappedBuffer(bytes))));
  }

  /** Ends what this side sends on a stream; any thread but the event loop. */
  void end(int stream) {
    Waiting.on(sent(new DefaultSpdyDataFrame(stream).setLast(true)));
  }

  void close() {
    Waiting.on(out.end());
  }
}
