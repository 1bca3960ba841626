package dev.keelson.server.identity;

import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemPrivateKeys;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.webhook.ServerTrust;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The server of the current context of a kubeconfig, for a client that sends any request.
 *
 * @param address its URL, of HTTPS
 * @param tls the trust in it, and the client's certificate
 * @param headers of each request; may be empty
 */
public record KubeconfigServer(URI address, Tls tls, Map<String, String> headers) {

  private static final int HTTPS = 443;

  public KubeconfigServer {
    headers = Map.copyOf(headers);
  }

  /**
   * What a TLS connection needs, all in PEM.
   *
   * @param serverName the name or address that the server's certificate must have
   * @param authorities those that are trusted; empty for the system's
   * @param certificate the client's certificate and its intermediates; empty for none
   * @param key the private key of that certificate; empty for none
   */
  public record Tls(String serverName, String authorities, String certificate, String key) {

    /** Decides which server a certificate identifies. */
    public X509TrustManager trust() {
      try {
        return ServerTrust.manager(authorities, serverName, flaw -> {});
      } catch (IOException e) {
        throw new IllegalArgumentException("certificate-authority: " + e.getMessage(), e);
      }
    }

    /** The client's certificate with its key; null for none. */
    public @Nullable X509KeyManager identity() {
      if (certificate.isEmpty()) {
        return null;
      }
      KeyStore store =
          KubeconfigEntries.identity(
              PemPrivateKeys.parse("client-key", key),
              PemCertificates.parse("client-certificate", certificate));
      try {
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(store, new char[0]);
        return (X509KeyManager) factory.getKeyManagers()[0];
      } catch (GeneralSecurityException e) {
        throw new IllegalArgumentException("client-certificate: " + e.getMessage(), e);
      }
    }

    /** Whether there is a client certificate. */
    public boolean hasIdentity() {
      return !certificate.isEmpty();
    }

    void check() {
      if (certificate.isEmpty() != key.isEmpty()) {
        throw new IllegalArgumentException(
            "client-certificate and client-key must be set together");
      }
      X509TrustManager trusted = trust();
      X509KeyManager shown = identity();
      assert trusted != null && (shown != null) == hasIdentity();
    }
  }

  /**
   * Reads a kubeconfig and the files that it names, and reloads them.
   *
   * @param flag the flag that names the file, for errors
   * @throws dev.keelson.server.lifecycle.StartupException if the file is not a kubeconfig of an
   *     HTTPS server, or needs what is not supported
   */
  public static FileReloader.Current<KubeconfigServer> follow(
      FileReloader files, String flag, Path file) {
    return files.follow(flag, file, source -> parse(source, file));
  }

  private static KubeconfigServer parse(FileReloader.Source source, Path file) {
    KubeconfigEntries entries = KubeconfigEntries.of(source, file);
    KubeconfigEntries.Part cluster = entries.cluster();
    KubeconfigEntries.Part user = entries.user();
    user.checkUser();
    if (!"https".equals(entries.address().getScheme())) {
      throw new IllegalArgumentException("the server is not an https:// URL");
    }
    if (cluster.insecure()) {
      throw new IllegalArgumentException("insecure-skip-tls-verify is not supported");
    }
    if (!cluster.node().text("proxy-url").isEmpty()) {
      throw new IllegalArgumentException("proxy-url is not supported");
    }
    String name = cluster.node().text("tls-server-name");
    URI address = entries.address();
    KubeconfigServer server =
        new KubeconfigServer(
            address,
            new Tls(
                name.isEmpty() ? hostOf(address) : name,
                orEmpty(cluster.text("certificate-authority")),
                orEmpty(user.text("client-certificate")),
                orEmpty(user.text("client-key"))),
            user.headers());
    server.tls().check();
    return server;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  /** The host name or address, without brackets. */
  public String host() {
    return hostOf(address);
  }

  private static String hostOf(URI address) {
    String host = address.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** The port, which is 443 where the URL has none. */
  public int port() {
    return address.getPort() < 0 ? HTTPS : address.getPort();
  }

  /** The path of the URL without a slash at its end; may be empty. */
  public String path() {
    String path = address.getRawPath() == null ? "" : address.getRawPath();
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
