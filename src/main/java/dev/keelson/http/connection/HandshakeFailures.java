package dev.keelson.http.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;

/** Notices a failed handshake of TLS; leaves the pipeline of a connection when it has succeeded. */
final class HandshakeFailures extends ChannelInboundHandlerAdapter {

  private final Runnable onFailure;

  /**
   * @param onFailure runs for each connection whose handshake fails
   */
  HandshakeFailures(Runnable onFailure) {
    this.onFailure = onFailure;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      if (!handshake.isSuccess()) {
        onFailure.run();
      }
      ctx.pipeline().remove(this);
    }
    ctx.fireUserEventTriggered(event);
  }
}
