package dev.keelson.server.identity;

import dev.keelson.api.GroupResource;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.UnionAuthenticator;
import dev.keelson.authn.jwt.SigningKey;
import dev.keelson.authn.jwt.VerificationKey;
import dev.keelson.authn.oidc.AuthorizationCodeClient;
import dev.keelson.authn.oidc.IssuerMetrics;
import dev.keelson.authn.serviceaccount.OpenIdMetadata;
import dev.keelson.authn.serviceaccount.ServiceAccountOptions;
import dev.keelson.authn.serviceaccount.ServiceAccountTokenAuthenticator;
import dev.keelson.authn.serviceaccount.ServiceAccountTokenGenerator;
import dev.keelson.authn.serviceaccount.TokenUse;
import dev.keelson.client.ResourceClient;
import dev.keelson.config.option.AuthenticationOptions;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.bootstrap.ClusterAuthenticationTrustController;
import dev.keelson.controller.serviceaccount.TokenSource;
import dev.keelson.controller.serviceaccount.TokensController;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Route;
import dev.keelson.http.verb.VirtualResource;
import dev.keelson.object.ApiObject;
import dev.keelson.pem.PemPrivateKeys;
import dev.keelson.pem.PemPublicKeys;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.server.pki.PkiException;
import dev.keelson.server.pki.TokenKey;
import dev.keelson.server.tls.Certificates;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The authenticators, the generator of service account tokens and the OpenID metadata of their
 * issuer.
 */
public final class AuthenticationService implements QueueOwner, AutoCloseable {

  private static final String CONFIGURATION = "/.well-known/openid-configuration";
  private static final String KEYS = "/openid/v1/jwks";

  /** The paths of {@link #documents}. */
  public static final List<String> PATHS = List.of(CONFIGURATION, KEYS);

  private final UnionAuthenticator chain;
  private final ServiceAccountTokenGenerator tokens;
  private final OpenIdMetadata documents;
  private final @Nullable String jwksUri;
  private final List<String> apiAudiences;
  private final Authenticators authenticators;
  private final ClusterAuthenticationTrustController publication;
  private final TokensController secrets;

  private AuthenticationService(
      UnionAuthenticator chain,
      ServiceAccountTokenGenerator tokens,
      OpenIdMetadata documents,
      @Nullable String jwksUri,
      List<String> apiAudiences,
      Authenticators authenticators,
      ClusterAuthenticationTrustController publication,
      TokensController secrets) {
    this.authenticators = authenticators;
    this.publication = publication;
    this.secrets = secrets;
    this.apiAudiences = apiAudiences;
    this.chain = chain;
    this.tokens = tokens;
    this.documents = documents;
    this.jwksUri = jwksUri;
  }

  /**
   * Reads the files and creates the parts; sends no requests.
   *
   * @param certificates the server's own
   * @param client reads the objects that tokens are bound to
   * @param objects supplies changes of these objects
   * @param uses counts the uses of tokens of service accounts
   * @param issuers records what becomes of the tokens and keys of issuers
   * @param files reloads files
   * @throws StartupException naming the flag with the invalid file
   */
  public static AuthenticationService open(
      ServerOptions options,
      Certificates certificates,
      ResourceClient client,
      TokenSource objects,
      Consumer<TokenUse> uses,
      IssuerMetrics issuers,
      InstantSource clock,
      FileReloader files) {
    AuthenticationOptions authentication = options.authentication();
    ServiceAccountOptions accounts = authentication.serviceAccounts();
    SigningKey signing = signingKey(accounts, options.serving().certDir());
    List<VerificationKey> keys = verificationKeys(accounts, signing);
    Authenticator reader =
        new ServiceAccountTokenAuthenticator(
            accounts.issuers(),
            keys,
            authentication.apiAudiences(),
            accounts.lookup(),
            client,
            new LegacyTokenTracking(client),
            uses,
            clock);
    ServiceAccountTokenGenerator requests =
        new ServiceAccountTokenGenerator(
            signing, accounts, authentication.apiAudiences(), client, clock);
    Authenticators authenticators =
        new Authenticators(authentication, client, issuers, clock, files);
    return new AuthenticationService(
        authenticators.chain(certificates.pki().authority(), reader),
        requests,
        new OpenIdMetadata(accounts.issuers().getFirst(), keys),
        accounts.jwksUri(),
        authentication.apiAudiences(),
        authenticators,
        new ClusterAuthenticationTrustController(client, authenticators::published, clock),
        new TokensController(
            client, objects, requests::legacyToken, certificates.trustedPem(), clock));
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return secrets.queues();
  }

