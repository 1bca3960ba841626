package dev.keelson.server.identity;

import dev.keelson.api.GroupResource;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.UnionAuthenticator;
import dev.keelson.authn.jwt.SigningKey;
import dev.keelson.authn.jwt.VerificationKey;
import dev.keelson.authn.serviceaccount.IssuerDocuments;
import dev.keelson.authn.serviceaccount.ServiceAccountOptions;
import dev.keelson.authn.serviceaccount.ServiceAccountTokens;
import dev.keelson.authn.serviceaccount.TokenRequests;
import dev.keelson.client.ResourceClient;
import dev.keelson.config.option.AuthenticationOptions;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.controller.bootstrap.TrustPublication;
import dev.keelson.controller.serviceaccount.TokenSecrets;
import dev.keelson.controller.serviceaccount.TokenSource;
import dev.keelson.http.Answer;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Route;
import dev.keelson.http.verb.VirtualResource;
import dev.keelson.server.lifecycle.FileWatch;
import dev.keelson.server.lifecycle.StartException;
import dev.keelson.server.pki.Pem;
import dev.keelson.server.pki.PkiException;
import dev.keelson.server.pki.PublicKeys;
import dev.keelson.server.pki.TokenKey;
import dev.keelson.server.tls.Certificates;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.PublicKey;
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
 * Who may be known, and how: the chain of authenticators, the maker of service account tokens and
 * the documents with which others check them.
 */
public final class Identities implements AutoCloseable {

  private static final String CONFIGURATION = "/.well-known/openid-configuration";
  private static final String KEYS = "/openid/v1/jwks";

  /** The paths of {@link #documents}. */
  public static final List<String> PATHS = List.of(CONFIGURATION, KEYS);

  private final UnionAuthenticator chain;
  private final TokenRequests tokens;
  private final IssuerDocuments documents;
  private final @Nullable String jwksUri;
  private final List<String> apiAudiences;
  private final Authenticators authenticators;
  private final TrustPublication publication;
  private final TokenSecrets secrets;

  private Identities(
      UnionAuthenticator chain,
      TokenRequests tokens,
      IssuerDocuments documents,
      @Nullable String jwksUri,
      List<String> apiAudiences,
      Authenticators authenticators,
      TrustPublication publication,
      TokenSecrets secrets) {
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
   * Reads every file and makes every part; asks no other server.
   *
   * @param certificates the server's own
   * @param client looks at the objects that tokens are bound to
   * @param objects tells of the same objects
   * @param files follows the files that may change
   * @throws StartException naming the flag whose file is wrong
   */
  public static Identities open(
      ServerOptions options,
      Certificates certificates,
      ResourceClient client,
      TokenSource objects,
      InstantSource clock,
      FileWatch files) {
    AuthenticationOptions authentication = options.authentication();
    ServiceAccountOptions accounts = authentication.serviceAccounts();
    SigningKey signing = signingKey(accounts, options.serving().certDir());
    List<VerificationKey> keys = verificationKeys(accounts, signing);
    Authenticator reader =
        new ServiceAccountTokens(
            accounts.issuers(),
            keys,
            authentication.apiAudiences(),
            accounts.lookup(),
            client,
            new LegacyTokenUse(client),
            clock);
    TokenRequests requests =
        new TokenRequests(signing, accounts, authentication.apiAudiences(), client, clock);
    Authenticators authenticators = new Authenticators(authentication, client, clock, files);
    return new Identities(
        authenticators.chain(certificates.pki().authority(), reader),
        requests,
        new IssuerDocuments(accounts.issuers().getFirst(), keys),
        accounts.jwksUri(),
        authentication.apiAudiences(),
        authenticators,
        new TrustPublication(client, authenticators::published, clock),
        new TokenSecrets(client, objects, requests::legacyToken, certificates.trustedPem(), clock));
  }

  /** Begins to tell others whom the server trusts, and to follow whom another one trusts. */
  public void start() {
    publication.start();
    secrets.start();
    authenticators.cluster().ifPresent(ClusterTrust::start);
  }

  /** A file that the server follows has changed. */
  public void filesChanged() {
    publication.changed();
  }

  @Override
  public void close() {
    publication.close();
    secrets.close();
    authenticators.cluster().ifPresent(ClusterTrust::close);
  }

  public UnionAuthenticator chain() {
    return chain;
  }

  /** Makes tokens. */
  TokenRequests tokens() {
    return tokens;
  }

  /**
   * TokenReviews and token requests.
   *
   * @param admission runs admission for a requested token before it is issued
   */
  public Map<GroupResource, VirtualResource> virtualResources(
      Consumer<VirtualResource.Request> admission) {
    TokenReviews reviews = new TokenReviews(chain, apiAudiences);
    return Map.of(
        new GroupResource("authentication.k8s.io", "tokenreviews"),
        request -> reviews.answer(request.sent()),
        new GroupResource("", "serviceaccounts/token"),
        request -> {
          admission.accept(request);
          return tokens.answer(
              request.info().namespace(),
              request.info().name(),
              request.sent(),
              request.context()::warn);
        });
  }

  /**
   * The documents of the issuer.
   *
   * @param address host and port of this server
   */
  public Route documents(Supplier<String> address) {
    return new Route() {
      @Override
      public Optional<Answer> answer(ApiRequest request) {
        return document(request, address);
      }

      @Override
      public boolean serves(String path) {
        return PATHS.contains(path);
      }
    };
  }

  private Optional<Answer> document(ApiRequest request, Supplier<String> address) {
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

  private static Answer json(String type, String text) {
    return Answer.of(200, type, text.getBytes(StandardCharsets.UTF_8))
        .with("Cache-Control", "public, max-age=3600");
  }

  private static SigningKey signingKey(ServiceAccountOptions options, Path directory) {
    Path file = options.signingKeyFile();
    try {
      PrivateKey key = file == null ? TokenKey.open(directory) : Pem.key(file);
      return SigningKey.of(key, PublicKeys.halfOf(key));
    } catch (PkiException | IllegalArgumentException e) {
      throw new StartException("--service-account-signing-key-file: " + e.getMessage(), e);
    }
  }

  /** The signing key's tokens are accepted in any case; a key in two files counts once. */
  private static List<VerificationKey> verificationKeys(
      ServiceAccountOptions options, SigningKey signing) {
    Map<String, VerificationKey> keys = new LinkedHashMap<>();
    keys.put(signing.verification().id(), signing.verification());
    for (Path file : options.keyFiles()) {
      try {
        for (PublicKey key : PublicKeys.read(file)) {
          VerificationKey named = SigningKey.verification(key);
          keys.put(named.id(), named);
        }
      } catch (PkiException | IllegalArgumentException e) {
        throw new StartException("--service-account-key-file: " + e.getMessage(), e);
      }
    }
    return new ArrayList<>(keys.values());
  }
}
