package dev.keelson.server.identity;

import dev.keelson.authn.AnonymousAuthConfig;
import dev.keelson.authn.AudienceAgnosticAuthenticator;
import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.RemoteService;
import dev.keelson.authn.UnionAuthenticator;
import dev.keelson.authn.bootstrap.BootstrapTokenAuthenticator;
import dev.keelson.authn.jwt.Jwt;
import dev.keelson.authn.oidc.AuthorizationCodeClient;
import dev.keelson.authn.oidc.Issuer;
import dev.keelson.authn.oidc.IssuerMetrics;
import dev.keelson.authn.oidc.LoginOptions;
import dev.keelson.authn.oidc.OidcAuthenticator;
import dev.keelson.authn.oidc.OidcIssuerAuthenticator;
import dev.keelson.authn.oidc.OidcOptions;
import dev.keelson.authn.proxy.RequestHeaderAuthenticator;
import dev.keelson.authn.proxy.RequestHeaderOptions;
import dev.keelson.authn.token.BasicAuthenticator;
import dev.keelson.authn.token.TokenFileAuthenticator;
import dev.keelson.authn.webhook.WebhookOptions;
import dev.keelson.authn.webhook.WebhookTokenAuthenticator;
import dev.keelson.authn.x509.X509Authenticator;
import dev.keelson.client.ResourceClient;
import dev.keelson.config.option.AuthenticationOptions;
import dev.keelson.config.option.DelegatedAuthentication;
import dev.keelson.controller.bootstrap.ClusterAuthenticationInfo;
import dev.keelson.pem.PemCertificates;
import dev.keelson.server.identity.configuration.AuthenticationConfiguration;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.StartupException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Builds the chain of authenticators from the options, in the order of kube-apiserver: the front
 * proxy, client certificates, the token file, service accounts, bootstrap tokens, OpenID providers,
 * webhooks. OpenID providers come late because they may block. The password file, which
 * kube-apiserver no longer supports, has its former position after the front proxy.
 */
final class Authenticators {

  /** The timeout of webhook requests, as in Kubernetes. */
  private static final Duration WEBHOOK_TIMEOUT = Duration.ofSeconds(30);

  private static final String REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";

  private final AuthenticationOptions options;
  private final ResourceClient client;
  private final IssuerMetrics metrics;
  private final InstantSource clock;
  private final FileReloader files;
  private FileReloader.Current<List<X509Certificate>> clientAuthorities = List::of;
  private FileReloader.@Nullable Current<List<X509Certificate>> proxyAuthorities;
  private @Nullable ExtensionApiserverAuthentication trust;
  private Supplier<List<AuthorizationCodeClient>> logins = List::of;

  Authenticators(
      AuthenticationOptions options,
      ResourceClient client,
      IssuerMetrics metrics,
      InstantSource clock,
      FileReloader files) {
    this.options = options;
    this.client = client;
    this.metrics = metrics;
    this.clock = clock;
    this.files = files;
  }

  /**
   * Builds the union of authenticators.
   *
   * @param own the server's own CA, which is always trusted: it issues the administrator's
   *     certificate
   * @param accounts authenticates service account tokens
   */
  UnionAuthenticator chain(X509Certificate own, Authenticator accounts) {
    List<Authenticator> chain = new ArrayList<>();
    DelegatedAuthentication delegation = options.delegation();
    FileReloader.Current<RemoteKubeconfig> cluster =
        delegation == null ? null : cluster(delegation, files);
    ExtensionApiserverAuthentication found = lookedUp(delegation, cluster, own);
    addProxies(chain, found);
    add(chain, "--basic-auth-file", options.basicFile(), BasicAuthenticator::parse);
    addCertificates(chain, own, found);
    checkOverlap();
    List<Authenticator> local = new ArrayList<>();
    add(local, "--token-auth-file", options.tokenFile(), TokenFileAuthenticator::parse);
    addTokens(chain, local);
    chain.add(accounts);
    List<Authenticator> more = new ArrayList<>();
    if (options.bootstrapTokens()) {
      more.add(new BootstrapTokenAuthenticator(client, clock));
    }
    OidcOptions oidc = options.oidc();
    if (oidc != null) {
      RemoteService provider = provider(oidc.caFile());
      Issuer issuer = oidc.issuer();
      more.add(issuers(List.of(new OidcIssuerAuthenticator(issuer, provider, metrics, clock))));
      List<AuthorizationCodeClient> login = login(issuer, provider, secret()).stream().toList();
      logins = () -> login;
    }
    Supplier<AnonymousAuthConfig> anonymous = configured(more);
    addTokens(chain, more);
    WebhookOptions webhook = options.webhook();
    if (webhook != null) {
      FileReloader.Current<RemoteKubeconfig> remote =
          RemoteKubeconfig.follow(
              files,
              "--authentication-token-webhook-config-file",
              webhook.configFile(),
              WEBHOOK_TIMEOUT);
      chain.add(
          new WebhookTokenAuthenticator(
              webhook, json -> remote.get().post(json), options.apiAudiences(), clock));
    }
    if (delegation != null && cluster != null) {
      chain.add(reviews(delegation, cluster, clock));
    }
    return new UnionAuthenticator(chain, anonymous);
  }

