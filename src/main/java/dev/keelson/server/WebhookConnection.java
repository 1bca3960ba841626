package dev.keelson.server;

import dev.keelson.authz.webhook.ReviewService;
import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import dev.keelson.schema.codec.DecodeException;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.server.pki.Pem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The server that a kubeconfig's current context names, asked over HTTPS with bounds on time and
 * length. Nothing is opened before the first question.
 */
final class WebhookConnection implements ReviewService {

  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** A longer answer is an error; bytes. */
  private static final long LONGEST = 1024 * 1024;

  private final URI address;
  private final SSLContext tls;
  private final String authorization;
  private final Duration timeout;
  private final ReentrantLock opening = new ReentrantLock();
  private volatile @Nullable HttpClient client;

  private WebhookConnection(URI address, SSLContext tls, String authorization, Duration timeout) {
    this.address = address;
    this.tls = tls;
    this.authorization = authorization;
    this.timeout = timeout;
  }

  /**
   * Reads a kubeconfig.
   *
   * @param flag the flag that names the file, for errors
   * @param timeout how long an answer may take
   * @throws StartException if the file does not name an HTTPS server
   */
  static WebhookConnection read(String flag, Path file, Duration timeout) {
    try {
      if (!(ObjectReader.untypedYaml(Files.readAllBytes(file)) instanceof MapNode config)) {
        throw new IllegalArgumentException("an object is expected");
      }
      MapNode context = named(config, "contexts", config.text("current-context"), "context");
      MapNode cluster = named(config, "clusters", context.text("cluster"), "cluster");
      MapNode user =
          context.text("user").isEmpty()
              ? MapNode.EMPTY
              : named(config, "users", context.text("user"), "user");
      URI address = URI.create(cluster.text("server"));
      if (!"https".equals(address.getScheme())) {
        throw new IllegalArgumentException("the server is not an https:// address");
      }
      return new WebhookConnection(address, tls(cluster, user), authorization(user), timeout);
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new StartException(flag + ": " + file + ": " + e.getMessage(), e);
    }
  }

  @Override
  public MapNode ask(MapNode review) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .timeout(timeout)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(ObjectWriter.json(review)));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    try {
      HttpResponse<byte[]> answer =
          client()
              .send(
                  request.build(),
                  HttpResponse.BodyHandlers.limiting(
                      HttpResponse.BodyHandlers.ofByteArray(), LONGEST));
      if (answer.statusCode() / 100 != 2) {
        throw new IOException(address + " answered " + answer.statusCode());
      }
      if (ObjectReader.untypedJson(answer.body()) instanceof MapNode object) {
        return object;
      }
      throw new IOException(address + " did not answer with an object");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for " + address, e);
    } catch (DecodeException e) {
      throw new IOException(address + " answered what is not JSON: " + e.text(), e);
    }
  }

  private HttpClient client() {
    HttpClient known = client;
    if (known != null) {
      return known;
    }
    opening.lock();
    try {
      HttpClient open = client;
      if (open == null) {
        open =
            HttpClient.newBuilder()
                .sslContext(tls)
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        client = open;
      }
      return open;
    } finally {
      opening.unlock();
    }
  }

  private static MapNode named(MapNode config, String list, String name, String part) {
    for (Node item : config.items(list)) {
      if (item instanceof MapNode entry && entry.text("name").equals(name)) {
        return entry.map(part);
      }
    }
    throw new IllegalArgumentException("there is no \"" + name + "\" among the " + list);
  }

  private static String authorization(MapNode user) throws IOException {
    String token = user.text("token");
    if (token.isEmpty() && !user.text("tokenFile").isEmpty()) {
      token = Files.readString(Path.of(user.text("tokenFile"))).strip();
    }
    if (!token.isEmpty()) {
      return "Bearer " + token;
    }
    if (user.text("username").isEmpty()) {
      return "";
    }
    String pair = user.text("username") + ":" + user.text("password");
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  private static SSLContext tls(MapNode cluster, MapNode user)
      throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys(user), trust(cluster), null);
    return context;
  }

  private static TrustManager @Nullable [] trust(MapNode cluster)
      throws IOException, GeneralSecurityException {
    Collection<? extends Certificate> authorities = List.of();
    if (!cluster.text("certificate-authority-data").isEmpty()) {
      byte[] pem = Base64.getMimeDecoder().decode(cluster.text("certificate-authority-data"));
      authorities =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem));
    } else if (!cluster.text("certificate-authority").isEmpty()) {
      authorities = Pem.certificates(Path.of(cluster.text("certificate-authority")));
    }
    if (authorities.isEmpty()) {
      return null;
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    int number = 0;
    for (Certificate authority : new ArrayList<>(authorities)) {
      store.setCertificateEntry("authority-" + number++, authority);
    }
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(store);
    return factory.getTrustManagers();
  }

  private static KeyManager @Nullable [] keys(MapNode user)
      throws IOException, GeneralSecurityException {
    if (user.has("client-certificate-data") || user.has("client-key-data")) {
      throw new IllegalArgumentException(
          "a client certificate is expected in files: client-certificate and client-key");
    }
    String certificate = user.text("client-certificate");
    String key = user.text("client-key");
    if (certificate.isEmpty() && key.isEmpty()) {
      return null;
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "client",
        Pem.key(Path.of(key)),
        new char[0],
        Pem.certificates(Path.of(certificate)).toArray(Certificate[]::new));
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }
}
