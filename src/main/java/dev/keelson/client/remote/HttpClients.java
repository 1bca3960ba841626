package dev.keelson.client.remote;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Makes HTTPS clients of API servers: HTTP/2, or HTTP/1.1 where a server has nothing else. */
public final class HttpClients {

  private static final int CONNECT_MILLIS = 10_000;

  /** Watches alone fill a part of the streams that a server allows on one connection. */
  private static final int MOST_HTTP2_CONNECTIONS = 4;

  /** With HTTP/1.1 each watch has a connection. */
  private static final int MOST_HTTP1_CONNECTIONS = 256;

  /** As Go's HTTP/2 client for Kubernetes: {@code ReadIdleTimeout} and {@code PingTimeout}. */
  private static final long PING_MILLIS = 30_000;

  private static final long PONG_MILLIS = 15_000;

  /**
   * Flow-control windows in bytes. That of a connection has room for the unread events of all its
   * streams, so that a slow reader of one watch does not stop the others.
   */
  private static final int STREAM_WINDOW = 256 * 1024;

  private static final int CONNECTION_WINDOW = 32 * 1024 * 1024;

  private static final int MOST_HEADERS = 128 * 1024;

  private HttpClients() {}

  /**
   * A client.
   *
   * @param trust decides which server a certificate identifies
   * @param identity the client's certificate; null for none
   */
  public static HttpClient open(
      Vertx vertx, X509TrustManager trust, @Nullable X509KeyManager identity) {
    HttpClientOptions options =
        new HttpClientOptions()
            .setSsl(true)
            // the trust manager compares the names
            .setVerifyHost(false)
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setUseAlpn(true)
            .setTcpKeepAlive(true)
            .setDecompressionSupported(false)
            .setConnectTimeout(CONNECT_MILLIS)
            .setSslHandshakeTimeout(CONNECT_MILLIS)
            .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
            .setMaxHeaderSize(MOST_HEADERS)
            .setHttp2ConnectionWindowSize(CONNECTION_WINDOW)
            .setInitialSettings(new Http2Settings().setInitialWindowSize(STREAM_WINDOW));
    options.setTrustOptions(TrustOptions.wrap(trust));
    if (identity != null) {
      options.setKeyCertOptions(KeyCertOptions.wrap(identity));
    }
    return vertx
        .httpClientBuilder()
        .with(options)
        .with(
            new PoolOptions()
                .setHttp2MaxSize(MOST_HTTP2_CONNECTIONS)
                .setHttp1MaxSize(MOST_HTTP1_CONNECTIONS))
        .withConnectHandler(connection -> watchOver(vertx, connection))
        .build();
  }

  /** Closes a connection whose server is silent: its watches would wait for ever. */
  private static void watchOver(Vertx vertx, HttpConnection connection) {
    if (connection.remoteSettings() == null) {
      // HTTP/1.1 has no pings; TCP keep-alive has to do
      return;
    }
    long timer = vertx.setPeriodic(PING_MILLIS, each -> ping(vertx, connection));
    connection.closeHandler(closed -> vertx.cancelTimer(timer));
  }

  private static void ping(Vertx vertx, HttpConnection connection) {
    AtomicBoolean answered = new AtomicBoolean();
    connection.ping(Buffer.buffer(new byte[8])).onComplete(pong -> answered.set(true));
    long unused =
        vertx.setTimer(
            PONG_MILLIS,
            late -> {
              if (!answered.get()) {
                var unused2 = connection.close();
              }
            });
  }
}