  /** Authenticates tokens by TokenReviews of another API server. */
  static Authenticator reviews(
      DelegatedAuthentication delegation,
      FileReloader.Current<RemoteKubeconfig> cluster,
      InstantSource clock) {
    return new WebhookTokenAuthenticator(
        new WebhookOptions(delegation.kubeconfig(), "v1", delegation.cacheTtl()),
        json -> cluster.get().service().post(cluster.get().at(REVIEWS), json),
        delegation.audiences(),
        clock);
  }

  /** The kubeconfig of the API server that authenticates. */
  static FileReloader.Current<RemoteKubeconfig> cluster(
      DelegatedAuthentication delegation, FileReloader files) {
    return RemoteKubeconfig.follow(
        files, "--authentication-kubeconfig", delegation.kubeconfig(), WEBHOOK_TIMEOUT);
  }

  /** Adds token authenticators without audiences. */
  private void addTokens(List<Authenticator> chain, List<Authenticator> readers) {
    readers.forEach(
        reader -> chain.add(new AudienceAgnosticAuthenticator(reader, options.apiAudiences())));
  }

  private OidcAuthenticator issuers(List<OidcIssuerAuthenticator> issuers) {
    return new OidcAuthenticator(issuers, Jwt::parse, clock);
  }

  /**
   * Adds the issuers of the configuration file, if there is one; returns the configuration of
   * anonymous requests.
   */
  private Supplier<AnonymousAuthConfig> configured(List<Authenticator> tokens) {
    AnonymousAuthConfig byFlag = AnonymousAuthConfig.of(options.anonymous());
    Path file = options.configFile();
    if (file == null) {
      return () -> byFlag;
    }
    Supplier<String> secret = secret();
    AtomicReference<@Nullable Configured> first = new AtomicReference<>();
    AtomicReference<@Nullable Configured> last = new AtomicReference<>();
    FileReloader.Current<Configured> current =
        files.follow(
            "--authentication-config",
            List.of(file),
            texts -> {
              Configured next = configured(texts.getFirst(), byFlag, secret);
              Configured initial = first.get();
              if (initial != null) {
                next.checkAfter(initial);
              }
              forget(last.getAndSet(next), next);
              return next;
            });
    first.set(current.get());
    logins = () -> current.get().logins();
    tokens.add(credentials -> current.get().issuers().authenticate(credentials));
    return () -> current.get().anonymous();
  }

  /** Forgets what is known of the keys of issuers that a changed file does not name any more. */
  private void forget(@Nullable Configured before, Configured now) {
    if (before != null) {
      for (String issuer : before.issuers().urls()) {
        if (!now.issuers().urls().contains(issuer)) {
          metrics.removed(issuer);
        }
      }
    }
  }

  /**
   * @param own the configuration of anonymous requests in the file; null if it has none
   * @param anonymous the one in effect
   */
  private record Configured(
      OidcAuthenticator issuers,
      @Nullable AnonymousAuthConfig own,
      AnonymousAuthConfig anonymous,
      List<AuthorizationCodeClient> logins) {

    /**
     * Refuses what kube-apiserver does not take over while it runs: another rule for anonymous
     * requests, and providers that are not there, as with a wrong CA, since the users of the
     * configuration in effect would get 401.
     */
    void checkAfter(Configured initial) {
      if (!Objects.equals(own, initial.own)) {
        throw new IllegalArgumentException(
            "anonymous: Forbidden: changed from initial configuration file");
      }
      issuers
          .failure()
          .ifPresent(
              why -> {
                throw new FileReloader.NotReadyException(why);
              });
    }
  }

