package dev.keelson.authn.serviceaccount;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.TokenDigest;
import dev.keelson.authn.jwt.InvalidJwtException;
import dev.keelson.authn.jwt.Jwt;
import dev.keelson.authn.jwt.VerificationKey;
import dev.keelson.cache.ExpiringCache;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.value.GoQuote;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Authenticates service account tokens: bound tokens of the TokenRequest API (KEP-1205) and legacy
 * tokens, which are stored in Secrets and do not expire. The result of the signature check is
 * cached; times and the bound objects are checked on every request, the objects in the watch cache,
 * so that deleting the account or the pod revokes its tokens.
 */
public final class ServiceAccountTokenAuthenticator implements Authenticator {

  /** The issuer of legacy tokens, which are stored in Secrets. */
  static final String LEGACY_ISSUER = "kubernetes/serviceaccount";

  private static final int MAX_CACHED = 8192;

  private static final Duration TTL = Duration.ofMinutes(10);

  private final Set<String> issuers;
  private final List<VerificationKey> keys;
  private final List<String> apiAudiences;
  private final boolean lookup;
  private final BoundObjects objects;
  private final LegacyTokens legacy;
  private final Consumer<TokenUse> uses;
  private final InstantSource clock;
  private final ExpiringCache<TokenDigest, ParsedToken> verified;

  /**
   * @param keys the accepted verification keys
   * @param apiAudiences the audiences of the API, required if the request names none
   * @param lookup whether the Secret and service account of legacy tokens must exist
   * @param legacyUse called when a legacy token is used; must not block
   * @param uses is told what the tokens of requests are; must not block
   */
  public ServiceAccountTokenAuthenticator(
      List<String> issuers,
      List<VerificationKey> keys,
      List<String> apiAudiences,
      boolean lookup,
      ResourceClient client,
      BiConsumer<ApiObject, LocalDate> legacyUse,
      Consumer<TokenUse> uses,
      InstantSource clock) {
    this.issuers = Set.copyOf(issuers);
    this.keys = List.copyOf(keys);
    this.apiAudiences = List.copyOf(apiAudiences);
    this.lookup = lookup;
    this.objects = new BoundObjects(client);
    this.legacy = new LegacyTokens(objects, legacyUse, uses);
    this.uses = uses;
    this.clock = clock;
    this.verified = new ExpiringCache<>(MAX_CACHED, clock);
  }

  @Override
  public Authentication authenticate(Credentials credentials) {
    Optional<TokenDigest> digest = credentials.tokenDigest();
    if (digest.isEmpty()) {
      return new Authentication.NoOpinion();
    }
    Instant now = clock.instant();
    Optional<ParsedToken> known = verified.get(digest.get());
    if (known.isPresent()) {
      return validate(known.get(), credentials, now);
    }
    Optional<Jwt> jwt = credentials.bearerToken().flatMap(Jwt::parse);
    if (jwt.isEmpty()) {
      return new Authentication.NoOpinion();
    }
    String issuer = jwt.get().claims().text("iss");
    boolean legacy = issuer.equals(LEGACY_ISSUER);
    if (!legacy && !issuers.contains(issuer)) {
      return new Authentication.NoOpinion();
    }
    try {
      jwt.get().verify(keys, Jwt.ASYMMETRIC);
      ParsedToken read = ParsedToken.of(jwt.get(), legacy);
      verified.put(digest.get(), read, TTL);
      return validate(read, credentials, now);
    } catch (InvalidJwtException e) {
      return rejected(e);
    }
  }

  private static Authentication rejected(InvalidJwtException e) {
    return new Authentication.Rejected(e.reason());
  }

  /** Checks the validity, audiences and bound objects of a token with a verified signature. */
  private Authentication validate(ParsedToken token, Credentials credentials, Instant now) {
    try {
      token.times().check(now);
      List<String> audiences = audiences(token, credentials);
      if (token.legacy()) {
        return lookup
            ? legacy.authenticate(token, audiences, now)
            : legacy.unchecked(token, audiences);
      }
      for (ParsedToken.BoundObject bond : token.bonds()) {
        objects.require(bond, now);
      }
      Map<String, String> annotations = annotations(token, now);
      uses.accept(annotations.isEmpty() ? TokenUse.VALID : TokenUse.STALE);
      return new Authentication.Authenticated(token.user(), audiences, annotations, List.of());
    } catch (InvalidJwtException e) {
      return rejected(e);
    }
  }

  private static Map<String, String> annotations(ParsedToken token, Instant now) {
    if (!now.isAfter(token.staleFrom())) {
      return Map.of();
    }
    long seconds = Duration.between(token.staleFrom(), now).toSeconds();
    return Map.of(
        "authentication.k8s.io/stale-token",
        "subject: " + token.user().name() + ", seconds after warning threshold: " + seconds);
  }

  private List<String> audiences(ParsedToken token, Credentials credentials)
      throws InvalidJwtException {
    List<String> meant =
        token.audiences().isEmpty() && token.legacy() ? apiAudiences : token.audiences();
    List<String> wanted =
        credentials.audiences().isEmpty() ? apiAudiences : credentials.audiences();
    if (meant.equals(wanted) && !meant.isEmpty()) {
      return meant;
    }
    List<String> common = new ArrayList<>(meant);
    common.retainAll(wanted);
    if (common.isEmpty()) {
      throw new InvalidJwtException(
          "token audiences %s is invalid for the target audiences %s"
              .formatted(quoted(meant), quoted(wanted)));
    }
    return common;
  }

  /** A list as Go's {@code %q} prints it. */
  private static String quoted(List<String> texts) {
    return texts.stream().map(GoQuote::quote).collect(Collectors.joining(" ", "[", "]"));
  }
}
