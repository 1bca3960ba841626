package dev.keelson.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * An HTTPS server on a free port of 127.0.0.1 with a self-signed certificate for one DNS name. The
 * handler is called for every request, each on a thread of its own.
 */
public final class WebhookServer implements AutoCloseable {

  private final HttpsServer server;
  private final X509Certificate certificate;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger requests = new AtomicInteger();
  private final Set<InetSocketAddress> clients = ConcurrentHashMap.newKeySet();
  private volatile Handler handler;

  /** Answers a request whose body has been read. */
  @FunctionalInterface
  public interface Handler {
    /** Sends the response; what is thrown closes the connection. */
    void handle(HttpExchange exchange, byte[] body) throws IOException;
  }

  /**
   * Starts a server.
   *
   * @param name the DNS name in its certificate, beside the address
   */
  public WebhookServer(String name, Handler handler) {
    this(selfSigned(name), handler);
  }

  /**
   * Starts a server.
   *
   * @param identity its key and certificate
   */
  public WebhookServer(TestIdentity identity, Handler handler) {
    this.handler = handler;
    try {
      certificate = identity.chain().getFirst();
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("s", identity.key(), new char[0], new X509Certificate[] {certificate});
      KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
      own.init(store, new char[0]);
      SSLContext serving = SSLContext.getInstance("TLS");
      serving.init(own.getKeyManagers(), null, null);
      server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setHttpsConfigurator(new HttpsConfigurator(serving));
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  private void serve(HttpExchange exchange) {
    requests.incrementAndGet();
    clients.add(exchange.getRemoteAddress());
    try (exchange) {
      // this server hangs now and then when it answers before it has read the request
      byte[] body = exchange.getRequestBody().readAllBytes();
      handler.handle(exchange, body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Replaces the handler of later requests. */
  public void handle(Handler next) {
    handler = next;
  }

  /** The handler of requests. */
  public Handler handler() {
    return handler;
  }

  /** Sends a response of JSON. */
  public static void respond(HttpExchange exchange, int status, String json) throws IOException {
    respond(exchange, status, "application/json", json.getBytes(StandardCharsets.UTF_8));
  }

  /** A handler of AdmissionReviews that allows what is asked as soon as the latch is open. */
  public static Handler allowingAfter(CountDownLatch latch) {
    return (exchange, body) -> {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      respond(
          exchange,
          200,
          """
          {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
           "response": {"uid": "%s", "allowed": true}}
          """
              .formatted(
                  JsonPath.from(new String(body, StandardCharsets.UTF_8))
                      .getString("request.uid")));
    };
  }

  /** Sends a response. */
  public static void respond(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** The URL without a path. */
  public String url() {
    return "https://127.0.0.1:" + port();
  }

  /** The certificate in PEM. */
  public String pem() {
    return TestIdentity.pem(certificate);
  }

  /** The number of requests so far. */
  public int requests() {
    return requests.get();
  }

  /** The number of connections on which requests came. */
  public int connections() {
    return clients.size();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private static TestIdentity selfSigned(String name) {
    try {
      KeyPair pair = IdentityProvider.newKey("EC");
      return new TestIdentity(pair.getPrivate(), List.of(selfSigned(pair, name)));
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static X509Certificate selfSigned(KeyPair pair, String name)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    X500Name subject = new X500Name("CN=webhook");
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            subject,
            BigInteger.ONE,
            Date.from(Instant.now().minus(Duration.ofHours(1))),
            Date.from(Instant.now().plus(Duration.ofDays(1))),
            subject,
            pair.getPublic());
    builder.addExtension(
        Extension.subjectAlternativeName,
        false,
        new GeneralNames(
            new GeneralName[] {
              new GeneralName(GeneralName.dNSName, name),
              new GeneralName(GeneralName.iPAddress, "127.0.0.1")
            }));
    return new JcaX509CertificateConverter()
        .getCertificate(
            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate())));
  }
}
