package dev.keelson.authn.serviceaccount;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.TokenCache;
import dev.keelson.authn.TokenDigest;
import dev.keelson.authn.jwt.Claims;
import dev.keelson.authn.jwt.InvalidJwtException;
import dev.keelson.authn.jwt.Jwt;
import dev.keelson.authn.jwt.VerificationKey;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.request.UserInfo;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Knows service accounts by their tokens: those that a TokenRequest made (KEP-1205), and the old
 * ones that live in Secrets and never end. A signature is checked once and remembered; the objects
 * that a token is bound to are looked at with every request, in the watch cache, so that a deleted
 * account or pod ends its tokens.
 */
public final class ServiceAccountTokens implements Authenticator {

  /** The issuer of tokens that live in Secrets. */
  static final String LEGACY_ISSUER = "kubernetes/serviceaccount";

  private static final String LEGACY = "kubernetes.io/serviceaccount/";
  private static final String EXTRA = "authentication.kubernetes.io/";

  /** The label of a Secret whose token nobody used for a year (KEP-2800). */
  private static final String INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";

  private static final int REMEMBERED = 8192;

  /** How far clocks may differ, as Kubernetes has it. */
  private static final Duration LEEWAY = Duration.ofMinutes(1);

  private static final Duration LONGEST_MEMORY = Duration.ofMinutes(10);

  private final Set<String> issuers;
  private final List<VerificationKey> keys;
  private final List<String> apiAudiences;
  private final boolean lookup;
  private final LiveObjects objects;
  private final BiConsumer<ApiObject, LocalDate> legacyUse;
  private final InstantSource clock;
  private final TokenCache<Jwt> verified = new TokenCache<>(REMEMBERED);

  /**
   * @param keys whose tokens are accepted
   * @param apiAudiences what a token must be meant for if nobody says otherwise
   * @param lookup whether tokens of Secrets end with their objects
   * @param legacyUse is told when the token of a Secret was used; must not block
   */
  public ServiceAccountTokens(
      List<String> issuers,
      List<VerificationKey> keys,
      List<String> apiAudiences,
      boolean lookup,
      ResourceClient client,
      BiConsumer<ApiObject, LocalDate> legacyUse,
      InstantSource clock) {
    this.issuers = Set.copyOf(issuers);
    this.keys = List.copyOf(keys);
    this.apiAudiences = List.copyOf(apiAudiences);
    this.lookup = lookup;
    this.objects = new LiveObjects(client);
    this.legacyUse = legacyUse;
    this.clock = clock;
  }

  @Override
  public Authentication authenticate(Credentials credentials) {
    Optional<String> token = credentials.bearerToken();
    if (token.isEmpty()) {
      return new Authentication.NotMine();
    }
    Instant now = clock.instant();
    TokenDigest digest = TokenDigest.of(token.get());
    Optional<Jwt> known = verified.get(digest, now);
    Optional<Jwt> jwt = known.isPresent() ? known : Jwt.parse(token.get());
    if (jwt.isEmpty()) {
      return new Authentication.NotMine();
    }
    String issuer = jwt.get().claims().text("iss");
    boolean legacy = issuer.equals(LEGACY_ISSUER);
    if (!legacy && !issuers.contains(issuer)) {
      return new Authentication.NotMine();
    }
    try {
      if (known.isEmpty()) {
        jwt.get().verify(keys, Jwt.ASYMMETRIC);
        verified.put(digest, jwt.get(), now.plus(LONGEST_MEMORY), now);
      }
      checkTimes(jwt.get().claims(), now);
      List<String> audiences = audiences(jwt.get().claims(), legacy, credentials);
      UserInfo user = legacy ? legacy(jwt.get(), now) : bound(jwt.get().claims(), now);
      return new Authentication.Authenticated(user, audiences);
    } catch (InvalidJwtException e) {
      return new Authentication.Rejected("service account token: " + e.why());
    }
  }

  private static void checkTimes(Claims claims, Instant now) throws InvalidJwtException {
    Optional<Instant> end = claims.time("exp");
    if (end.isPresent() && now.isAfter(end.get().plus(LEEWAY))) {
      throw new InvalidJwtException("the token has expired");
    }
    Optional<Instant> begin = claims.time("nbf");
    if (begin.isPresent() && now.isBefore(begin.get().minus(LEEWAY))) {
      throw new InvalidJwtException("the token is not valid yet");
    }
    Optional<Instant> issued = claims.time("iat");
    if (issued.isPresent() && now.isBefore(issued.get().minus(LEEWAY))) {
      throw new InvalidJwtException("the token was issued in the future");
    }
  }

