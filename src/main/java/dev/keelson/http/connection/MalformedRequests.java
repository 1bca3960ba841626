package dev.keelson.http.connection;

import dev.keelson.http.Expectation;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers HTTP/1 requests that cannot be read as Go's net/http does (source: conn.serve and
 * conn.readRequest): plain text, and the connection ends. The HTTP server would answer with an
 * error page of the framework, or without a body. Adds the Date to responses without one, and ends
 * the connection after the response to a client that waits for 100 and was not sent it: whether its
 * body still comes cannot be known.
 *
 * <p>Between the codec and the HTTP server; confined to the event loop of the connection.
 */
final class MalformedRequests extends ChannelDuplexHandler {

  /** Names that Vert.x gives its handlers. */
  static final String TLS = "ssl";

  private static final String ENCODER = "httpEncoder";

  /** The characters of a Host besides letters and digits (source: httpguts.ValidHostHeader). */
  private static final String HOST_CHARACTERS = "!$%&'()*+,-.:;=[]_~";

  private static final long RESET_DELAY_MILLIS = 500;

  private final DateHeader date;

  /** Requests whose response is not complete. */
  private int open;

  /** The response to a malformed request behind open ones. */
  private @Nullable FullHttpResponse last;

  private boolean ended;

  /** Whether the client of the request that was read last has not been asked for its body. */
  private boolean unasked;

  MalformedRequests(DateHeader date) {
    this.date = date;
  }

  /** Adds this handler when the handshake has decided for HTTP/1. */
  static void await(ChannelPipeline pipeline, DateHeader date) {
    pipeline.addAfter(TLS, null, new AfterHandshake(date));
  }

  /** Adds this handler if the HTTP server has decided for HTTP/1. */
  static void add(ChannelPipeline pipeline, DateHeader date) {
    if (pipeline.get(ENCODER) != null) {
      pipeline.addAfter(ENCODER, null, new MalformedRequests(date));
    }
  }

  /** The HTTP server adds its handlers while it handles the end of the handshake. */
  private static final class AfterHandshake extends ChannelInboundHandlerAdapter {

    private final DateHeader date;

    AfterHandshake(DateHeader date) {
      this.date = date;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      ctx.fireUserEventTriggered(event);
      if (event instanceof SslHandshakeCompletionEvent) {
        add(ctx.pipeline(), date);
        ctx.pipeline().remove(this);
      }
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (ended) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest request) {
      FullHttpResponse refusal = refusal(request);
      if (refusal != null) {
        ReferenceCountUtil.release(message);
        ended = true;
        last = refusal;
        if (open == 0) {
          end(ctx);
        }
        return;
      }
      stayInHttp1(request.headers());
      open++;
      unasked =
          request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0
              && Expectation.isContinue(request.headers().get(HttpHeaderNames.EXPECT, ""));
    }
    if (message instanceof LastHttpContent) {
      unasked = false;
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    boolean interim = false;
    if (message instanceof HttpResponse response) {
      interim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
      if (interim) {
        unasked = false;
      } else {
        complete(response.headers());
      }
    }
    if (interim || !(message instanceof LastHttpContent)) {
      var unused = ctx.write(message, promise);
      return;
    }
    open--;
    if (open == 0 && unasked) {
      ended = true;
      var unused = ctx.write(message, promise.unvoid()).addListener(sent -> endOutput(ctx));
      return;
    }
    var unused = ctx.write(message, promise);
    if (open == 0 && last != null) {
      end(ctx);
    }
  }

  /**
   * Ignores the wish for HTTP/2 without TLS (RFC 9113, section 3.1, has abolished it): behind a
   * proxy that passes it on, a client would reach the server past the proxy.
   */
  private static void stayInHttp1(HttpHeaders headers) {
    if (headers.containsValue(HttpHeaderNames.UPGRADE, "h2c", true)) {
      headers.remove(HttpHeaderNames.UPGRADE).remove("HTTP2-Settings");
    }
  }

