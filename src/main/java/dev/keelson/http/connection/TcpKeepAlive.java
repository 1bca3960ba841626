package dev.keelson.http.connection;

import io.netty.channel.ChannelConfig;
import io.netty.channel.socket.nio.NioChannelOption;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import jdk.net.ExtendedSocketOptions;

/**
 * Sets TCP keep-alive, which detects clients that disappeared without closing the connection: a
 * watch can be idle for a long time.
 */
final class TcpKeepAlive {

  /** Idle time before the first probe, in seconds. */
  private static final int IDLE = 30;

  /** Time between probes, in seconds. */
  private static final int INTERVAL = 10;

  /** Number of unanswered probes before the connection is closed. */
  private static final int QUESTIONS = 6;

  private TcpKeepAlive() {}

  /** Sets the probe times of a connection with keep-alive enabled. */
  static void shorten(HttpConnection connection) {
    if (connection instanceof ConnectionBase base) {
      ChannelConfig config = base.channel().config();
      config.setOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), IDLE);
      config.setOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL), INTERVAL);
      config.setOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), QUESTIONS);
    }
  }
}
