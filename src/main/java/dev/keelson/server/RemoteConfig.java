package dev.keelson.server;

import dev.keelson.authn.RemoteService;
import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.server.pki.Pem;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Another server, as the current context of a kubeconfig names it.
 *
 * @param address where it is
 * @param service reaches it
 */
record RemoteConfig(URI address, RemoteService service) {

  /**
   * Reads a kubeconfig.
   *
   * @param flag the flag that names the file, for errors
   * @throws StartException if the file is no kubeconfig for an HTTPS server
   */
  static RemoteConfig read(String flag, Path file) {
    try {
      byte[] text = Files.readAllBytes(file);
      if (!(ObjectReader.untypedYaml(text) instanceof MapNode config)) {
        throw new IllegalArgumentException("it holds no object");
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
        throw new IllegalArgumentException("the server is not an https:// address");
      }
      Path directory = file.toAbsolutePath().getParent();
      SSLContext trust = tls(new Part(cluster, directory), new Part(user, directory));
      return new RemoteConfig(
          address, new RemoteService(() -> trust, headers(new Part(user, directory))));
    } catch (IOException | RuntimeException e) {
      throw new StartException(flag + ": " + file + ": " + e.getMessage(), e);
    }
  }

  /** Trusts the authorities of a file, or those of the host if there is none. */
  static SSLContext trusting(@Nullable Path authorities) {
    return context(authorities == null ? List.of() : Pem.certificates(authorities), null);
  }

  /** An object of a kubeconfig, with the directory that its paths start from. */
  private record Part(MapNode node, @Nullable Path directory) {

    /** The bytes that a key gives, in itself or by a file; null if it does neither. */
    byte @Nullable [] bytes(String key) {
      String data = node.text(key + "-data");
      if (!data.isEmpty()) {
        return Base64.getMimeDecoder().decode(data);
      }
      String path = node.text(key);
      return path.isEmpty() ? null : read(path);
    }

    byte[] read(String path) {
      Path file = directory == null ? Path.of(path) : directory.resolve(path);
      try {
        return Files.readAllBytes(file);
      } catch (IOException e) {
        throw new IllegalArgumentException("cannot read " + file + ": " + e, e);
      }
    }
  }

  private static MapNode named(MapNode config, String list, String name, String inner) {
    for (Node item : config.items(list)) {
      if (item instanceof MapNode entry && entry.text("name").equals(name)) {
        return entry.map(inner);
      }
    }
    throw new IllegalArgumentException("there is no \"" + name + "\" among its " + list);
  }

  private static Map<String, String> headers(Part user) {
    Map<String, String> headers = new LinkedHashMap<>();
    String token = user.node().text("token");
    String file = user.node().text("tokenFile");
    if (token.isEmpty() && !file.isEmpty()) {
      token = new String(user.read(file), StandardCharsets.UTF_8).strip();
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
    byte[] authorities = cluster.bytes("certificate-authority");
    byte[] chain = user.bytes("client-certificate");
    byte[] key = user.bytes("client-key");
    if ((chain == null) != (key == null)) {
      throw new IllegalArgumentException("client-certificate and client-key go together");
    }
    KeyStore identity =
        chain == null || key == null
            ? null
            : identity(
                Pem.key("client-key", new String(key, StandardCharsets.ISO_8859_1)),
                Pem.certificates(
                    "client-certificate", new String(chain, StandardCharsets.ISO_8859_1)));
    return context(
        authorities == null
            ? List.of()
            : Pem.certificates(
                "certificate-authority", new String(authorities, StandardCharsets.ISO_8859_1)),
        identity);
  }

  private static KeyStore identity(PrivateKey key, List<X509Certificate> chain) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("client", key, new char[0], chain.toArray(X509Certificate[]::new));
      return store;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("a client certificate cannot be used: " + e.getMessage(), e);
    }
  }

  private static SSLContext context(
      List<X509Certificate> authorities, @Nullable KeyStore identity) {
    try {
      TrustManager[] trust = null;
      if (!authorities.isEmpty()) {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (int i = 0; i < authorities.size(); i++) {
          store.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        trust = factory.getTrustManagers();
      }
      KeyManager[] keys = null;
      if (identity != null) {
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(identity, new char[0]);
        keys = factory.getKeyManagers();
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }
}
