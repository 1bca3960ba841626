package dev.keelson.server.identity;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemPrivateKeys;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.server.lifecycle.FileReloader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cluster and the user of the current context of a kubeconfig.
 *
 * @param address the URL of the server, of HTTP or HTTPS
 */
record KubeconfigEntries(Part cluster, Part user, URI address) {

  /** Ways to authenticate that need another program, or would act as someone else. */
  private static final List<String> REFUSED =
      List.of("exec", "auth-provider", "as", "as-uid", "as-groups", "as-user-extra");

  private static final Set<String> SCHEMES = Set.of("http", "https");

  /** An entry of a kubeconfig, with the directory of relative paths. */
  record Part(MapNode node, @Nullable Path directory, FileReloader.Source source) {

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

    /** The headers of the user. */
    Map<String, String> headers() {
      Map<String, String> headers = new LinkedHashMap<>();
      String token = node.text("token");
      String file = node.text("tokenFile");
      if (token.isEmpty() && !file.isEmpty()) {
        token = read(file).strip();
      }
      if (!token.isEmpty()) {
        headers.put("Authorization", "Bearer " + token);
      } else if (!node.text("username").isEmpty()) {
        String pair = node.text("username") + ":" + node.text("password");
        headers.put(
            "Authorization",
            "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
      }
      return headers;
    }

    /** Whether the certificate of the cluster's server is to be accepted as it is. */
    boolean insecure() {
      return node.get("insecure-skip-tls-verify") == Node.Bool.TRUE;
    }

    /** The certificate of the user with its key, under the empty password; null for none. */
    @Nullable KeyStore certificate() {
      String chain = text("client-certificate");
      String key = text("client-key");
      if ((chain == null) != (key == null)) {
        throw new IllegalArgumentException(
            "client-certificate and client-key must be set together");
      }
      return chain == null || key == null
          ? null
          : identity(
              PemPrivateKeys.parse("client-key", key),
              PemCertificates.parse("client-certificate", chain));
    }

    /**
     * Refuses a user that is ambiguous or needs what is not supported.
     *
     * @throws IllegalArgumentException naming the field
     */
    void checkUser() {
      for (String field : REFUSED) {
        if (node.has(field) && node.get(field) != Node.Null.NULL) {
          throw new IllegalArgumentException(field + " is not supported");
        }
      }
      boolean hasToken = !node.text("token").isEmpty() || !node.text("tokenFile").isEmpty();
      if (hasToken && !(node.text("username") + node.text("password")).isEmpty()) {
        throw new IllegalArgumentException(
            "username/password or bearer token may be set, but not both");
      }
    }
  }

  /**
   * Reads a kubeconfig. A context that is not named has no name of a cluster or user; that is the
   * name of the entries that have none (source: client-go, {@code clientcmd}).
   *
   * @throws IllegalArgumentException if it is not a kubeconfig of an HTTP or HTTPS server
   */
  static KubeconfigEntries of(FileReloader.Source source, Path file) {
    byte[] text = source.read(file).getBytes(StandardCharsets.UTF_8);
    if (!(yaml(text) instanceof MapNode config)) {
      throw new IllegalArgumentException("expected an object");
    }
    String current = config.text("current-context");
    MapNode context = named(config, "contexts", current, "context");
    MapNode cluster = named(config, "clusters", context.text("cluster"), "cluster");
    MapNode user = named(config, "users", context.text("user"), "user");
    URI address = URI.create(cluster.text("server"));
    if (!SCHEMES.contains(String.valueOf(address.getScheme())) || address.getHost() == null) {
      throw new IllegalArgumentException("the server is not an http:// or https:// URL");
    }
    Path directory = file.toAbsolutePath().getParent();
    return new KubeconfigEntries(
        new Part(cluster, directory, source), new Part(user, directory, source), address);
  }

  private static Node yaml(byte[] text) {
    try {
      return ObjectReader.untypedYaml(text);
    } catch (DecodeException e) {
      throw new IllegalArgumentException(e.text(), e);
    }
  }

  private static MapNode named(MapNode config, String list, String name, String inner) {
    for (Node item : config.items(list)) {
      if (item instanceof MapNode entry && entry.text("name").equals(name)) {
        return entry.map(inner);
      }
    }
    if (name.isEmpty()) {
      return MapNode.EMPTY;
    }
    throw new IllegalArgumentException("\"" + name + "\" not found in " + list);
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
