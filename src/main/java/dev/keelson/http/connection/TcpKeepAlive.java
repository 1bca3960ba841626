package dev.keelson.http.connection;

import io.netty.channel.ChannelConfig;
import io.netty.channel.socket.nio.NioChannelOption;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import jdk.net.ExtendedSocketOptions;

/**
 * Finds out that a client has vanished without a word: a watch may be silent for long, and nothing
 * else would tell. The system asks the other side from time to time, and closes the connection when
 * that does not answer.
 */
final class TcpKeepAlive {

  /** Seconds of silence before the first question. */
  private static final int IDLE = 30;

  /** Seconds between questions. */
  private static final int INTERVAL = 10;

  /** So many questions may stay without an answer. */
  private static final int QUESTIONS = 6;

  private TcpKeepAlive() {}

  /** Begins to ask on a connection that has been set to be kept alive. */
  static void shorten(HttpConnection connection) {
    if (connection instanceof ConnectionBase base) {
      ChannelConfig config = base.channel().config();
      config.setOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), IDLE);
      config.setOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL), INTERVAL);
      config.setOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), QUESTIONS);
    }
  }
}
