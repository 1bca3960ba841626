package dev.keelson.junit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An HTTPS endpoint of this JVM that answers admission reviews, and its configuration. */
final class WebhookEndpoint implements AutoCloseable {

  private static final char[] PASSWORD = "keelson".toCharArray();

  private final KeelsonServer server;
  private final AdmissionWebhook webhook;
  private final AdmissionHandler handler;
  private final HttpsServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private boolean closed;

  private WebhookEndpoint(
      KeelsonServer server, AdmissionWebhook webhook, AdmissionHandler handler, HttpsServer http) {
    this.server = server;
    this.webhook = webhook;
    this.handler = handler;
    this.http = http;
  }

  static WebhookEndpoint open(
      KeelsonServer server, AdmissionWebhook webhook, AdmissionHandler handler) {
    try {
      HttpsServer http =
          HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      http.setHttpsConfigurator(
          new HttpsConfigurator(context(server.servingIdentity("localhost", "127.0.0.1"))));
      WebhookEndpoint endpoint = new WebhookEndpoint(server, webhook, handler, http);
      http.setExecutor(endpoint.threads);
      http.createContext("/", endpoint::answer);
      http.start();
      String url = "https://127.0.0.1:" + http.getAddress().getPort() + "/" + webhook.name();
      byte[] authority = server.authority().getBytes(StandardCharsets.UTF_8);
      server.apply(
          webhook.configuration(url, Base64.getEncoder().encodeToString(authority)), "default");
      return endpoint;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot open the endpoint of " + webhook.name(), e);
    }
  }

  private static SSLContext context(List<String> identity)
      throws GeneralSecurityException, IOException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    Certificate[] chain =
        factory
            .generateCertificates(
                new ByteArrayInputStream(identity.get(1).getBytes(StandardCharsets.UTF_8)))
            .toArray(Certificate[]::new);
    String body = identity.get(0).replaceAll("-----[A-Z ]+-----", "");
    PrivateKey key =
        KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(body)));
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("webhook", key, PASSWORD, chain);
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      @SuppressWarnings("unchecked") // JSON: the keys of an object are strings
      Map<String, Object> review = (Map<String, Object>) server.embedded().readJson(body);
      AdmissionRequest request = AdmissionRequest.of(AdmissionRequest.map(review, "request"));
      AdmissionResponse response;
      try {
        response = handler.review(request);
        if (response == null) {
          response = AdmissionResponse.deny(500, "the handler of the test returned null");
        }
      } catch (RuntimeException e) {
        response = AdmissionResponse.deny(500, "the handler of the test failed: " + e);
      }
      byte[] json =
          server
              .embedded()
              .writeJson(response.review(request.uid()))
              .getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, json.length);
      exchange.getResponseBody().write(json);
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      server
          .embedded()
          .delete(
              "/apis/admissionregistration.k8s.io/v1/" + webhook.plural() + "/" + webhook.name());
      http.stop(0);
      threads.shutdownNow();
    }
  }
}
