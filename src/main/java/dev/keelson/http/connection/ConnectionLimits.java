package dev.keelson.http.connection;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import java.time.InstantSource;

/**
 * Puts {@link ConnectionTimes} and {@link FirstBytes} in front of every connection that the
 * listener accepts. Netty loads it as a service, since the HTTP server has no hook for connections
 * before their first request.
 */
public abstract class ConnectionLimits extends ChannelInitializerExtension {

  private final Strangers strangers = Strangers.ofMemory();
  private final DateHeader date;

  /**
   * @param clock the time in the Date header
   */
  protected ConnectionLimits(InstantSource clock) {
    this.date = new DateHeader(clock);
  }

  /** Makes Netty load the service when the listener starts. */
  public static void enable() {
    System.setProperty(ChannelInitializerExtension.EXTENSIONS_SYSTEM_PROPERTY, "serviceload");
  }

  @Override
  public final void postInitializeServerChildChannel(Channel connection) {
    var unused =
        connection
            .pipeline()
            .addFirst(new ConnectionTimes(strangers, System::nanoTime), new FirstBytes(date));
  }
}
