package dev.keelson.server.tls;

import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.spi.tls.DefaultSslContextFactory;
import io.vertx.core.spi.tls.SslContextFactory;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * TLS of a listener by the JDK, with the allowed key exchanges. The property {@code
 * jdk.tls.namedGroups} would hold for the connections to other servers too, and a native executable
 * has read it in its build.
 */
public final class JdkTls extends JdkSSLEngineOptions {

  /** A group that only BoringSSL has. */
  private static final String HYBRID = "X25519MLKEM768";

  private final List<String> groups;

  /**
   * @param groups the allowed key exchanges as JSSE names them, the one that only BoringSSL has
   *     beside others; empty for the default ones
   */
  public JdkTls(List<String> groups) {
    this.groups = groups.stream().filter(group -> !group.equals(HYBRID)).toList();
  }

  @Override
  public JdkTls copy() {
    return new JdkTls(groups);
  }

  @Override
  public SslContextFactory sslContextFactory() {
    return groups.isEmpty() ? super.sslContextFactory() : new Factory();
  }

  private final class Factory extends DefaultSslContextFactory {

    Factory() {
      super(SslProvider.JDK, /* sslSessionCacheEnabled= */ false);
    }

    @Override
    public SslContext create() throws SSLException {
      return new Limited(super.create());
    }
  }

  private final class Limited extends DelegatingSslContext {

    Limited(SslContext all) {
      super(all);
    }

    @Override
    protected void initEngine(SSLEngine engine) {
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setNamedGroups(groups.toArray(String[]::new));
      engine.setSSLParameters(parameters);
    }
  }
}
