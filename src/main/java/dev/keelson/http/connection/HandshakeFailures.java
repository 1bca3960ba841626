package dev.keelson.http.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;

/**
 * Notices a failed handshake of TLS; leaves the pipeline of a connection when it has succeeded. It
 * is added to a new connection, before the handlers of TLS, and moves behind them with the first
 * bytes.
 */
final class HandshakeFailures extends ChannelInboundHandlerAdapter {

  private final Runnable onFailure;

  /**
   * @param onFailure runs for each connection whose handshake fails
   */
  HandshakeFailures(Runnable onFailure) {
    this.onFailure = onFailure;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ChannelPipeline pipeline = ctx.pipeline();
    pipeline.remove(this);
    if (pipeline.get(MalformedRequests.TLS) != null) {
      var unused = pipeline.addAfter(MalformedRequests.TLS, null, new Outcome(onFailure));
    }
    ctx.fireChannelRead(message);
  }

  /** Behind the handlers of TLS. */
  private static final class Outcome extends ChannelInboundHandlerAdapter {

    private final Runnable onFailure;

    private Outcome(Runnable onFailure) {
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
}
