package dev.keelson.testing;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * A parsed kubeconfig with one cluster and one user with embedded certificates.
 *
 * @param server the URL of the server
 * @param authority the CA certificate
 * @param certificate the user's certificate
 * @param key the user's private key
 */
public record Kubeconfig(
    URI server, X509Certificate authority, X509Certificate certificate, PrivateKey key) {

  private static final char[] NO_PASSWORD = new char[0];

  /** Parses a kubeconfig; throws {@link IllegalStateException} if it is invalid. */
  public static Kubeconfig read(Path file) {
    try {
      Map<?, ?> root =
          map(new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file)));
      Map<?, ?> cluster = map(only(root, "clusters").get("cluster"));
      Map<?, ?> user = map(only(root, "users").get("user"));
      return new Kubeconfig(
          URI.create(String.valueOf(cluster.get("server"))),
          certificate(pem(cluster, "certificate-authority-data")),
          certificate(pem(user, "client-certificate-data")),
          privateKey(pem(user, "client-key-data")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("unreadable certificates in " + file, e);
    }
  }

  /** A TLS context that only trusts the server, with the user's certificate. */
  public SSLContext asUser() {
    try {
      KeyStore keys = emptyStore();
      keys.setKeyEntry("user", key, NO_PASSWORD, new X509Certificate[] {certificate});
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, NO_PASSWORD);
      return context(managers.getKeyManagers());
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A TLS context that only trusts the server, without a certificate. */
  public SSLContext asNobody() {
    try {
      return context(new KeyManager[0]);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private SSLContext context(KeyManager[] keys) throws GeneralSecurityException, IOException {
    KeyStore trusted = emptyStore();
    trusted.setCertificateEntry("authority", authority);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, trust.getTrustManagers(), null);
    return context;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static Map<?, ?> only(Map<?, ?> root, String list) {
    if (root.get(list) instanceof List<?> entries && entries.size() == 1) {
      return map(entries.getFirst());
    }
    throw new IllegalStateException("expected one entry in " + list + ": " + root.get(list));
  }

  private static Map<?, ?> map(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw new IllegalStateException("expected a map: " + value);
  }

  private static String pem(Map<?, ?> holder, String name) {
    if (holder.get(name) instanceof String base64) {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII);
    }
    throw new IllegalStateException("no " + name);
  }

  private static X509Certificate certificate(String pem)
      throws IOException, GeneralSecurityException {
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      if (parser.readObject() instanceof X509CertificateHolder holder) {
        return new JcaX509CertificateConverter().getCertificate(holder);
      }
    }
    throw new IllegalStateException("no certificate in " + pem);
  }

  private static PrivateKey privateKey(String pem) throws IOException {
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      return switch (parser.readObject()) {
        case PEMKeyPair pair -> new JcaPEMKeyConverter().getKeyPair(pair).getPrivate();
        case PrivateKeyInfo info -> new JcaPEMKeyConverter().getPrivateKey(info);
        default -> throw new IllegalStateException("no private key");
      };
    }
  }
}
