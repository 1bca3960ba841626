package dev.keelson.http.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Reads the first bytes of a connection: a request without TLS gets an answer that says so (source:
 * Go's net/http, tlsRecordHeaderLooksLikeHTTP). Removes itself then; the handlers behind are those
 * of TLS.
 *
 * <p>Confined to the event loop of the connection.
 */
final class FirstBytes extends ChannelInboundHandlerAdapter {

  /** A TLS connection begins with a record of this type. */
  private static final byte HANDSHAKE = 22;

  private static final int LENGTH = 5;

  private static final Set<String> PLAIN = Set.of("GET /", "HEAD ", "POST ", "PUT /", "OPTIO");

  private static final String ANSWER =
      "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";

  private final DateHeader date;
  private ByteBuf held = Unpooled.EMPTY_BUFFER;
  private boolean refused;

  /**
   * @param date the Date of the responses that the HTTP server would make without one
   */
  FirstBytes(DateHeader date) {
    this.date = date;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      ctx.fireChannelRead(message);
      return;
    }
    if (refused) {
      ReferenceCountUtil.release(message);
      return;
    }
    held = held.isReadable() ? Unpooled.wrappedBuffer(held, bytes) : bytes;
    if (!held.isReadable()) {
      release();
      return;
    }
    if (held.getByte(held.readerIndex()) != HANDSHAKE) {
      if (held.readableBytes() < LENGTH) {
        return;
      }
      String begin = held.toString(held.readerIndex(), LENGTH, StandardCharsets.ISO_8859_1);
      if (PLAIN.contains(begin)) {
        refuse(ctx);
        return;
      }
    }
    pass(ctx);
  }

  private void refuse(ChannelHandlerContext ctx) {
    release();
    refused = true;
    // in front of the handlers of TLS, so that nothing encrypts it
    var unused =
        ctx.writeAndFlush(ByteBufUtil.writeAscii(ctx.alloc(), ANSWER))
            .addListener(ChannelFutureListener.CLOSE);
  }

  private void pass(ChannelHandlerContext ctx) {
    ByteBuf all = held;
    held = Unpooled.EMPTY_BUFFER;
    MalformedRequests.await(ctx.pipeline(), date);
    if (ctx.pipeline().get(MalformedRequests.TLS) != null) {
      TlsRecords.limit(ctx.pipeline(), MalformedRequests.TLS);
    }
    ctx.fireChannelRead(all);
    ctx.pipeline().remove(this);
  }

  private void release() {
    ReferenceCountUtil.release(held);
    held = Unpooled.EMPTY_BUFFER;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    release();
  }
}