  private void complete(HttpHeaders headers) {
    if (!headers.contains(HttpHeaderNames.DATE)) {
      headers.set(HttpHeaderNames.DATE, date.now());
    }
    // it is the last one that was read, since its body is not complete
    if (open == 1 && unasked) {
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
  }

  private void end(ChannelHandlerContext ctx) {
    FullHttpResponse refusal = last;
    last = null;
    if (refusal != null) {
      var unused = ctx.writeAndFlush(refusal).addListener(sent -> endOutput(ctx));
    }
  }

  /**
   * Ends the output now, and the connection later: what the client still sends is read and dropped
   * until then, since a reset would take the response from it (source: closeWriteAndWait of
   * net/http).
   */
  private static void endOutput(ChannelHandlerContext ctx) {
    SslHandler tls = ctx.pipeline().get(SslHandler.class);
    if (tls != null) {
      var unused = tls.closeOutbound();
    }
    var unused =
        ctx.executor()
            .schedule(
                () -> {
                  var unusedToo = ctx.close();
                },
                RESET_DELAY_MILLIS,
                TimeUnit.MILLISECONDS);
  }

  /** The response to a request that cannot be read; null if it can. */
  private @Nullable FullHttpResponse refusal(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return request.decoderResult().cause() instanceof TooLongFrameException
          ? response(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "")
          : response(HttpResponseStatus.BAD_REQUEST, "");
    }
    HttpVersion version = request.protocolVersion();
    if (!isTransferEncoding(request.headers(), version)) {
      return response(
          HttpResponseStatus.NOT_IMPLEMENTED,
          HttpResponseStatus.NOT_IMPLEMENTED.reasonPhrase(),
          "Unsupported transfer encoding");
    }
    if (version.majorVersion() != 1 || version.minorVersion() > 1) {
      return response(
          HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, ": unsupported protocol version");
    }
    if (!isTarget(request.uri(), request.method())) {
      return response(HttpResponseStatus.BAD_REQUEST, "");
    }
    FullHttpResponse host = hostRefusal(request.headers(), version);
    String expected = request.headers().get(HttpHeaderNames.EXPECT, "");
    return host == null && !expected.isEmpty() && !Expectation.isContinue(expected)
        ? expectationFailed()
        : host;
  }

  /** Without a body (source: sendExpectationFailed of net/http). */
  private FullHttpResponse expectationFailed() {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.EXPECTATION_FAILED, Unpooled.EMPTY_BUFFER);
    response
        .headers()
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
        .set(HttpHeaderNames.DATE, date.now())
        .set(HttpHeaderNames.CONTENT_LENGTH, HttpHeaderValues.ZERO);
    return response;
  }

  /**
   * Whether the end of the body is known: {@code chunked} once and alone, or no coding. Netty would
   * go by any list that has {@code chunked} in it, and take what follows another coding for the
   * next request, where a proxy in front may see a body (RFC 9112, section 11.2; source:
   * parseTransferEncoding of net/http).
   */
  private static boolean isTransferEncoding(HttpHeaders headers, HttpVersion version) {
    if (version.compareTo(HttpVersion.HTTP_1_1) < 0
        || !headers.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
      return true;
    }
    List<String> codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
    return codings.size() == 1 && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.get(0));
  }

  private @Nullable FullHttpResponse hostRefusal(HttpHeaders headers, HttpVersion version) {
    String host = headers.get(HttpHeaderNames.HOST);
    if (host == null) {
      return version.minorVersion() == 0
          ? null
          : response(HttpResponseStatus.BAD_REQUEST, ": missing required Host header");
    }
    List<String> all = headers.getAll(HttpHeaderNames.HOST);
    if (all.size() > 1) {
      return response(HttpResponseStatus.BAD_REQUEST, "");
    }
    return isHost(host)
        ? null
        : response(HttpResponseStatus.BAD_REQUEST, ": malformed Host header");
  }

  /** A path, an absolute URI, or what OPTIONS and CONNECT have instead. */
  private static boolean isTarget(String uri, HttpMethod method) {
    return uri.startsWith("/")
        || uri.equals("*")
        || uri.contains("://")
        || method.equals(HttpMethod.CONNECT);
  }

  private static boolean isHost(String host) {
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      boolean letterOrDigit =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!letterOrDigit && HOST_CHARACTERS.indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  private FullHttpResponse response(HttpResponseStatus status, String detail) {
    String reason = status.reasonPhrase() + detail;
    return response(status, reason, status.code() + " " + reason);
  }

  private FullHttpResponse response(HttpResponseStatus status, String reason, String text) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            new HttpResponseStatus(status.code(), reason),
            ByteBufUtil.writeAscii(UnpooledByteBufAllocator.DEFAULT, text));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
        .set(HttpHeaderNames.CONNECTION, "close")
        .set(HttpHeaderNames.DATE, date.now());
    return response;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    if (last != null) {
      ReferenceCountUtil.release(last);
      last = null;
    }
  }
}
