package dev.keelson.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jose4j.json.JsonUtil;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * An HTTPS server on a free port: an OpenID Connect provider with discovery, replaceable keys and
 * additional paths. Its certificate is self-signed.
 */
public final class IdentityProvider implements AutoCloseable {

  private final HttpsServer server;
  private final X509Certificate certificate;
  private final SSLContext trust;
  private final Map<String, KeyPair> keys = new ConcurrentHashMap<>();
  private final Map<String, Function<HttpExchange, @Nullable String>> paths =
      new ConcurrentHashMap<>();
  private final Map<String, HttpHandler> handlers = new ConcurrentHashMap<>();
  private final Map<String, Object> announced = new ConcurrentHashMap<>();
  private final AtomicInteger keyReads = new AtomicInteger();

  /** On a free port. */
  public IdentityProvider() {
    this(0);
  }

  /** On a port that is free. */
  public IdentityProvider(int port) {
    try {
      KeyPair pair = newKey("EC");
      certificate = selfSigned(pair);
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("s", pair.getPrivate(), new char[0], new X509Certificate[] {certificate});
      KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
      own.init(store, new char[0]);
      SSLContext serving = SSLContext.getInstance("TLS");
      serving.init(own.getKeyManagers(), null, null);
      server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.setHttpsConfigurator(new HttpsConfigurator(serving));
      trust = trusting(certificate);
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
    // a blocking path must not block others
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    path("/.well-known/openid-configuration", exchange -> discovery());
    path("/keys", exchange -> keySet());
    server.createContext("/", this::answer);
    server.start();
  }

  /** The issuer. */
  public String url() {
    return "https://127.0.0.1:" + server.getAddress().getPort();
  }

  public X509Certificate certificate() {
    return certificate;
  }

  /** The certificate in PEM. */
  public String certificatePem() {
    try {
      return "-----BEGIN CERTIFICATE-----\n"
          + Base64.getMimeEncoder().encodeToString(certificate.getEncoded())
          + "\n-----END CERTIFICATE-----\n";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A kubeconfig of a path of this server that trusts {@code pem}. */
  public String kubeconfig(String path, String pem) {
    return """
    apiVersion: v1
    kind: Config
    current-context: c
    contexts:
    - name: c
      context: {cluster: c, user: u}
    clusters:
    - name: c
      cluster:
        server: %s
        certificate-authority-data: %s
    users:
    - name: u
      user: {token: of-the-server}
    """
        .formatted(
            url() + path,
            Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII)));
  }

  /** A TLS context that only trusts this server. */
  public SSLContext trust() {
    return trust;
  }

  /** Adds and publishes a signing key. */
  public void key(String id, String type) {
    keys.put(id, newKey(type));
  }

  /** Removes a key. */
  public void removeKey(String id) {
    keys.remove(id);
  }

  public KeyPair key(String id) {
    KeyPair found = keys.get(id);
    if (found == null) {
      throw new IllegalArgumentException(id);
    }
    return found;
  }

  /** The number of requests of the key set. */
  public int keyReads() {
    return keyReads.get();
  }

  /** Serves {@code path} with a text; null is sent as 500, an exception closes the connection. */
  public void path(String path, Function<HttpExchange, @Nullable String> answer) {
    paths.put(path, answer);
  }

  /** Serves {@code path} with responses of any status; the handler need not close the exchange. */
  public void handle(String path, HttpHandler handler) {
    handlers.put(path, handler);
  }

  /** Adds a member to the discovery document, or replaces it. */
  public void announce(String member, Object value) {
    announced.put(member, value);
  }

  /** Valid claims for the client {@code kubernetes}, with changes. */
  public Map<String, Object> claims(Instant now, Map<String, ?> changed) {
    Map<String, Object> claims = new HashMap<>();
    claims.put("iss", url());
    claims.put("aud", "kubernetes");
    claims.put("sub", "ann");
    claims.put("exp", now.plus(Duration.ofHours(1)).getEpochSecond());
    claims.put("iat", now.getEpochSecond());
    claims.putAll(changed);
    return claims;
  }

  /** Signs a token with one of the keys. */
  public String token(String keyId, String algorithm, Map<String, Object> claims) {
    return token(keyId, key(keyId).getPrivate(), algorithm, claims);
  }

  /** Signs a token with any key. */
  static String token(String keyId, PrivateKey key, String algorithm, Map<String, Object> claims) {
    JsonWebSignature signature = new JsonWebSignature();
    signature.setPayload(JsonUtil.toJson(claims));
    signature.setAlgorithmHeaderValue(algorithm);
    signature.setKeyIdHeaderValue(keyId);
    signature.setKey(key);
    try {
      return signature.getCompactSerialization();
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }

  /** Generates a key pair: RSA, EC (P-256), P-384 or P-521. */
  public static KeyPair newKey(String type) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(type.equals("RSA") ? "RSA" : "EC");
      generator.initialize(
          switch (type) {
            case "RSA" -> 2048;
            case "EC" -> 256;
            case "P-384" -> 384;
            default -> 521;
          });
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private String discovery() {
    Map<String, Object> document = new HashMap<>();
    document.put("issuer", url());
    document.put("jwks_uri", url() + "/keys");
    document.putAll(announced);
    return JsonUtil.toJson(document);
  }

  private String keySet() {
    keyReads.incrementAndGet();
    List<Map<String, Object>> entries =
        keys.entrySet().stream().map(entry -> jwk(entry.getKey(), entry.getValue())).toList();
    return JsonUtil.toJson(Map.of("keys", entries));
  }

  private static Map<String, Object> jwk(String id, KeyPair pair) {
    try {
      PublicJsonWebKey key = PublicJsonWebKey.Factory.newPublicJwk(pair.getPublic());
      key.setKeyId(id);
      key.setUse("sig");
      return key.toParams(org.jose4j.jwk.JsonWebKey.OutputControlLevel.PUBLIC_ONLY);
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  private void answer(HttpExchange exchange) {
    try (exchange) {
      // a request that is answered before its body was read leaves this server's connection, now
      // and then, waiting for what has already come
      byte[] asked = exchange.getRequestBody().readAllBytes();
      exchange.setStreams(new ByteArrayInputStream(asked), null);
      HttpHandler own = handlers.get(exchange.getRequestURI().getPath());
      if (own != null) {
        own.handle(exchange);
        return;
      }
      Function<HttpExchange, @Nullable String> handler =
          paths.get(exchange.getRequestURI().getPath());
      String text = handler == null ? null : handler.apply(exchange);
      byte[] body = (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(
          handler == null ? 404 : text == null ? 500 : 200, body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SSLContext trusting(X509Certificate certificate)
      throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("s", certificate);
    TrustManagerFactory others = TrustManagerFactory.getInstance("PKIX");
    others.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, others.getTrustManagers(), null);
    return context;
  }

  private static X509Certificate selfSigned(KeyPair pair)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    X500Name name = new X500Name("CN=provider");
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            name,
            BigInteger.ONE,
            Date.from(Instant.parse("2020-01-01T00:00:00Z")),
            Date.from(Instant.parse("2090-01-01T00:00:00Z")),
            name,
            pair.getPublic());
    builder.addExtension(
        Extension.subjectAlternativeName,
        false,
        new GeneralNames(new GeneralName(GeneralName.iPAddress, "127.0.0.1")));
    return new JcaX509CertificateConverter()
        .getCertificate(
            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate())));
  }
}
