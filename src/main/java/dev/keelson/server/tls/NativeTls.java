package dev.keelson.server.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslCachingX509KeyManagerFactory;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a listener by BoringSSL, through Netty's tcnative, which takes less processor time than
 * that of the JDK, most of all for long lists. The library is loaded for the first connection.
 * Where it cannot be, and for keys that BoringSSL does not verify, connections get the TLS of the
 * JDK.
 */
public final class NativeTls extends SSLEngineOptions {

  /** The suites that Go's crypto/tls offers by default, in its order. */
  private static final List<String> SUITES =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
          "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
          "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
          "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA");

  /** The key exchanges that Go's crypto/tls prefers, the one of two kinds first. */
  private static final List<String> GROUPS =
      List.of("X25519MLKEM768", "x25519", "secp256r1", "secp384r1", "secp521r1");

  /** Netty's system property for the directory in which the library is unpacked. */
  private static final String DIRECTORY = "io.netty.native.workdir";

  private static final Logger LOG = Logger.getLogger(NativeTls.class);

  private final List<String> groups;
  private final BooleanSupplier fits;
  private final Supplier<List<X509Certificate>> authorities;

  /**
   * @param groups the allowed key exchanges as JSSE names them; empty for the default ones
   * @param fits whether BoringSSL can serve the next connection; asked for each one, on its event
   *     loop
   * @param authorities the CAs that certificate requests name, as the trust manager has them; asked
   *     for each connection as well
   */
  public NativeTls(
      List<String> groups, BooleanSupplier fits, Supplier<List<X509Certificate>> authorities) {
    this.groups = List.copyOf(groups);
    this.fits = fits;
    this.authorities = authorities;
  }

  @Override
  public SSLEngineOptions copy() {
    return new NativeTls(groups, fits, authorities);
  }

  @Override
  public SslContextFactory sslContextFactory() {
    return new Factory();
  }

  /** Whether BoringSSL has all of the groups. */
  private boolean hasGroups() {
    // BoringSSL leaves out Curve448
    return !groups.contains("x448");
  }

  private final class Factory implements SslContextFactory {

    private final SslContextFactory java = new JdkTls(groups).sslContextFactory();
    private @Nullable KeyManagerFactory keys;
    private @Nullable TrustManagerFactory trust;
    private ClientAuth clientAuth = ClientAuth.NONE;
    private List<String> protocols = List.of();
    private Set<String> suites = Set.of();

    @Override
    public SslContextFactory useAlpn(boolean useAlpn) {
      SslContextFactory unused = java.useAlpn(useAlpn);
      return this;
    }

    @Override
    public SslContextFactory clientAuth(ClientAuth auth) {
      SslContextFactory unused = java.clientAuth(auth);
      clientAuth = auth;
      return this;
    }

    @Override
    public SslContextFactory keyMananagerFactory(KeyManagerFactory factory) {
      SslContextFactory unused = java.keyMananagerFactory(factory);
      keys = factory;
      return this;
    }

    @Override
    public SslContextFactory trustManagerFactory(TrustManagerFactory factory) {
      SslContextFactory unused = java.trustManagerFactory(factory);
      trust = factory;
      return this;
    }

    @Override
    public SslContextFactory applicationProtocols(@Nullable List<String> names) {
      SslContextFactory unused = java.applicationProtocols(names);
      protocols = names == null ? List.of() : List.copyOf(names);
      return this;
    }

    @Override
    public SslContextFactory enabledCipherSuites(@Nullable Set<String> names) {
      SslContextFactory unused = java.enabledCipherSuites(names);
      suites = names == null ? Set.of() : Set.copyOf(names);
      return this;
    }

    @Override
    public SslContext create() throws SSLException {
      KeyManagerFactory own = keys;
      SslContext byJava = java.create();
      if (own == null || !available()) {
        return byJava;
      }
      return new EitherContext(fits, new Renewed(() -> boringSsl(own)), byJava);
    }

    private boolean available() {
      if (System.getProperty(DIRECTORY) == null) {
        // in a native executable, Netty's default is the temporary directory of its build
        System.setProperty(DIRECTORY, System.getProperty("java.io.tmpdir"));
      }
      if (!OpenSsl.isAvailable()) {
        LOG.debugf(
            OpenSsl.unavailabilityCause(),
            "event=native-tls-unavailable, connections get the TLS of the JDK");
        return false;
      }
      List<String> missing =
          suites.stream().filter(suite -> !OpenSsl.isCipherSuiteAvailable(suite)).toList();
      if (!hasGroups() || !missing.isEmpty()) {
        LOG.infof(
            "event=native-tls-not-used, BoringSSL lacks one of these suites and groups: %s %s",
            missing, groups);
        return false;
      }
      return true;
    }

    private SslContext boringSsl(KeyManagerFactory own) throws SSLException {
      SslContextBuilder builder =
          SslContextBuilder.forServer(new OpenSslCachingX509KeyManagerFactory(own))
              // without finalizers: a connection's part is released with its handler
              .sslProvider(SslProvider.OPENSSL_REFCNT)
              .trustManager(trust)
              .clientAuth(clientAuth)
              .ciphers(suites.isEmpty() ? SUITES : suites)
              .option(
                  OpenSslContextOption.GROUPS,
                  (groups.isEmpty() ? GROUPS : groups).toArray(String[]::new));
      if (!protocols.isEmpty()) {
        builder.applicationProtocolConfig(
            new ApplicationProtocolConfig(
                Protocol.ALPN,
                SelectorFailureBehavior.NO_ADVERTISE,
                SelectedListenerFailureBehavior.ACCEPT,
                protocols));
      }
      return builder.build();
    }
  }

  /** Makes a context. */
  private interface Maker {
    SslContext make() throws SSLException;
  }

  /**
   * A context of BoringSSL has the CAs of the time when it was made: after a change the next
   * connection gets a new one. The one before is released with the change after it, when no
   * connection is being opened with it any more; those that are open keep it.
   */
  private final class Renewed implements Supplier<SslContext> {

    private final Maker maker;
    private volatile Made current;
    private @Nullable SslContext before;

    private record Made(List<X509Certificate> authorities, SslContext context) {}

    Renewed(Maker maker) throws SSLException {
      this.maker = maker;
      current = new Made(authorities.get(), maker.make());
    }

    @Override
    public SslContext get() {
      List<X509Certificate> now = authorities.get();
      Made known = current;
      return known.authorities.equals(now) ? known.context : renewed(now);
    }

    private synchronized SslContext renewed(List<X509Certificate> now) {
      Made known = current;
      if (known.authorities.equals(now)) {
        return known.context;
      }
      try {
        Made fresh = new Made(now, maker.make());
        boolean unused = ReferenceCountUtil.release(before);
        before = known.context;
        current = fresh;
        return fresh.context;
      } catch (SSLException e) {
        LOG.warnf(e, "event=native-tls-not-renewed, certificate requests name the former CAs");
        current = new Made(now, known.context);
        return known.context;
      }
    }
  }
}
