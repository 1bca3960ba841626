package dev.keelson.http.connection;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;

/**
 * Puts {@link ConnectionTimes} in front of every connection that the listener accepts. Netty loads
 * it as a service, since the HTTP server has no hook for connections before their first request.
 */
public final class ConnectionLimits extends ChannelInitializerExtension {

  private final Strangers strangers = Strangers.ofMemory();

  /** Makes Netty load this class when the listener starts. */
  public static void enable() {
    System.setProperty(ChannelInitializerExtension.EXTENSIONS_SYSTEM_PROPERTY, "serviceload");
  }

  @Override
  public void postInitializeServerChildChannel(Channel connection) {
    var unused = connection.pipeline().addFirst(new ConnectionTimes(strangers, System::nanoTime));
  }
}
