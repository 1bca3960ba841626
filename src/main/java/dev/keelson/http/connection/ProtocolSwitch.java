package dev.keelson.http.connection;

import dev.keelson.http.ApiResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtensionHandler;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.Http1xServerConnection;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;

/**
 * Gives a connection of HTTP/1.1 to another protocol (RFC 9110, section 7.8). Vert.x does that for
 * GET only; SPDY begins by POST as well, so its head is written here, below the encoder of
 * responses, and the connection is taken from below the request.
 */
final class ProtocolSwitch {

  private ProtocolSwitch() {}

  /**
   * Answers 101; on the event loop of the request, which has no body.
   *
   * @return the connection; fails if it cannot be taken
   */
  static Future<NetSocket> of(HttpServerRequest request, ApiResponse answer) {
    if (request.method().equals(HttpMethod.GET)) {
      for (ApiResponse.Header header : answer.headers()) {
        request.response().headers().add(header.name(), header.value());
      }
      return request.toNetSocket();
    }
    if (!(request.connection() instanceof Http1xServerConnection connection)) {
      return Future.failedFuture("the connection cannot switch protocols");
    }
    ChannelPipeline pipeline = connection.channel().pipeline();
    ChannelHandlerContext encoder = pipeline.context(HttpResponseEncoder.class);
    if (encoder == null) {
      return Future.failedFuture("the connection has switched protocols already");
    }
    if (pipeline.get(WebSocketServerExtensionHandler.class) != null) {
      WebSocketServerExtensionHandler unused =
          pipeline.remove(WebSocketServerExtensionHandler.class);
    }
    // a failure closes the connection
    var unused = encoder.writeAndFlush(head(answer), encoder.voidPromise());
    return connection.netSocket();
  }

  private static ByteBuf head(ApiResponse answer) {
    StringBuilder head = new StringBuilder(256).append("HTTP/1.1 101 Switching Protocols\r\n");
    for (ApiResponse.Header header : answer.headers()) {
      head.append(header.name()).append(": ").append(header.value()).append("\r\n");
    }
    // header values have one character a byte
    return Unpooled.wrappedBuffer(
        head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
  }
}
