package dev.keelson.server.identity;

import dev.keelson.authn.RemoteService;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemPrivateKeys;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.webhook.ClientIdentity;
import dev.keelson.webhook.ServerTrust;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The server of the current context of a kubeconfig.
 *
 * @param address its URL
 * @param service the HTTPS client
 */
public record RemoteKubeconfig(URI address, RemoteService service) {

  /**
   * Reads a kubeconfig and the files that it names, and reloads them.
   *
   * @param flag the flag that names the file, for errors
   * @param timeout the timeout of requests
   * @throws StartupException if the file is not a kubeconfig of an HTTPS server
   */
  public static FileReloader.Current<RemoteKubeconfig> follow(
      FileReloader files, String flag, Path file, Duration timeout) {
    return files.follow(flag, file, source -> parse(source, file, timeout));
  }

  /**
   * Parses a kubeconfig and reads the files that it names.
   *
   * @throws IllegalArgumentException if it is not a kubeconfig of an HTTPS server
   */
  static RemoteKubeconfig parse(FileReloader.Source source, Path file, Duration timeout) {
    byte[] text = source.read(file).getBytes(StandardCharsets.UTF_8);
    if (!(yaml(text) instanceof MapNode config)) {
      throw new IllegalArgumentException("expected an object");
    }
    String current = config.text("current-context");
    MapNode context = named(config, "contexts", current, "context");
    MapNode cluster = named(config, "clusters", context.text("cluster"), "cluster");
    MapNode user =
        context.text("user").isEmpty()
            ? MapNode.EMPTY
            : named(config, "users", context.text("user"), "user");
    URI address = URI.create(cluster.text("server"));
    if (!"https".equals(address.getScheme())) {
      throw new IllegalArgumentException("the server is not an https:// URL");
    }
    Path directory = file.toAbsolutePath().getParent();
    Part shown = new Part(user, directory, source);
    SSLContext tls = tls(new Part(cluster, directory, source), shown);
    return new RemoteKubeconfig(address, new RemoteService(() -> tls, headers(shown), timeout));
  }

  private static Node yaml(byte[] text) {
    try {
      return ObjectReader.untypedYaml(text);
    } catch (DecodeException e) {
      throw new IllegalArgumentException(e.text(), e);
    }
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

  /** An entry of a kubeconfig, with the directory of relative paths. */
  private record Part(MapNode node, @Nullable Path directory, FileReloader.Source source) {

    /**
     * Returns the value of {@code key-data} or the content of the file {@code key}; null if neither
     * is set.
     */
    @Nullable String text(String key) {
      String data = node.text(key + "-data");
      if (!data.isEmpty()) {
        return new String(Base64.getMimeDecoder().decode(data), StandardCharsets.ISO_8859_1);
      }
      String path = node.text(key);
      return path.isEmpty() ? null : read(path);
    }

    String read(String path) {
      return source.read(directory == null ? Path.of(path) : directory.resolve(path));
    }
  }

  private static MapNode named(MapNode config, String list, String name, String inner) {
    for (Node item : config.items(list)) {
      if (item instanceof MapNode entry && entry.text("name").equals(name)) {
        return entry.map(inner);
      }
    }
    throw new IllegalArgumentException("\"" + name + "\" not found in " + list);
  }

  private static Map<String, String> headers(Part user) {
    Map<String, String> headers = new LinkedHashMap<>();
    String token = user.node().text("token");
    String file = user.node().text("tokenFile");
    if (token.isEmpty() && !file.isEmpty()) {
      token = user.read(file).strip();
    }
    if (!token.isEmpty()) {
      headers.put("Authorization", "Bearer " + token);
    } else if (!user.node().text("username").isEmpty()) {
      String pair = user.node().text("username") + ":" + user.node().text("password");
      headers.put(
          "Authorization",
          "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }
    return headers;
  }

  private static SSLContext tls(Part cluster, Part user) {
    if (cluster.node().get("insecure-skip-tls-verify") == Node.Bool.TRUE) {
      throw new IllegalArgumentException("insecure-skip-tls-verify is not supported");
    }
    String authorities = cluster.text("certificate-authority");
    KeyStore identity = certificate(user);
    return ServerTrust.of(
        authorities == null
            ? List.of()
            : PemCertificates.parse("certificate-authority", authorities),
        identity);
  }

  /**
   * What the {@code user} of a kubeconfig shows to a server.
   *
   * @param directory where relative paths begin
   * @throws IllegalArgumentException if the certificate or the key is missing or invalid
   */
  static ClientIdentity identity(
      MapNode user, @Nullable Path directory, FileReloader.Source source) {
    Part part = new Part(user, directory, source);
    return new ClientIdentity(certificate(part), headers(part), "");
  }

  /**
   * The headers of the {@code user} of a kubeconfig, with what its token file has now.
   *
   * @param directory where relative paths begin
   */
  static Map<String, String> headers(
      MapNode user, @Nullable Path directory, FileReloader.Source source) {
    return headers(new Part(user, directory, source));
  }

  private static @Nullable KeyStore certificate(Part user) {
    String chain = user.text("client-certificate");
    String key = user.text("client-key");
    if ((chain == null) != (key == null)) {
      throw new IllegalArgumentException("client-certificate and client-key must be set together");
    }
    return chain == null || key == null
        ? null
        : identity(
            PemPrivateKeys.parse("client-key", key),
            PemCertificates.parse("client-certificate", chain));
  }

  /** The form of {@link ClientIdentity#certificate}. */
  static KeyStore identity(PrivateKey key, List<X509Certificate> chain) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("client", key, new char[0], chain.toArray(X509Certificate[]::new));
      return store;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("invalid client certificate: " + e.getMessage(), e);
    }
  }
}
