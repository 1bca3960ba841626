package dev.keelson.http.connection;

import dev.keelson.http.connection.limit.Strangers;
import dev.keelson.http.connection.limit.UnreadResponses;
import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Puts {@link ConnectionTimes} and {@link FirstBytes} in front of every connection that the
 * listener accepts, and watches over the listener. Netty loads it as a service, since the HTTP
 * server has no hook for connections before their first request.
 */
public abstract class ConnectionLimits extends ChannelInitializerExtension {

  /*
   * An exception while a connection is prepared costs that connection: Netty would log it and serve
   * the connection without limits. An exception while one is accepted (too many open files, say)
   * makes Netty wait for a second; but any that is no IOException makes it close the listener, after
   * which the process would go on and nobody could connect (AbstractNioMessageChannel).
   */

  private final Consumer<Channel> limits;

  /**
   * @param clock the time in the Date header
   */
  protected ConnectionLimits(InstantSource clock) {
    this(limits(Strangers.ofMemory(), UnreadResponses.ofMemory(), new DateHeader(clock)));
  }

  /**
   * @param limits prepares a connection
   */
  ConnectionLimits(Consumer<Channel> limits) {
    this.limits = limits;
  }

  private static Consumer<Channel> limits(
      Strangers strangers, UnreadResponses unread, DateHeader date) {
    return connection -> {
      var unused =
          connection
              .pipeline()
              .addFirst(
                  new ConnectionTimes(strangers, unread, System::nanoTime), new FirstBytes(date));
    };
  }

  /** Makes Netty load the service when the listener starts. */
  public static void enable() {
    System.setProperty(ChannelInitializerExtension.EXTENSIONS_SYSTEM_PROPERTY, "serviceload");
  }

  /** A listener accepts connections. Called on its event loop; must not block. */
  protected abstract void listenerOpened(Channel listener);

  /**
   * A listener that was open accepts no more connections, because the server stops or because of an
   * exception. Called on its event loop; must not block.
   */
  protected abstract void listenerClosed();

  @Override
  public final void postInitializeServerListenerChannel(ServerChannel listener) {
    var unused =
        listener
            .pipeline()
            .addLast(
                new ChannelInboundHandlerAdapter() {
                  @Override
                  public void channelActive(ChannelHandlerContext ctx) {
                    listenerOpened(ctx.channel());
                    var unused = ctx.channel().closeFuture().addListener(_ -> listenerClosed());
                    ctx.fireChannelActive();
                  }
                });
  }

  /**
   * A client and this server did not agree on TLS, or the client left before they did. Called on
   * the connection's event loop; must not block.
   */
  protected abstract void handshakeFailed();

  @Override
  public final void postInitializeServerChildChannel(Channel connection) {
    boolean limited = false;
    try {
      limits.accept(connection);
      var unused = connection.pipeline().addLast(new HandshakeFailures(this::handshakeFailed));
      limited = true;
    } finally {
      if (!limited) {
        connection.unsafe().closeForcibly();
      }
    }
  }
}