  private List<String> audiences(Claims claims, boolean legacy, Credentials credentials)
      throws InvalidJwtException {
    List<String> meant = claims.texts("aud");
    if (meant.isEmpty() && legacy) {
      meant = apiAudiences;
    }
    List<String> wanted =
        credentials.audiences().isEmpty() ? apiAudiences : credentials.audiences();
    List<String> common = new ArrayList<>(meant);
    common.retainAll(wanted);
    if (common.isEmpty()) {
      throw new InvalidJwtException(
          "token audiences " + meant + " is invalid for the target audiences " + wanted);
    }
    return common;
  }

  private UserInfo bound(Claims claims, Instant now) throws InvalidJwtException {
    Claims own = claims.object("kubernetes.io");
    Claims accountClaim = own.object("serviceaccount");
    AccountName account = new AccountName(own.text("namespace"), accountClaim.text("name"));
    if (account.namespace().isEmpty()
        || account.name().isEmpty()
        || !claims.text("sub").equals(account.userName())) {
      throw new InvalidJwtException("the token does not name its account");
    }
    Map<String, List<String>> extra = new LinkedHashMap<>();
    String uid = accountClaim.text("uid");
    if (uid.isEmpty()) {
      throw new InvalidJwtException("the token has no uid of its account");
    }
    objects.require(LiveObjects.ACCOUNTS, account.namespace(), account.name(), uid, now);
    if (own.has("secret")) {
      Claims secret = own.object("secret");
      objects.require(
          LiveObjects.SECRETS, account.namespace(), secret.text("name"), uid(secret), now);
    }
    if (own.has("pod")) {
      Claims pod = own.object("pod");
      objects.require(LiveObjects.PODS, account.namespace(), pod.text("name"), uid(pod), now);
      extra.put(EXTRA + "pod-name", List.of(pod.text("name")));
      extra.put(EXTRA + "pod-uid", List.of(pod.text("uid")));
    }
    if (own.has("node")) {
      Claims node = own.object("node");
      if (!own.has("pod")) {
        objects.require(LiveObjects.NODES, "", node.text("name"), uid(node), now);
      }
      extra.put(EXTRA + "node-name", List.of(node.text("name")));
      if (!node.text("uid").isEmpty()) {
        extra.put(EXTRA + "node-uid", List.of(node.text("uid")));
      }
    }
    if (!claims.text("jti").isEmpty()) {
      extra.put(EXTRA + "credential-id", List.of("JTI=" + claims.text("jti")));
    }
    return account.user(uid, extra);
  }

  private static String uid(Claims reference) throws InvalidJwtException {
    String uid = reference.text("uid");
    if (uid.isEmpty() || reference.text("name").isEmpty()) {
      throw new InvalidJwtException("the object that the token is bound to has no name or uid");
    }
    return uid;
  }

  private UserInfo legacy(Jwt jwt, Instant now) throws InvalidJwtException {
    Claims claims = jwt.claims();
    AccountName account =
        new AccountName(
            claims.text(LEGACY + "namespace"), claims.text(LEGACY + "service-account.name"));
    String uid = claims.text(LEGACY + "service-account.uid");
    String secretName = claims.text(LEGACY + "secret.name");
    if (account.namespace().isEmpty()
        || account.name().isEmpty()
        || uid.isEmpty()
        || secretName.isEmpty()
        || !claims.text("sub").equals(account.userName())) {
      throw new InvalidJwtException("the token does not name its account and secret");
    }
    if (lookup) {
      objects.require(LiveObjects.ACCOUNTS, account.namespace(), account.name(), uid, now);
      ApiObject secret = objects.get(LiveObjects.SECRETS, account.namespace(), secretName, now);
      if (!holds(secret, jwt.token())) {
        throw new InvalidJwtException("the secret holds another token");
      }
      String invalidSince = secret.meta().labels().getOrDefault(INVALID_SINCE, "");
      if (!invalidSince.isEmpty()) {
        throw new InvalidJwtException(
            "the token in %s/%s for %s/%s has been marked invalid since %s"
                .formatted(
                    account.namespace(),
                    secretName,
                    account.namespace(),
                    account.name(),
                    invalidSince));
      }
      legacyUse.accept(secret, LocalDate.ofInstant(now, ZoneOffset.UTC));
    }
    return account.user(uid, Map.of());
  }

  private static boolean holds(ApiObject secret, String token) {
    return secret.root().map("data").get("token") instanceof Node.Text(String base64)
        && MessageDigest.isEqual(
            Base64.getMimeDecoder().decode(base64), token.getBytes(StandardCharsets.UTF_8));
  }
}
