package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.FreePort;
import dev.keelson.testing.IdentityProvider;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WhoAmI;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jose4j.json.JsonUtil;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A running server and a running provider of OpenID Connect, which comes up after the server: every
 * way for a token to be right, and to be wrong.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class OidcIT {

  private KeelsonProcess server;
  private IdentityProvider provider;
  private WhoAmI nobody;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    int port = FreePort.find();
    Path authority = directory.resolve("provider.pem");
    try (IdentityProvider other = new IdentityProvider()) {
      // not the provider's: a wrong file is put right while the server runs
      Files.writeString(authority, other.certificatePem());
    }
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--oidc-issuer-url=https://127.0.0.1:" + port,
                "--oidc-client-id=kubernetes",
                "--oidc-ca-file=" + authority,
                "--oidc-username-prefix=-",
                "--oidc-groups-claim=groups",
                "--oidc-groups-prefix=idp:",
                "--oidc-required-claim=hd=example.org",
                "--oidc-required-claim=tier=gold",
                "--oidc-signing-algs=RS256,RS384,RS512,ES256,PS256"));
    nobody = new WhoAmI(server.address(), server.kubeconfig().asNobody());
    absentProvider_costsItsOwnUsersAnAnswer(port);
    provider = new IdentityProvider(port);
    provider.key("rsa", "RSA");
    provider.key("ec", "EC");
    provider.key("p384", "P-384");
    foreignProvider_isNotBelieved(authority);
  }

  private void absentProvider_costsItsOwnUsersAnAnswer(int port) {
    try (IdentityProvider elsewhere = new IdentityProvider()) {
      elsewhere.key("rsa", "RSA");
      String token =
          elsewhere.token(
              "rsa",
              "RS256",
              elsewhere.claims(Instant.now(), Map.of("iss", "https://127.0.0.1:" + port)));
      assertThat(nobody.bearer(token).status()).isEqualTo(401);
    }
    assertThat(RestClient.administrator(server).get("/readyz").statusCode()).isEqualTo(200);
    assertThat(nobody.ask().user()).isEqualTo("system:anonymous");
  }

  private void foreignProvider_isNotBelieved(Path authority) throws IOException {
    String token = provider.token("rsa", "RS256", claims(Map.of("sub", "first")));
    assertThat(nobody.bearer(token).status()).isEqualTo(401);
    Files.writeString(authority, provider.certificatePem());
    assertEventually(() -> assertThat(nobody.bearer(token).user()).isEqualTo("first"));
  }

  @AfterAll
  void stop() {
    server.close();
    provider.close();
  }

  @ParameterizedTest
  @CsvSource({"rsa,RS256", "rsa,RS384", "rsa,RS512", "ec,ES256", "rsa,PS256"})
  void token_ofEveryAllowedAlgorithm_isTheUser(String key, String algorithm) {
    WhoAmI.Response who = nobody.bearer(provider.token(key, algorithm, claims(Map.of())));

    assertThat(who.status()).isEqualTo(201);
    assertThat(who.user()).isEqualTo("ann");
    assertThat(who.groups()).containsExactly("system:authenticated");
  }

  @Test
  void groups_areATextOrAListOfTexts() {
    assertThat(nobody.bearer(token(Map.of("groups", "dev"))).groups())
        .containsExactly("idp:dev", "system:authenticated");
    assertThat(nobody.bearer(token(Map.of("groups", List.of("dev", "ops")))).groups())
        .containsExactly("idp:dev", "idp:ops", "system:authenticated");
    assertThat(nobody.bearer(token(Map.of("groups", List.of()))).groups())
        .containsExactly("system:authenticated");
  }

  @Test
  void audience_mayBeOneOfSeveral() {
    assertThat(nobody.bearer(token(Map.of("aud", List.of("x", "kubernetes")))).user())
        .isEqualTo("ann");
  }

  @Test
  void groups_fromElsewhere_areFetchedWithTheToken_andMustBeSigned() {
    Map<String, Object> elsewhere =
        Map.of(
            "_claim_names",
            Map.of("groups", "src"),
            "_claim_sources",
            Map.of(
                "src",
                Map.of("endpoint", provider.url() + "/groups", "access_token", "for-groups")));
    provider.path(
        "/groups",
        exchange ->
            "Bearer for-groups".equals(exchange.getRequestHeaders().getFirst("Authorization"))
                ? provider.token("rsa", "RS256", claims(Map.of("groups", List.of("far"))))
                : null);

    assertThat(nobody.bearer(token(elsewhere)).groups())
        .containsExactly("idp:far", "system:authenticated");

    provider.path("/groups", exchange -> "{\"groups\":[\"system:masters\"]}");
    Map<String, Object> another = new HashMap<>(elsewhere);
    another.put("sub", "ben");
    assertThat(nobody.bearer(token(another)).status()).isEqualTo(401);
  }

  /** A name, and how the token is made. */
  static Stream<Arguments> wrong() {
    return Stream.of(
        claim("expired", Map.of("exp", Instant.now().minusSeconds(5).getEpochSecond())),
        claim("not valid yet", Map.of("nbf", Instant.now().plusSeconds(3600).getEpochSecond())),
        claim("end is no time", Map.of("exp", "tomorrow")),
        claim("audience", Map.of("aud", "other")),
        claim("audiences", Map.of("aud", List.of("other", "third"))),
        claim("issuer", Map.of("iss", "https://127.0.0.1:1")),
        claim("issuer with a slash", it -> Map.of("iss", it.provider.url() + "/")),
        claim("required claim has another value", Map.of("hd", "example.com")),
        claim("required claim is a list", Map.of("hd", List.of("example.org"))),
        claim("groups are numbers", Map.of("groups", List.of(1))),
        claim("groups are an object", Map.of("groups", Map.of("a", "b"))),
        claim("user is a number", Map.of("sub", 7)),
        claim("user is empty", Map.of("sub", "")),
        without("exp"),
        without("sub"),
        without("aud"),
        without("iss"),
        without("tier"),
        way("algorithm that is not allowed", it -> it.signed("p384", "ES384", it.claims(Map.of()))),
        way("no algorithm", it -> it.unsigned("none")),
        way("no algorithm, other case", it -> it.unsigned("nOnE")),
        way("algorithm is empty", it -> it.unsigned("")),
        way("public key as a secret", OidcIT::hashedWithThePublicKey),
        way("unknown key", it -> it.foreign("other")),
        way("known name, another key", it -> it.foreign("rsa")),
        way("name of a key of another type", it -> it.renamed("ec", "rsa", "ES256")),
        way(
            "tampered claims",
            it -> it.part(1, it.base64(JsonUtil.toJson(it.claims(Map.of("sub", "root")))))),
        way("tampered signature", it -> it.part(2, it.base64("x".repeat(256)))),
        way("no signature", it -> it.part(2, "")),
        way("claims that appear twice", OidcIT::duplicated),
        way("huge", it -> it.token(Map.of("pad", "x".repeat(40_000)))),
        way("four parts", it -> it.token(Map.of()) + ".x"),
        way("claims are a list", it -> it.part(1, it.base64("[]"))),
        way("claims are no JSON", it -> it.part(1, it.base64("{\"iss\""))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrong")
  void wrongToken_is401(String name, Function<OidcIT, String> token) {
    WhoAmI.Response refused = nobody.bearer(token.apply(this));

    assertThat(refused.status()).as(name).isEqualTo(401);
    assertThat(refused.body()).contains("\"reason\":\"Unauthorized\"");
  }

  @Test
  void keys_mayChange() {
    provider.key("old", "EC");
    Map<String, Object> claims = claims(Map.of("sub", "rotating"));
    String before = provider.token("old", "ES256", claims);
    assertEventually(() -> assertThat(nobody.bearer(before).user()).isEqualTo("rotating"));
    KeyPair gone = provider.key("old");
    provider.removeKey("old");
    provider.key("next", "EC");

    String after = provider.token("next", "ES256", claims);

    assertEventually(() -> assertThat(nobody.bearer(after).user()).isEqualTo("rotating"));
    String late = sign(gone, "old", "ES256", JsonUtil.toJson(claims(Map.of("sub", "late"))));
    assertThat(nobody.bearer(late).status()).isEqualTo(401);
  }

  private static Arguments way(String name, Function<OidcIT, String> token) {
    return Arguments.of(name, token);
  }

  private static Arguments claim(String name, Map<String, ?> changed) {
    return way(name, it -> it.token(changed));
  }

  private static Arguments claim(String name, Function<OidcIT, Map<String, ?>> changed) {
    return way(name, it -> it.token(changed.apply(it)));
  }

  private static Arguments without(String claim) {
    return way(
        "no " + claim,
        it -> {
          Map<String, Object> claims = it.claims(Map.of());
          claims.remove(claim);
          return it.signed("rsa", "RS256", claims);
        });
  }

  private Map<String, Object> claims(Map<String, ?> changed) {
    Map<String, Object> claims =
        provider.claims(Instant.now(), Map.of("hd", "example.org", "tier", "gold"));
    claims.putAll(changed);
    return claims;
  }

  private String token(Map<String, ?> changed) {
    return signed("rsa", "RS256", claims(changed));
  }

  private String signed(String key, String algorithm, Map<String, Object> claims) {
    return provider.token(key, algorithm, claims);
  }

  private String unsigned(String algorithm) {
    return base64("{\"alg\":\"" + algorithm + "\"}")
        + "."
        + base64(JsonUtil.toJson(claims(Map.of())))
        + ".";
  }

  private String hashedWithThePublicKey() {
    JsonWebSignature signature = new JsonWebSignature();
    signature.setPayload(JsonUtil.toJson(claims(Map.of())));
    signature.setAlgorithmHeaderValue("HS256");
    signature.setKeyIdHeaderValue("rsa");
    signature.setKey(new HmacKey(provider.key("rsa").getPublic().getEncoded()));
    return compact(signature);
  }

  private String foreign(String keyId) {
    return sign(IdentityProvider.newKey("RSA"), keyId, "RS256", JsonUtil.toJson(claims(Map.of())));
  }

  private String renamed(String key, String name, String algorithm) {
    return sign(provider.key(key), name, algorithm, JsonUtil.toJson(claims(Map.of())));
  }

  private String duplicated() {
    String json = JsonUtil.toJson(claims(Map.of()));
    return sign(
        provider.key("rsa"),
        "rsa",
        "RS256",
        json.substring(0, json.length() - 1) + ",\"sub\":\"root\"}");
  }

  private String part(int index, String text) {
    String[] parts = token(Map.of()).split("\\.", -1);
    parts[index] = text;
    return String.join(".", parts);
  }

  private static String sign(KeyPair keys, String keyId, String algorithm, String payload) {
    JsonWebSignature signature = new JsonWebSignature();
    signature.setPayload(payload);
    signature.setAlgorithmHeaderValue(algorithm);
    signature.setKeyIdHeaderValue(keyId);
    signature.setKey(keys.getPrivate());
    return compact(signature);
  }

  private static String compact(JsonWebSignature signature) {
    try {
      return signature.getCompactSerialization();
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  private String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