  private Configured configured(String text, AnonymousAuthConfig byFlag, Supplier<String> secret) {
    AuthenticationConfiguration read =
        AuthenticationConfiguration.parse(text, options.serviceAccounts().issuers());
    List<OidcIssuerAuthenticator> issuers = new ArrayList<>();
    List<AuthorizationCodeClient> possible = new ArrayList<>();
    for (AuthenticationConfiguration.Trusted one : read.issuers()) {
      SSLContext trust = RemoteKubeconfig.trusting(one.authorities());
      RemoteService service = new RemoteService(() -> trust, Map.of());
      issuers.add(new OidcIssuerAuthenticator(one.issuer(), service, metrics, clock));
      if (isForLogins(one.issuer())) {
        login(one.issuer(), service, secret).ifPresent(possible::add);
      }
    }
    if (possible.isEmpty() && options.login() != null) {
      throw new IllegalArgumentException(
          "no issuer has the audience \""
              + options.login().clientId()
              + "\" of --console-oidc-client-id");
    }
    return new Configured(
        issuers(issuers),
        read.anonymous(),
        read.anonymousOr(byFlag, options.anonymousGiven()),
        List.copyOf(possible));
  }

  private boolean isForLogins(Issuer issuer) {
    LoginOptions login = options.login();
    return login != null && issuer.audiences().contains(login.clientId());
  }

  private Optional<AuthorizationCodeClient> login(
      Issuer issuer, RemoteService service, Supplier<String> secret) {
    LoginOptions login = options.login();
    return login == null
        ? Optional.empty()
        : Optional.of(new AuthorizationCodeClient(issuer, service, login, secret, clock));
  }

  /** The current secret of the client for logins; empty for a public one. */
  private Supplier<String> secret() {
    LoginOptions login = options.login();
    Path file = login == null ? null : login.secretFile();
    if (file == null) {
      return () -> "";
    }
    FileReloader.Current<String> secret =
        files.follow(
            "--console-oidc-client-secret-file",
            List.of(file),
            texts -> {
              if (texts.getFirst().isBlank()) {
                throw new IllegalArgumentException("the file is empty");
              }
              return texts.getFirst().strip();
            });
    return secret::get;
  }

  /** Creates the client of a provider, whose certificate is verified with the current CA file. */
  private RemoteService provider(@Nullable Path authorities) {
    if (authorities == null) {
      SSLContext host = RemoteKubeconfig.trusting(List.of());
      return new RemoteService(() -> host, Map.of());
    }
    FileReloader.Current<SSLContext> trust =
        files.follow(
            "--oidc-ca-file",
            List.of(authorities),
            texts ->
                RemoteKubeconfig.trusting(
                    PemCertificates.parse(authorities.toString(), texts.getFirst())));
    return new RemoteService(trust::get, Map.of());
  }

  /** Creates the lookup of the delegating server's CAs; null if it is not configured. */
  private @Nullable ExtensionApiserverAuthentication lookedUp(
      @Nullable DelegatedAuthentication delegation,
      FileReloader.@Nullable Current<RemoteKubeconfig> cluster,
      X509Certificate own) {
    if (delegation == null || cluster == null || delegation.skipLookup()) {
      return null;
    }
    if (options.clientCaFile() != null && options.proxy() != null) {
      return null;
    }
    ExtensionApiserverAuthentication found =
        new ExtensionApiserverAuthentication(cluster, List.of(own), clock);
    found.read(delegation);
    trust = found;
    return found;
  }

  private void addProxies(
      List<Authenticator> chain, @Nullable ExtensionApiserverAuthentication cluster) {
    RequestHeaderOptions proxy = options.proxy();
    Path proxies = proxy == null ? null : proxy.clientCaFile();
    if (proxy != null && proxies != null) {
      FileReloader.Current<List<X509Certificate>> authorities =
          authorities("--requestheader-client-ca-file", proxies, List.of());
      proxyAuthorities = authorities;
      chain.add(new RequestHeaderAuthenticator(proxy, byAuthorities(authorities)));
    } else if (cluster != null) {
      chain.add(cluster::proxied);
    }
  }

  private void addCertificates(
      List<Authenticator> chain,
      X509Certificate own,
      @Nullable ExtensionApiserverAuthentication cluster) {
    Path clients = options.clientCaFile();
    if (clients != null) {
      clientAuthorities = authorities("--client-ca-file", clients, List.of(own));
      chain.add(byAuthorities(clientAuthorities));
    } else {
      clientAuthorities = () -> List.of(own);
      chain.add(cluster == null ? new X509Authenticator(List.of(own), clock) : cluster::client);
    }
  }

