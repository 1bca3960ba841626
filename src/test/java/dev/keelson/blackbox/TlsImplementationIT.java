package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestIdentity;
import dev.keelson.testing.WhoAmI;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.handler.ssl.util.LazyX509Certificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What serves TLS: BoringSSL, or the JDK for what that cannot do. */
class TlsImplementationIT {

  @TempDir private Path directory;

  private KeelsonProcess server(String... flags) {
    return KeelsonProcess.start(directory.resolve("data"), List.of(flags));
  }

  private static WhoAmI client(KeelsonProcess server, TestIdentity identity) {
    return new WhoAmI(server.address(), identity.trusting(server.kubeconfig().authority()));
  }

  /** The protocol of a connection whose client has one key exchange only. */
  private static String protocol(URI address, String group) throws Exception {
    SslContext context =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.OPENSSL)
            .option(OpenSslContextOption.GROUPS, new String[] {group})
            .trustManager(InsecureTrustManagerFactory.INSTANCE)
            .build();
    NioEventLoopGroup loops = new NioEventLoopGroup(1);
    try {
      Channel channel =
          new Bootstrap()
              .group(loops)
              .channel(NioSocketChannel.class)
              .handler(
                  new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel opened) {
                      opened.pipeline().addLast(context.newHandler(opened.alloc()));
                    }
                  })
              .connect(address.getHost(), address.getPort())
              .sync()
              .channel();
      SslHandler tls = channel.pipeline().get(SslHandler.class);
      assertThat(tls.handshakeFuture().await(20, TimeUnit.SECONDS)).isTrue();
      return tls.handshakeFuture().isSuccess() ? tls.engine().getSession().getProtocol() : "none";
    } finally {
      var unused = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  @Test
  void keyExchange_canBePostQuantum_withBoringSslOnly() throws Exception {
    try (KeelsonProcess server = server()) {
      assertThat(protocol(server.address(), "X25519MLKEM768")).isEqualTo("TLSv1.3");
      assertThat(protocol(server.address(), "P-256")).isEqualTo("TLSv1.3");
    }
    try (KeelsonProcess server = server("--tls-implementation=java")) {
      assertThat(protocol(server.address(), "X25519MLKEM768")).isEqualTo("none");
      assertThat(protocol(server.address(), "P-256")).isEqualTo("TLSv1.3");
    }
    try (KeelsonProcess server = server("--tls-curve-preferences=4588,24")) {
      assertThat(protocol(server.address(), "X25519MLKEM768")).isEqualTo("TLSv1.3");
      assertThat(protocol(server.address(), "P-384")).isEqualTo("TLSv1.3");
      assertThat(protocol(server.address(), "P-256")).isEqualTo("none");
    }
    // the JDK has this one only
    try (KeelsonProcess server = server("--tls-curve-preferences=30")) {
      assertThat(RestClient.nobody(server).get("/healthz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void suites_canBeLimitedTogetherWithKeyExchanges() throws Exception {
    String suites =
        "--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_RSA_WITH_RC4_128_SHA";
    for (String implementation : List.of("auto", "java")) {
      try (KeelsonProcess server =
          server(suites, "--tls-curve-preferences=24", "--tls-implementation=" + implementation)) {
        assertThat(protocol(server.address(), "P-384")).isEqualTo("TLSv1.3");
        assertThat(protocol(server.address(), "P-256")).isEqualTo("none");
        assertThat(server.log())
            .contains(
                "Warning: --tls-cipher-suites: the TLS of the JDK does not offer"
                    + " TLS_RSA_WITH_RC4_128_SHA");
      }
    }
  }

  @Test
  void clientsOfAnEdwardsAuthority_areServedByTheJdk() throws Exception {
    TestAuthority clients = TestAuthority.edwards("clients");
    Path file = Files.writeString(directory.resolve("clients.pem"), clients.pem());

    try (KeelsonProcess server = server("--client-ca-file=" + file)) {
      assertThat(client(server, clients.edwardsIdentity("CN=ann")).ask().user()).isEqualTo("ann");
      assertThat(client(server, clients.identity("CN=ben")).ask().user()).isEqualTo("ben");
      assertThat(protocol(server.address(), "X25519MLKEM768")).isEqualTo("none");
    }
  }

  @Test
  void clientsWithEdwardsKeysOfAnotherAuthority_areServedByTheJdk_ifAsked() throws Exception {
    TestAuthority clients = TestAuthority.root("clients", TestAuthority.Period.now());
    Path file = Files.writeString(directory.resolve("clients.pem"), clients.pem());

    try (KeelsonProcess server = server("--client-ca-file=" + file, "--tls-implementation=java")) {
      assertThat(client(server, clients.edwardsIdentity("CN=ann")).ask().user()).isEqualTo("ann");
    }
  }

  /** Source: {@code TestClientCA} of Kubernetes. */
  @Test
  void certificateRequests_nameTheAuthorities_asTheirFilesHaveThemNow() throws Exception {
    TestAuthority clients = TestAuthority.root("clients", TestAuthority.Period.now());
    TestAuthority next = TestAuthority.root("next", TestAuthority.Period.now());
    TestAuthority proxies = TestAuthority.root("proxies", TestAuthority.Period.now());
    Path file = directory.resolve("clients.pem");
    Path proxyFile = Files.writeString(directory.resolve("proxies.pem"), proxies.pem());

    for (String implementation : List.of("auto", "java")) {
      Path unused = Files.writeString(file, clients.pem());
      try (KeelsonProcess server =
          server(
              "--tls-implementation=" + implementation,
              "--client-ca-file=" + file,
              "--requestheader-client-ca-file=" + proxyFile)) {
        assertThat(named(server.address()))
            .containsExactlyInAnyOrder("CN=clients", "CN=keelson-ca", "CN=proxies");

        unused = Files.writeString(file, next.pem());
        assertEventually(
            () ->
                assertThat(named(server.address()))
                    .containsExactlyInAnyOrder("CN=next", "CN=keelson-ca", "CN=proxies"));
        assertThat(client(server, next.identity("CN=ann")).ask().user()).isEqualTo("ann");
      }
    }
  }

  /** The CAs that the server names in its request for a certificate. */
  private static List<String> named(URI server) {
    List<String> names = new CopyOnWriteArrayList<>();
    X509ExtendedKeyManager keys =
        new X509ExtendedKeyManager() {
          @Override
          public String[] getClientAliases(String type, Principal[] issuers) {
            return new String[0];
          }

          @Override
          public @Nullable String chooseClientAlias(
              String[] types, Principal[] issuers, Socket socket) {
            names.clear();
            for (Principal issuer : issuers) {
              names.add(issuer.getName());
            }
            return null;
          }

          @Override
          public String[] getServerAliases(String type, Principal[] issuers) {
            return new String[0];
          }

          @Override
          public @Nullable String chooseServerAlias(
              String type, Principal[] issuers, Socket socket) {
            return null;
          }

          @Override
          public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[0];
          }

          @Override
          public @Nullable PrivateKey getPrivateKey(String alias) {
            return null;
          }
        };
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          new KeyManager[] {keys}, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
      try (SSLSocket socket =
          (SSLSocket) context.getSocketFactory().createSocket(server.getHost(), server.getPort())) {
        socket.startHandshake();
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }

  @Test
  void certificateThatCannotBeParsed_endsItsOwnConnectionOnly() throws Exception {
    TestAuthority clients = TestAuthority.root("clients", TestAuthority.Period.now());
    Path file = Files.writeString(directory.resolve("clients.pem"), clients.pem());
    TestIdentity ann = clients.identity("CN=ann");
    X509Certificate forged =
        new LazyX509Certificate("0 no certificate".getBytes(StandardCharsets.US_ASCII));

    try (KeelsonProcess server = server("--client-ca-file=" + file)) {
      WhoAmI shown = new WhoAmI(server.address(), showing(ann.with(forged)));
      assertThatThrownBy(shown::ask).isInstanceOf(UncheckedIOException.class);
      assertThat(client(server, ann).ask().user()).isEqualTo("ann");
    }
  }

  /** A context that sends the certificates unseen. */
  private static SSLContext showing(TestIdentity identity) throws GeneralSecurityException {
    X509ExtendedKeyManager keys =
        new X509ExtendedKeyManager() {
          @Override
          public String[] getClientAliases(String type, Principal[] issuers) {
            return new String[] {"own"};
          }

          @Override
          public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return "own";
          }

          @Override
          public String chooseEngineClientAlias(
              String[] types, Principal[] issuers, SSLEngine engine) {
            return "own";
          }

          @Override
          public String[] getServerAliases(String type, Principal[] issuers) {
            return new String[0];
          }

          @Override
          public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return "";
          }

          @Override
          public X509Certificate[] getCertificateChain(String alias) {
            return identity.chain().toArray(X509Certificate[]::new);
          }

          @Override
          public PrivateKey getPrivateKey(String alias) {
            return identity.key();
          }
        };
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        new KeyManager[] {keys}, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    return context;
  }
}
