package dev.keelson.http.aggregation;

import dev.keelson.aggregation.ApiService.Backend;
import dev.keelson.http.relay.Connections;
import dev.keelson.webhook.CertificateFlaw;
import dev.keelson.webhook.ServerTrust;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The connections to remote API servers, HTTP/1.1 with keep-alive: one pool for each way of
 * verifying a server. A pool is made when it is first used and closed when no APIService needs it,
 * or when the certificate of this server was renewed. Safe for use by several threads.
 */
public final class RemoteClients implements AutoCloseable {

  private static final int CONNECT_MILLIS = 10_000;

  /** Shorter than servers keep idle connections, so that few requests meet a closed one. */
  private static final int IDLE_SECONDS = 30;

  /** Watches and slow requests hold a connection each. */
  private static final int MOST_CONNECTIONS = 20_000;

  private static final long RETIRED_MILLIS = 3_600_000;

  private static final int MOST_HEADERS = 128 * 1024;

  private final Vertx vertx;
  private final Supplier<@Nullable ProxyIdentity> identity;
  private final Consumer<CertificateFlaw> flaws;

  /** Guards the pools; no other lock is taken under it. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Map<Key, Connections> pools = new HashMap<>();

  private record Key(
      String serverName, String caBundle, boolean insecure, @Nullable ProxyIdentity identity) {

    boolean serves(Backend backend) {
      return serverName.equals(backend.serverName())
          && (insecure || caBundle.equals(backend.caBundle()));
    }
  }

  /**
   * Clients without connections.
   *
   * @param identity the certificate of this server now; null for none
   * @param flaws is told the flaw of each certificate that is refused for one
   */
  public RemoteClients(
      Vertx vertx, Supplier<@Nullable ProxyIdentity> identity, Consumer<CertificateFlaw> flaws) {
    this.vertx = vertx;
    this.identity = identity;
    this.flaws = flaws;
  }

  /** The clients for a server whose certificate is verified as the APIService says. */
  Connections verifying(Backend backend) {
    return pool(
        new Key(
            backend.serverName(),
            backend.insecure() ? "" : backend.caBundle(),
            backend.insecure(),
            identity.get()));
  }

  /** The clients for a server whose certificate is not verified. */
  Connections trusting(Backend backend) {
    return pool(new Key(backend.serverName(), "", true, identity.get()));
  }

  private Connections pool(Key key) {
    lock.lock();
    try {
      return pools.computeIfAbsent(key, this::open);
    } finally {
      lock.unlock();
    }
  }

  private Connections open(Key key) {
    HttpClientOptions http = new HttpClientOptions();
    secure(http, key);
    // the trust manager compares the certificate with the name of the Service
    http.setVerifyHost(false)
        .setProtocolVersion(HttpVersion.HTTP_1_1)
        .setKeepAliveTimeout(IDLE_SECONDS)
        .setMaxHeaderSize(MOST_HEADERS)
        .setDecompressionSupported(false);
    NetClientOptions sockets = new NetClientOptions();
    secure(sockets, key);
    sockets.setHostnameVerificationAlgorithm("");
    return new Connections(
        vertx.createHttpClient(http, new PoolOptions().setHttp1MaxSize(MOST_CONNECTIONS)),
        vertx.createNetClient(sockets));
  }

  private void secure(ClientOptionsBase options, Key key) {
    options
        .setSsl(true)
        .setTrustAll(key.insecure)
        .setConnectTimeout(CONNECT_MILLIS)
        .setSslHandshakeTimeout(CONNECT_MILLIS)
        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
        .setTcpKeepAlive(true);
    if (!key.insecure) {
      options.setTrustOptions(TrustOptions.wrap(trust(key)));
    }
    ProxyIdentity shown = key.identity;
    if (shown != null) {
      options.setKeyCertOptions(
          new PemKeyCertOptions()
              .setCertValue(Buffer.buffer(shown.certificate()))
              .setKeyValue(Buffer.buffer(shown.key())));
    }
  }

  /** Without a certificate in the bundle no server is trusted. */
  private X509TrustManager trust(Key key) {
    String bundle = new String(Base64.getDecoder().decode(key.caBundle), StandardCharsets.UTF_8);
    try {
      return ServerTrust.manager(bundle, key.serverName, flaws);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Retires the connections that none of these backends needs. Responses that are under way end
   * undisturbed; watches seldom take longer than an hour.
   */
  public void retain(List<Backend> needed) {
    lock.lock();
    try {
      ProxyIdentity shown = identity.get();
      for (Key key : Set.copyOf(pools.keySet())) {
        if (!Objects.equals(key.identity, shown)
            || needed.stream().noneMatch(backend -> key.serves(backend))) {
          Connections retired = Objects.requireNonNull(pools.remove(key));
          long unused = vertx.setTimer(RETIRED_MILLIS, late -> retired.close());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      pools.values().forEach(Connections::close);
      pools.clear();
    } finally {
      lock.unlock();
    }
  }
}
