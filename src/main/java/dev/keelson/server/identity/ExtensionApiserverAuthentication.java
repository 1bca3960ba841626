package dev.keelson.server.identity;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.proxy.RequestHeaderAuthenticator;
import dev.keelson.authn.proxy.RequestHeaderOptions;
import dev.keelson.authn.x509.X509Authenticator;
import dev.keelson.config.option.DelegatedAuthentication;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.pem.PemCertificates;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.StartupException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The client CAs and front proxies of a delegating server, from its ConfigMap {@code
 * kube-system/extension-apiserver-authentication}. Read at start and every ten seconds; if that
 * fails, the previous content stays in effect.
 */
final class ExtensionApiserverAuthentication implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(ExtensionApiserverAuthentication.class);
  private static final String FLAG = "--authentication-kubeconfig";
  private static final String PATH =
      "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Trusted NOTHING = new Trusted(List.of(), null, "");

  private final FileReloader.Current<RemoteKubeconfig> remote;
  private final List<X509Certificate> own;
  private final InstantSource clock;
  private volatile Known known;
  private final ControllerLoop loop = ControllerLoop.every("cluster-trust", INTERVAL, this::look);

  /** The content of the ConfigMap; {@code version} is its resourceVersion. */
  private record Trusted(List<X509Certificate> clients, @Nullable Proxy proxy, String version) {}

  private record Proxy(RequestHeaderOptions options, List<X509Certificate> authorities) {}

  /** That content and its authenticators; null if there are no CAs or no proxies. */
  private record Known(
      String version,
      @Nullable Authenticator clients,
      @Nullable Authenticator proxy,
      List<X509Certificate> authorities) {}

  /**
   * @param own CA certificates that are trusted in addition
   */
  ExtensionApiserverAuthentication(
      FileReloader.Current<RemoteKubeconfig> remote,
      List<X509Certificate> own,
      InstantSource clock) {
    this.remote = remote;
    this.own = List.copyOf(own);
    this.clock = clock;
    this.known = known(NOTHING);
  }

  /**
   * Reads the ConfigMap for the first time; blocks.
   *
   * @throws StartupException if that fails and the options do not tolerate it
   */
  void read(DelegatedAuthentication options) {
    try {
      look();
    } catch (IOException | RuntimeException e) {
      if (!options.tolerateFailure()) {
        throw new StartupException(
            FLAG
                + ": cannot look up the authentication configuration of the cluster: "
                + described(e)
                + "; see --authentication-tolerate-lookup-failure and --authentication-skip-lookup",
            e);
      }
      LOG.warnf("event=authentication-lookup-failed error=%s", described(e));
    }
  }

  /** The message, or the type of an error without one, such as a refused connection. */
  private static String described(Exception error) {
    String message = error.getMessage();
    return message == null ? error.toString() : message;
  }

  /** Starts to poll. */
  void start() {
    loop.startAfterInterval();
  }

  @Override
  public void close() {
    loop.close();
  }

  /** Authenticates client certificates by the CAs of the cluster and the additional ones. */
  Authentication client(Credentials credentials) {
    return ask(known.clients(), credentials);
  }

  /** Authenticates users by the headers of the cluster's front proxies. */
  Authentication proxied(Credentials credentials) {
    return ask(known.proxy(), credentials);
  }

  /** The CAs of clients and front proxies, as they were last read. */
  List<X509Certificate> authorities() {
    return known.authorities();
  }

  private static Authentication ask(@Nullable Authenticator one, Credentials credentials) {
    return one == null ? new Authentication.NoOpinion() : one.authenticate(credentials);
  }

  private void look() throws IOException {
    RemoteKubeconfig server = remote.get();
    Trusted now = parse(server.service().get(server.at(PATH), Map.of()));
    if (!now.version().equals(known.version())) {
      known = known(now);
      LOG.infof("event=authentication-lookup rev=%s", now.version());
    }
  }

  private Known known(Trusted now) {
    List<X509Certificate> clients = new ArrayList<>(own);
    clients.addAll(now.clients());
    Proxy proxy = now.proxy();
    List<X509Certificate> authorities = new ArrayList<>(now.clients());
    if (proxy != null) {
      authorities.addAll(proxy.authorities());
    }
    return new Known(
        now.version(),
        clients.isEmpty() ? null : new X509Authenticator(clients, clock),
        proxy == null
            ? null
            : new RequestHeaderAuthenticator(
                proxy.options(), new X509Authenticator(proxy.authorities(), clock)),
        List.copyOf(authorities));
  }

  private static Trusted parse(String json) throws IOException {
    try {
      if (!(ObjectReader.untypedJson(json.getBytes(StandardCharsets.UTF_8))
          instanceof MapNode map)) {
        throw new IOException("the ConfigMap is not an object");
      }
      MapNode data = map.map("data");
      String clients = data.text("client-ca-file");
      String proxies = data.text("requestheader-client-ca-file");
      return new Trusted(
          clients.isEmpty() ? List.of() : PemCertificates.parse("client-ca-file", clients),
          proxies.isEmpty() ? null : proxy(data, proxies),
          map.map("metadata").text("resourceVersion"));
    } catch (DecodeException e) {
      throw new IOException("malformed ConfigMap: " + e.text(), e);
    }
  }

  private static Proxy proxy(MapNode data, String authorities) {
    return new Proxy(
        new RequestHeaderOptions(
            texts(data, "requestheader-username-headers"),
            texts(data, "requestheader-uid-headers"),
            texts(data, "requestheader-group-headers"),
            texts(data, "requestheader-extra-headers-prefix"),
            null,
            texts(data, "requestheader-allowed-names")),
        PemCertificates.parse("requestheader-client-ca-file", authorities));
  }

  /** Parses a JSON list of strings. */
  private static List<String> texts(MapNode data, String key) {
    String json = data.text(key);
    List<String> texts = new ArrayList<>();
    if (!json.isEmpty()
        && ObjectReader.untypedJson(json.getBytes(StandardCharsets.UTF_8))
            instanceof Node.Items(List<Node> items)) {
      for (Node item : items) {
        if (item instanceof Node.Text(String text)) {
          texts.add(text);
        }
      }
    }
    return texts;
  }
}
