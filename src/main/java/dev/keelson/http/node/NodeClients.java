package dev.keelson.http.node;

import dev.keelson.http.relay.Connections;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The connections to kubelets, pods and services, HTTP/1.1 with keep-alive. They are made when they
 * are first used, and again when this server's certificate for kubelets was renewed. Safe for use
 * by several threads.
 */
public final class NodeClients implements AutoCloseable {

  private static final int MOST_CONNECTIONS = 20_000;
  private static final int MOST_HEADERS = 128 * 1024;

  /** Shorter than servers keep idle connections, so that few requests meet a closed one. */
  private static final int IDLE_SECONDS = 30;

  /** How long those of an old certificate are kept for what is under way. */
  private static final long RETIRED_MILLIS = 3_600_000;

  /** The ways of connecting. */
  enum Way {
    /** A kubelet, whose certificate is verified if there is an authority. */
    KUBELET,
    /** A kubelet whose certificate is not verified: the client asks for that. */
    UNVERIFIED_KUBELET,
    /** A pod or a service by TLS; without a certificate of this server, and not verified. */
    SECURE,
    /** A pod or a service by plain HTTP. */
    PLAIN
  }

  private final Vertx vertx;
  private final Supplier<KubeletIdentity> identity;
  private final Duration timeout;

  /** Guards the fields below; no other lock is taken under it. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Map<Way, Connections> open = new EnumMap<>(Way.class);
  private KubeletIdentity shown = KubeletIdentity.NONE;

  /**
   * Clients without connections.
   *
   * @param identity the certificates now
   * @param timeout how long a connection and its TLS handshake may take
   */
  public NodeClients(Vertx vertx, Supplier<KubeletIdentity> identity, Duration timeout) {
    this.vertx = vertx;
    this.identity = identity;
    this.timeout = timeout;
  }

  /** The clients for a way of connecting. */
  Connections of(Way way) {
    KubeletIdentity current = identity.get();
    lock.lock();
    try {
      if (!current.equals(shown)) {
        retire(Way.KUBELET);
        retire(Way.UNVERIFIED_KUBELET);
        shown = current;
      }
      return open.computeIfAbsent(way, this::connect);
    } finally {
      lock.unlock();
    }
  }

  private void retire(Way way) {
    Connections retired = open.remove(way);
    if (retired != null) {
      long unused = vertx.setTimer(RETIRED_MILLIS, late -> retired.close());
    }
  }

  private Connections connect(Way way) {
    boolean kubelet = way == Way.KUBELET || way == Way.UNVERIFIED_KUBELET;
    boolean verified = way == Way.KUBELET && !shown.authority().isEmpty();
    HttpClientOptions http = new HttpClientOptions();
    NetClientOptions sockets = new NetClientOptions();
    for (ClientOptionsBase options : new ClientOptionsBase[] {http, sockets}) {
      options
          .setSsl(way != Way.PLAIN)
          .setTrustAll(!verified)
          .setConnectTimeout((int) timeout.toMillis())
          .setSslHandshakeTimeout(timeout.toMillis())
          .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
          .setTcpKeepAlive(true);
      if (verified) {
        options.setTrustOptions(
            new PemTrustOptions().addCertValue(Buffer.buffer(shown.authority())));
      }
      if (kubelet && !shown.certificate().isEmpty()) {
        options.setKeyCertOptions(
            new PemKeyCertOptions()
                .setCertValue(Buffer.buffer(shown.certificate()))
                .setKeyValue(Buffer.buffer(shown.key())));
      }
    }
    http.setVerifyHost(verified)
        .setProtocolVersion(HttpVersion.HTTP_1_1)
        .setKeepAliveTimeout(IDLE_SECONDS)
        .setMaxHeaderSize(MOST_HEADERS)
        .setDecompressionSupported(false);
    sockets.setHostnameVerificationAlgorithm(verified ? "HTTPS" : "");
    return new Connections(
        vertx.createHttpClient(http, new PoolOptions().setHttp1MaxSize(MOST_CONNECTIONS)),
        vertx.createNetClient(sockets));
  }

  @Override
  public void close() {
    lock.lock();
    try {
      open.values().forEach(Connections::close);
      open.clear();
    } finally {
      lock.unlock();
    }
  }
}
