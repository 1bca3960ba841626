package dev.keelson.server.identity;

import dev.keelson.authn.RemoteService;
import dev.keelson.pem.PemCertificates;
import dev.keelson.server.identity.KubeconfigEntries.Part;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.webhook.ServerTrust;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * The server of the current context of a kubeconfig.
 *
 * @param address its URL, of HTTP or HTTPS
 * @param service the client
 */
public record RemoteKubeconfig(URI address, RemoteService service) {

  /**
   * Reads a kubeconfig and the files that it names, and reloads them.
   *
   * @param flag the flag that names the file, for errors
   * @param timeout the timeout of requests
   * @throws StartupException if the file is not a kubeconfig of a server
   */
  public static FileReloader.Current<RemoteKubeconfig> follow(
      FileReloader files, String flag, Path file, Duration timeout) {
    return files.follow(flag, file, source -> parse(source, file, timeout));
  }

  /**
   * Parses a kubeconfig and reads the files that it names.
   *
   * @throws IllegalArgumentException if it is not a kubeconfig of a server
   */
  static RemoteKubeconfig parse(FileReloader.Source source, Path file, Duration timeout) {
    KubeconfigEntries entries = KubeconfigEntries.of(source, file);
    SSLContext tls = tls(entries.cluster(), entries.user());
    return new RemoteKubeconfig(
        entries.address(),
        new RemoteService(() -> tls, entries.user().headers(), timeout, /* plain= */ true));
  }

  /** Posts JSON to the URL of the server. */
  String post(String json) throws IOException {
    return service.post(address, json);
  }

  /** Returns the URL of a path, which begins with a slash. */
  URI at(String path) {
    String base = address.toString();
    return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
  }

  /** Creates a TLS context that trusts these CA certificates, or the host's if there are none. */
  static SSLContext trusting(List<X509Certificate> authorities) {
    return ServerTrust.of(authorities, null);
  }

  private static SSLContext tls(Part cluster, Part user) {
    String authorities = cluster.text("certificate-authority");
    KeyStore identity = user.certificate();
    if (cluster.insecure()) {
      if (authorities != null) {
        throw new IllegalArgumentException(
            "specifying a root certificates file with the insecure flag is not allowed");
      }
      return ServerTrust.insecure(identity);
    }
    List<X509Certificate> trusted =
        authorities == null
            ? List.of()
            : PemCertificates.parse("certificate-authority", authorities);
    String name = cluster.node().text("tls-server-name");
    return name.isEmpty()
        ? ServerTrust.of(trusted, identity)
        : ServerTrust.named(trusted, name, identity);
  }
}
