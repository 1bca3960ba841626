package dev.keelson.authn.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.RemoteService;
import dev.keelson.authn.jwt.Jwt;
import dev.keelson.cel.Expression;
import dev.keelson.cel.ValueType;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.IdentityProvider;
import dev.keelson.testing.ManualClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jose4j.json.JsonUtil;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.keys.HmacKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class OidcIssuerAuthenticatorTest {

  private static final Set<String> ALL =
      Set.of("RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512");

  private static IdentityProvider provider;

  private final ManualClock clock = new ManualClock();

  @BeforeAll
  static void open() {
    provider = new IdentityProvider();
    provider.key("rsa", "RSA");
    provider.key("ec", "EC");
    provider.key("p384", "P-384");
    provider.key("p521", "P-521");
  }

  @AfterAll
  static void close() {
    provider.close();
  }

  @ParameterizedTest
  @CsvSource({
    "rsa,RS256",
    "rsa,RS384",
    "rsa,RS512",
    "rsa,PS256",
    "rsa,PS384",
    "rsa,PS512",
    "ec,ES256",
    "p384,ES384",
    "p521,ES512"
  })
  void token_ofTheProvider_isItsUser(String key, String algorithm) {
    String token = provider.token(key, algorithm, claims(Map.of()));

    assertThat(tokens(options("sub", null, ALL)).authenticate(bearer(token)))
        .isEqualTo(
            new Authentication.Authenticated(
                new UserInfo(provider.url() + "#ann", "", List.of(), Map.of())));
  }

  /** Writes down what it is told. */
  private record Told(List<String> words) implements IssuerMetrics {

    @Override
    public void verified(String issuer, boolean accepted, Duration took) {
      words.add("verified " + accepted);
    }

    @Override
    public void fetched(String issuer, String keySet) {
      words.add("fetched " + keySet.contains("\"keys\""));
    }

    @Override
    public void notFetched(String issuer) {
      words.add("not fetched");
    }

    @Override
    public void removed(String issuer) {
      words.add("removed");
    }
  }

  @Test
  void tokensThatAreNotCached_andFetches_areRecorded() {
    Told told = new Told(new ArrayList<>());
    OidcAuthenticator tokens =
        new OidcAuthenticator(
            List.of(
                new OidcIssuerAuthenticator(
                    options("sub", null, ALL).issuer(),
                    new RemoteService(provider::trust, Map.of()),
                    told,
                    clock)),
            Jwt::parse,
            clock);
    Credentials good = bearer(provider.token("rsa", "RS256", claims(Map.of())));

    for (int i = 0; i < 2; i++) {
      assertThat(tokens.authenticate(good)).isInstanceOf(Authentication.Authenticated.class);
    }
    assertThat(
            tokens.authenticate(
                bearer(provider.token("rsa", "RS256", claims(Map.of("aud", "other"))))))
        .isInstanceOf(Authentication.Rejected.class);

    assertThat(told.words()).containsExactly("fetched true", "verified true", "verified false");
  }

  @Test
  void algorithm_thatIsNotAllowed_isRejected() {
    rejected(
        options("sub", null, Set.of("ES256")), provider.token("rsa", "RS256", claims(Map.of())));
  }

  Map<String, Object> claims(Map<String, ?> changed) {
    return provider.claims(clock.instant(), changed);
  }

  static Stream<Map<String, Object>> wrongClaims() {
    long now = new ManualClock().instant().getEpochSecond();
    return Stream.of(
        Map.of("aud", "other"),
        Map.of("aud", List.of("other", "third")),
        Map.of("aud", 7),
        Map.of("exp", now - 1),
        Map.of("exp", "soon"),
        Map.of("nbf", now + 3600),
        Map.of("sub", ""),
        Map.of("sub", 7),
        Map.of("sub", List.of("ann")));
  }

  @ParameterizedTest
  @MethodSource("wrongClaims")
  void claim_thatIsWrong_isRejected(Map<String, Object> changed) {
    rejected(options("sub", null, ALL), provider.token("rsa", "RS256", claims(changed)));
  }

  @Test
  void token_withoutEnd_isRejected() {
    Map<String, Object> claims = claims(Map.of());
    claims.remove("exp");

    rejected(options("sub", null, ALL), provider.token("rsa", "RS256", claims));
  }

  @Test
  void token_ofAnotherIssuer_isLeftToOthers() {
    String token = provider.token("rsa", "RS256", claims(Map.of("iss", "https://other")));

    assertThat(tokens(options("sub", null, ALL)).authenticate(bearer(token)))
        .isEqualTo(new Authentication.NoOpinion());
  }

  @Test
  void token_withoutSignature_isRejected() {
    String body = encoded(JsonUtil.toJson(claims(Map.of())));

    rejected(options("sub", null, ALL), encoded("{\"alg\":\"none\"}") + "." + body + ".");
    rejected(options("sub", null, ALL), encoded("{\"alg\":\"RS256\"}") + "." + body + ".");
  }

  @Test
  void token_signedWithThePublicKeyAsSecret_isRejected() throws Exception {
    JsonWebSignature signature = new JsonWebSignature();
    signature.setPayload(JsonUtil.toJson(claims(Map.of())));
    signature.setAlgorithmHeaderValue("HS256");
    signature.setKeyIdHeaderValue("rsa");
    signature.setKey(new HmacKey(provider.key("rsa").getPublic().getEncoded()));

    rejected(options("sub", null, ALL), signature.getCompactSerialization());
  }

  @Test
  void token_ofAKeyThatNamesAnother_isRejected() {
    String token = provider.token("ec", "ES256", claims(Map.of()));
    String[] parts = token.split("\\.");

    rejected(
        options("sub", null, ALL),
        encoded("{\"alg\":\"ES256\",\"kid\":\"p384\"}") + "." + parts[1] + "." + parts[2]);
    rejected(
        options("sub", null, ALL),
        encoded("{\"alg\":\"RS256\",\"kid\":\"rsa\"}") + "." + parts[1] + "." + parts[2]);
  }

  @Test
  void claims_thatWereChanged_areRejected() {
    String[] parts = provider.token("rsa", "RS256", claims(Map.of())).split("\\.");
    String root = encoded(JsonUtil.toJson(claims(Map.of("sub", "root"))));

    rejected(options("sub", null, ALL), parts[0] + "." + root + "." + parts[2]);
  }

  @Test
  void token_withAClaimTwice_isNoToken() {
    String claims = "{\"iss\":\"" + provider.url() + "\",\"sub\":\"ann\",\"sub\":\"root\"}";
    String token = encoded("{\"alg\":\"RS256\"}") + "." + encoded(claims) + ".eA";

    assertThat(tokens(options("sub", null, ALL)).authenticate(bearer(token)))
        .isEqualTo(new Authentication.NoOpinion());
  }

  @Test
  void token_thatIsHuge_isNotRead() {
    String token = provider.token("rsa", "RS256", claims(Map.of("x", "y".repeat(40_000))));

    assertThat(tokens(options("sub", null, ALL)).authenticate(bearer(token)))
        .isEqualTo(new Authentication.NoOpinion());
  }

  @Test
  void email_isNotPrefixed_andMustBeVerified() {
    OidcOptions options = options("email", null, ALL);

    assertThat(name(options, Map.of("email", "a@b", "email_verified", true))).isEqualTo("a@b");
    assertThat(name(options, Map.of("email", "a@b"))).isEqualTo("a@b");
    rejected(
        options,
        provider.token("rsa", "RS256", claims(Map.of("email", "a@b", "email_verified", false))));
    rejected(
        options,
        provider.token("rsa", "RS256", claims(Map.of("email", "a@b", "email_verified", "true"))));
  }

  @Test
  void prefix_isPutBefore_andDashIsNone() {
    assertThat(name(options("sub", "-", ALL), Map.of())).isEqualTo("ann");
    assertThat(name(options("sub", "oidc:", ALL), Map.of())).isEqualTo("oidc:ann");
  }

  @Test
  void groups_areATextOrAList() {
    assertThat(groups(Map.of("groups", "dev"))).containsExactly("g:dev");
    assertThat(groups(Map.of("groups", List.of("dev", "ops")))).containsExactly("g:dev", "g:ops");
    assertThat(groups(Map.of())).isEmpty();
    rejected(
        withGroups(Map.of()),
        provider.token("rsa", "RS256", claims(Map.of("groups", List.of("a", 1)))));
    rejected(withGroups(Map.of()), provider.token("rsa", "RS256", claims(Map.of("groups", 1))));
  }

  @Test
  void requiredClaim_mustBeThere() {
    OidcOptions options = withGroups(Map.of("tenant", "a"));

    rejected(options, provider.token("rsa", "RS256", claims(Map.of())));
    rejected(options, provider.token("rsa", "RS256", claims(Map.of("tenant", "b"))));
    rejected(options, provider.token("rsa", "RS256", claims(Map.of("tenant", List.of("a")))));
    assertThat(
            tokens(options)
                .authenticate(
                    bearer(provider.token("rsa", "RS256", claims(Map.of("tenant", "a"))))))
        .isInstanceOf(Authentication.Authenticated.class);
  }

  @Test
  void groupsElsewhere_areFetchedWithTheAccessToken() {
    provider.path(
        "/groups",
        exchange ->
            "Bearer abc".equals(exchange.getRequestHeaders().getFirst("Authorization"))
                ? provider.token("ec", "ES256", claims(Map.of("groups", List.of("far"))))
                : null);
    Map<String, Object> distributed =
        Map.of(
            "_claim_names", Map.of("groups", "there"),
            "_claim_sources",
                Map.of(
                    "there",
                    Map.of("endpoint", provider.url() + "/groups", "access_token", "abc")));

    assertThat(groups(distributed)).containsExactly("g:far");
  }

  @Test
  void emailThatIsNeitherVerifiedNorNot_isRejected() {
    Map<String, Object> unknown = new HashMap<>(Map.of("email", "a@b"));
    unknown.put("email_verified", null);

    rejected(options("email", null, ALL), provider.token("rsa", "RS256", claims(unknown)));
  }

  @Test
  void uid_mustBeThereAsAText() {
    OidcAuthenticator tokens = tokens(issuer(provider.url(), "id", ClaimExpressions.NONE));

    assertThat(user(tokens, Map.of("id", "7")).uid()).isEqualTo("7");
    for (Map<String, Object> wrong : List.<Map<String, Object>>of(Map.of(), Map.of("id", 7))) {
      assertThat(tokens.authenticate(bearer(provider.token("rsa", "RS256", claims(wrong)))))
          .isInstanceOf(Authentication.Rejected.class);
    }
  }

  @Test
  void rulesOfUsers_seeEveryField() {
    Expression rule =
        ClaimExpressions.userEnvironment()
            .compile(
                "user.uid == '' && user.groups.size() == 0 && user.extra.size() == 0",
                ValueType.Simple.BOOL);
    ClaimExpressions expressions =
        new ClaimExpressions(
            null, null, null, List.of(), List.of(), List.of(new ClaimExpressions.Rule(rule, "")));

    assertThat(user(tokens(issuer(provider.url(), "", expressions)), Map.of()).name())
        .isEqualTo("ann");
  }

  /** Google's tokens may name their issuer without the scheme. */
  @Test
  void tokenOfGoogle_hasOneOfTwoIssuers() {
    String google = "https://accounts.google.com";
    String keys = provider.url() + "/keys";
    provider.path(
        "/google", exchange -> "{\"issuer\":\"" + google + "\",\"jwks_uri\":\"" + keys + "\"}");
    OidcAuthenticator tokens =
        tokens(
            new Issuer(
                google,
                provider.url() + "/google",
                List.of("kubernetes"),
                new Issuer.Mapping("sub", ""),
                new Issuer.Mapping("", ""),
                "",
                Map.of(),
                ALL,
                ClaimExpressions.NONE));

    for (String issuer : List.of(google, "accounts.google.com")) {
      assertThat(user(tokens, Map.of("iss", issuer)).name()).isEqualTo("ann");
    }
  }

  private static Issuer issuer(String url, String uidClaim, ClaimExpressions expressions) {
    return new Issuer(
        url,
        Issuer.discoveryUrl(url),
        List.of("kubernetes"),
        new Issuer.Mapping("sub", ""),
        new Issuer.Mapping("groups", ""),
        uidClaim,
        Map.of(),
        ALL,
        expressions);
  }

  /** Every distributed claim has a source, also one that is not asked for. */
  @Test
  void claimsElsewhere_withoutASource_areRejected() {
    for (Object names :
        List.<Object>of(
            Map.of("groups", "away"), Map.of("other", "away"), Map.of("groups", 1), "a")) {
      Map<String, Object> distributed =
          Map.of("_claim_names", names, "_claim_sources", Map.of("there", Map.of()));

      rejected(options("sub", "-", ALL), provider.token("rsa", "RS256", claims(distributed)));
    }
  }

  @Test
  void aggregatedGroups_areNone() {
    Map<String, Object> aggregated =
        Map.of(
            "_claim_names", Map.of("groups", "here"),
            "_claim_sources", Map.of("here", Map.of("JWT", "abc")));

    assertThat(groups(aggregated)).isEmpty();
  }

  @Test
  void groupsElsewhere_thatAreNotSigned_areRejected() {
    provider.path("/unsigned", exchange -> "{\"groups\":[\"system:masters\"]}");
    Map<String, Object> distributed =
        Map.of(
            "_claim_names", Map.of("groups", "there"),
            "_claim_sources", Map.of("there", Map.of("endpoint", provider.url() + "/unsigned")));

    rejected(withGroups(Map.of()), provider.token("rsa", "RS256", claims(distributed)));
  }

  @Test
  void newKey_isFetchedWhenATokenNamesIt_andAnOldOneForgotten() {
    OidcAuthenticator tokens = tokens(options("sub", "-", ALL));
    assertThat(tokens.authenticate(bearer(provider.token("rsa", "RS256", claims(Map.of())))))
        .isInstanceOf(Authentication.Authenticated.class);

    provider.key("next", "EC");
    clock.advance(Duration.ofSeconds(2));
    assertThat(tokens.authenticate(bearer(provider.token("next", "ES256", claims(Map.of())))))
        .isInstanceOf(Authentication.Authenticated.class);

    String late = provider.token("next", "ES256", claims(Map.of("sub", "late")));
    provider.removeKey("next");
    provider.key("third", "EC");
    clock.advance(Duration.ofSeconds(2));
    assertThat(tokens.authenticate(bearer(provider.token("third", "ES256", claims(Map.of())))))
        .isInstanceOf(Authentication.Authenticated.class);
    assertThat(tokens.authenticate(bearer(late))).isInstanceOf(Authentication.Rejected.class);
  }

  @Test
  void unknownKeys_doNotFloodTheProvider() {
    OidcAuthenticator tokens = tokens(options("sub", "-", ALL));
    int before = provider.keyReads();
    String[] parts = provider.token("rsa", "RS256", claims(Map.of())).split("\\.");

    for (int i = 0; i < 20; i++) {
      String header = encoded("{\"alg\":\"RS256\",\"kid\":\"k" + i + "\"}");
      assertThat(tokens.authenticate(bearer(header + "." + parts[1] + "." + parts[2])))
          .isInstanceOf(Authentication.Rejected.class);
    }

    assertThat(provider.keyReads() - before).isEqualTo(1);
  }

  @Test
  void providerThatIsAway_costsOnlyItsUsers_untilItIsBack() {
    OidcAuthenticator tokens = tokens(options("sub", "-", ALL));
    String token = provider.token("rsa", "RS256", claims(Map.of()));
    var discovery =
        "{\"issuer\":\"" + provider.url() + "\",\"jwks_uri\":\"" + provider.url() + "/keys\"}";
    provider.path("/.well-known/openid-configuration", exchange -> null);
    assertThat(tokens.authenticate(bearer(token))).isInstanceOf(Authentication.Rejected.class);

    provider.path("/.well-known/openid-configuration", exchange -> discovery);
    clock.advance(Duration.ofSeconds(2));

    assertThat(tokens.authenticate(bearer(token))).isInstanceOf(Authentication.Authenticated.class);
  }

  @Test
  void knownToken_endsWithItsEnd() {
    OidcAuthenticator tokens = tokens(options("sub", "-", ALL));
    String token =
        provider.token(
            "rsa", "RS256", claims(Map.of("exp", clock.instant().getEpochSecond() + 10)));
    assertThat(tokens.authenticate(bearer(token))).isInstanceOf(Authentication.Authenticated.class);

    clock.advance(Duration.ofSeconds(11));

    assertThat(tokens.authenticate(bearer(token))).isInstanceOf(Authentication.Rejected.class);
  }

  private void rejected(OidcOptions options, String token) {
    assertThat(tokens(options).authenticate(bearer(token)))
        .isInstanceOf(Authentication.Rejected.class);
  }

  private String name(OidcOptions options, Map<String, ?> changed) {
    return known(options, changed).name();
  }

  private List<String> groups(Map<String, ?> changed) {
    return known(withGroups(Map.of()), changed).groups();
  }

  private UserInfo known(OidcOptions options, Map<String, ?> changed) {
    return user(tokens(options), changed);
  }

  private UserInfo user(OidcAuthenticator tokens, Map<String, ?> changed) {
    String token = provider.token("rsa", "RS256", claims(changed));
    return ((Authentication.Authenticated) tokens.authenticate(bearer(token))).user();
  }

  private static OidcOptions options(
      String claim, @org.jspecify.annotations.Nullable String prefix, Set<String> algorithms) {
    return new OidcOptions(
        provider.url(), "kubernetes", null, claim, prefix, "", "", Map.of(), algorithms);
  }

  private static OidcOptions withGroups(Map<String, String> required) {
    return new OidcOptions(
        provider.url(), "kubernetes", null, "sub", "-", "groups", "g:", required, ALL);
  }

  private OidcAuthenticator tokens(OidcOptions options) {
    return tokens(options.issuer());
  }

  private OidcAuthenticator tokens(Issuer issuer) {
    return new OidcAuthenticator(
        List.of(
            new OidcIssuerAuthenticator(
                issuer, new RemoteService(provider::trust, Map.of()), IssuerMetrics.NONE, clock)),
        Jwt::parse,
        clock);
  }

  private static Credentials bearer(String token) {
    return new Credentials(List.of("Bearer " + token), List.of());
  }

  private static String encoded(String json) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }
}
