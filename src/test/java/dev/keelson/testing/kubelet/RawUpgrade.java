package dev.keelson.testing.kubelet;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtensionHandler;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.Http1xServerConnection;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Switches protocols after a POST, which Vert.x does for GET alone. */
final class RawUpgrade {

  private RawUpgrade() {}

  /** Sends 101 with the headers of the response. */
  static Future<NetSocket> of(HttpServerRequest request) {
    Http1xServerConnection connection = (Http1xServerConnection) request.connection();
    ChannelPipeline pipeline = connection.channel().pipeline();
    ChannelHandlerContext encoder = pipeline.context(HttpResponseEncoder.class);
    if (pipeline.get(WebSocketServerExtensionHandler.class) != null) {
      var unused = pipeline.remove(WebSocketServerExtensionHandler.class);
    }
    StringBuilder head = new StringBuilder("HTTP/1.1 101 Switching Protocols\r\n");
    for (Map.Entry<String, String> header : request.response().headers()) {
      head.append(header.getKey()).append(": ").append(header.getValue()).append("\r\n");
    }
    var unused =
        encoder.writeAndFlush(
            Unpooled.wrappedBuffer(
                head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1)));
    return connection.netSocket();
  }
}