  /** Starts to publish the trusted CAs and to poll those of the delegating server. */
  public void start() {
    publication.start();
    secrets.start();
    authenticators.cluster().ifPresent(ExtensionApiserverAuthentication::start);
  }

  /** Publishes again after a change of a file. */
  public void filesChanged() {
    publication.changed();
  }

  @Override
  public void close() {
    publication.close();
    secrets.close();
    authenticators.cluster().ifPresent(ExtensionApiserverAuthentication::close);
  }

  /** Returns the clients by which browsers log in, one for each provider. */
  public Supplier<List<AuthorizationCodeClient>> logins() {
    return authenticators.logins();
  }

  /** Returns the CAs of clients and front proxies, as their files have them now. */
  public List<X509Certificate> clientAuthorities() {
    return authenticators.authorities();
  }

  /** Returns the CAs that certificate requests name: those, and what the cluster has. */
  public List<X509Certificate> namedAuthorities() {
    return authenticators.namedAuthorities();
  }

  public UnionAuthenticator chain() {
    return chain;
  }

  /** Returns the token generator. */
  ServiceAccountTokenGenerator tokens() {
    return tokens;
  }

  /** Returns the handlers of TokenReviews and TokenRequests. */
  public Map<GroupResource, VirtualResource> virtualResources() {
    TokenReviews reviews = new TokenReviews(chain, apiAudiences);
    return Map.of(
        new GroupResource("authentication.k8s.io", "tokenreviews"),
        request -> reviews.answer(request.sent()),
        new GroupResource("", "serviceaccounts/token"),
        new TokenRequests(tokens));
  }

  /** Answers TokenRequests. */
  private record TokenRequests(ServiceAccountTokenGenerator tokens) implements VirtualResource {

    @Override
    public ApiObject answer(Request request) {
      return tokens.answer(
          request.info().namespace(), request.info().name(), request.sent(), request.context());
    }

    @Override
    public ApiObject defaulted(ApiObject sent) {
      return ServiceAccountTokenGenerator.defaulted(sent);
    }
  }

  /**
   * Returns the route of the OpenID metadata.
   *
   * @param address host and port of this server
   */
  public Route documents(Supplier<String> address) {
    return new Route() {
      @Override
      public Optional<ApiResponse> answer(ApiRequest request) {
        return document(request, address);
      }

      @Override
      public boolean serves(String path) {
        return PATHS.contains(path);
      }
    };
  }

  private Optional<ApiResponse> document(ApiRequest request, Supplier<String> address) {
    if (!request.method().equals("GET")) {
      return Optional.empty();
    }
    return switch (request.path()) {
      case CONFIGURATION -> {
        String keys = jwksUri == null ? "https://" + address.get() + KEYS : jwksUri;
        yield Optional.of(json("application/json", documents.configuration(keys)));
      }
      case KEYS -> Optional.of(json("application/jwk-set+json", documents.keySet()));
      default -> Optional.empty();
    };
  }

  private static ApiResponse json(String type, String text) {
    return ApiResponse.of(200, type, text.getBytes(StandardCharsets.UTF_8))
        .with("Cache-Control", "public, max-age=3600");
  }

  private static SigningKey signingKey(ServiceAccountOptions options, Path directory) {
    Path file = options.signingKeyFile();
    try {
      if (file == null) {
        KeyPair own = TokenKey.open(directory);
        return SigningKey.of(own.getPrivate(), own.getPublic());
      }
      PrivateKey key = PemPrivateKeys.read(file);
      return SigningKey.of(key, PemPublicKeys.halfOf(key));
    } catch (PkiException | IllegalArgumentException e) {
      throw new StartupException("--service-account-signing-key-file: " + e.getMessage(), e);
    }
  }

  /** Returns the verification keys, the signing key's included; duplicates are removed. */
  private static List<VerificationKey> verificationKeys(
      ServiceAccountOptions options, SigningKey signing) {
    Map<String, VerificationKey> keys = new LinkedHashMap<>();
    keys.put(signing.verification().id(), signing.verification());
    for (Path file : options.keyFiles()) {
      try {
        for (PublicKey key : PemPublicKeys.read(file)) {
          VerificationKey named = SigningKey.verification(key);
          keys.put(named.id(), named);
        }
      } catch (IllegalArgumentException e) {
        throw new StartupException("--service-account-key-file: " + e.getMessage(), e);
      }
    }
    return new ArrayList<>(keys.values());
  }
}