  /** Source: {@code BuiltInAuthenticationOptions.Validate} of kube-apiserver. */
  private void checkOverlap() {
    RequestHeaderOptions proxy = options.proxy();
    FileReloader.Current<List<X509Certificate>> proxies = proxyAuthorities;
    if (proxy == null || proxies == null || !proxy.allowedNames().isEmpty()) {
      return;
    }
    List<X509Certificate> clients = clientAuthorities.get();
    if (proxies.get().stream().anyMatch(clients::contains)) {
      throw new StartupException(
          "--requestheader-client-ca-file and --client-ca-file contain overlapping certificates;"
              + " --requestheader-allowed-names must be specified to ensure regular client"
              + " certificates cannot set authenticating proxy headers for arbitrary users",
          null);
    }
  }

  private FileReloader.Current<List<X509Certificate>> authorities(
      String flag, Path file, List<X509Certificate> more) {
    return files.follow(
        flag,
        List.of(file),
        texts -> {
          List<X509Certificate> all =
              new ArrayList<>(PemCertificates.parse(file.toString(), texts.getFirst()));
          all.addAll(more);
          return List.copyOf(all);
        });
  }

  /** Authenticates client certificates with the current CAs. */
  private Authenticator byAuthorities(FileReloader.Current<List<X509Certificate>> authorities) {
    return new Authenticator() {

      private volatile Made made = make(authorities.get());

      @Override
      public Authentication authenticate(Credentials credentials) {
        List<X509Certificate> now = authorities.get();
        Made known = made;
        if (known.from() != now) {
          known = make(now);
          made = known;
        }
        return known.certificates().authenticate(credentials);
      }
    };
  }

  private record Made(List<X509Certificate> from, X509Authenticator certificates) {}

  private Made make(List<X509Certificate> authorities) {
    return new Made(authorities, new X509Authenticator(authorities, clock));
  }

  /** Returns the CAs of clients and front proxies; called after the chain is built. */
  List<X509Certificate> authorities() {
    FileReloader.Current<List<X509Certificate>> proxies = proxyAuthorities;
    List<X509Certificate> clients = clientAuthorities.get();
    return proxies == null
        ? clients
        : Stream.concat(clients.stream(), proxies.get().stream()).toList();
  }

  /**
   * Returns these CAs and those of the delegating server's cluster; called after the chain is
   * built.
   */
  List<X509Certificate> namedAuthorities() {
    List<X509Certificate> known = authorities();
    ExtensionApiserverAuthentication cluster = trust;
    return cluster == null
        ? known
        : Stream.concat(known.stream(), cluster.authorities().stream()).distinct().toList();
  }

  /** Returns the published CAs and front proxies; called after the chain is built. */
  ClusterAuthenticationInfo published() {
    RequestHeaderOptions proxy = options.proxy();
    FileReloader.Current<List<X509Certificate>> proxies = proxyAuthorities;
    return new ClusterAuthenticationInfo(
        clientAuthorities.get(),
        proxy == null || proxies == null
            ? null
            : new ClusterAuthenticationInfo.Proxy(
                proxies.get(),
                proxy.usernameHeaders(),
                proxy.uidHeaders(),
                proxy.groupHeaders(),
                proxy.extraPrefixes(),
                proxy.allowedNames()));
  }

  /** Returns the client by which browsers log in; called after the chain is built. */
  Supplier<List<AuthorizationCodeClient>> logins() {
    return logins;
  }

  /** Returns the lookup of the delegating server's CAs, if configured. */
  Optional<ExtensionApiserverAuthentication> cluster() {
    return Optional.ofNullable(trust);
  }

  private void add(
      List<Authenticator> readers,
      String flag,
      @Nullable Path file,
      Function<String, Authenticator> parser) {
    if (file != null) {
      readers.add(file(flag, file, parser));
    }
  }

  /** Creates an authenticator that is replaced when its file changes and is valid. */
  private Authenticator file(String flag, Path file, Function<String, Authenticator> parser) {
    FileReloader.Current<Authenticator> current =
        files.follow(flag, List.of(file), texts -> parser.apply(texts.getFirst()));
    return credentials -> current.get().authenticate(credentials);
  }
}
