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
 * Reads the first bytes of a connection. Of the listener with TLS: a request without TLS gets an
 * answer that says so (source: Go's net/http, tlsRecordHeaderLooksLikeHTTP). Of the listener
 * without TLS: tells HTTP/1 from HTTP/2, whose clients know that it is served (RFC 9113, section
 * 3.3). Removes itself then.
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

  /** What a connection of HTTP/2 begins with (RFC 9113, section 3.4). */
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** No method of HTTP/1 has so many characters in common with it. */
  private static final int METHOD = 3;

  private static final String BAD_REQUEST =
      "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
          + "Connection: close\r\n\r\n400 Bad Request";

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
    if (ctx.pipeline().get(MalformedRequests.TLS) == null) {
      tellVersion(ctx);
      return;
    }
    if (held.getByte(held.readerIndex()) != HANDSHAKE) {
      if (held.readableBytes() < LENGTH) {
        return;
      }
      String begin = held.toString(held.readerIndex(), LENGTH, StandardCharsets.ISO_8859_1);
      if (PLAIN.contains(begin)) {
        refuse(ctx, ANSWER);
        return;
      }
    }
    pass(ctx);
  }

  /** Waits until the bytes differ from the preface of HTTP/2, or are it. */
  private void tellVersion(ChannelHandlerContext ctx) {
    int length = Math.min(held.readableBytes(), PREFACE.length);
    int same = 0;
    while (same < length && held.getByte(held.readerIndex() + same) == PREFACE[same]) {
      same++;
    }
    if (same == PREFACE.length) {
      forward(ctx);
    } else if (held.getByte(held.readerIndex()) == HANDSHAKE) {
      refuse(ctx, BAD_REQUEST);
    } else if (same < length && same < METHOD) {
      passHttp1(ctx, same + 1);
    } else if (same < length) {
      refuse(ctx, BAD_REQUEST);
    }
  }

  /**
   * The HTTP server adds its handlers at the first byte that is not of the preface.
   *
   * @param first how many bytes it takes to tell
   */
  private void passHttp1(ChannelHandlerContext ctx, int first) {
    ctx.fireChannelRead(held.readRetainedSlice(first));
    MalformedRequests.add(ctx.pipeline(), date);
    forward(ctx);
  }

  private void refuse(ChannelHandlerContext ctx, String answer) {
    release();
    refused = true;
    // in front of the handlers of TLS, so that nothing encrypts it
    var unused =
        ctx.writeAndFlush(ByteBufUtil.writeAscii(ctx.alloc(), answer))
            .addListener(ChannelFutureListener.CLOSE);
  }

  private void pass(ChannelHandlerContext ctx) {
    MalformedRequests.await(ctx.pipeline(), date);
    TlsRecords.limit(ctx.pipeline(), MalformedRequests.TLS);
    forward(ctx);
  }

  private void forward(ChannelHandlerContext ctx) {
    ByteBuf rest = held;
    held = Unpooled.EMPTY_BUFFER;
    if (rest.isReadable()) {
      ctx.fireChannelRead(rest);
    } else {
      rest.release();
    }
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
