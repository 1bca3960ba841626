package dev.keelson.authn.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class JwtTest {

  private static final KeyPair RSA = pair("RSA", 2048);
  private static final KeyPair EC = pair("EC", 256);
  private static final SigningKey RSA_KEY = SigningKey.of(RSA.getPrivate(), RSA.getPublic());
  private static final SigningKey EC_KEY = SigningKey.of(EC.getPrivate(), EC.getPublic());
  private static final List<VerificationKey> KEYS =
      List.of(EC_KEY.verification(), RSA_KEY.verification());

  @Test
  void token_ofAKnownKey_isVerified() {
    accepted(EC_KEY.sign(Map.of("sub", "ann", "exp", 4_000_000_000L)));
    accepted(RSA_KEY.sign(Map.of("sub", "ann", "exp", 4_000_000_000L)));
  }

  @Test
  void token_withoutKeyId_isVerifiedWithEveryKey() throws JoseException {
    accepted(signed("{\"alg\":\"RS256\"}", "{\"sub\":\"ann\"}", RSA));
  }

  @Test
  void token_thatNamesAnotherKey_isRejected() throws JoseException {
    rejected(signed(header(EC_KEY, "RS256"), "{\"sub\":\"ann\"}", RSA));
    rejected(signed("{\"alg\":\"RS256\",\"kid\":\"unknown\"}", "{\"sub\":\"ann\"}", RSA));
  }

  /** Claims are for the authenticators: the verdict on the signature must not depend on them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"sub\":\"ann\"}",
        "{\"exp\":1}",
        "{\"exp\":-1}",
        "{\"exp\":\"soon\"}",
        "{\"exp\":1e300}",
        "{\"exp\":1e999}",
        "{\"exp\":99999999999999999999999999999999}",
        "{\"nbf\":9999999999999,\"exp\":4000000000}",
        "{\"iat\":9999999999999,\"exp\":4000000000}",
        "{\"exp\":4000000000,\"jti\":7,\"sub\":[],\"iss\":{},\"aud\":true}",
        "{\"exp\":4000000000,\"groups\":7}",
        "{\"exp\":4000000000,\"groups\":\"a b\",\"roleMappings\":{\"a\":\"root\"}}",
        "{\"exp\":4000000000,\"groups\":[7],\"roleMappings\":3}",
        "{\"exp\":4000000000,\"n\":1e999,\"m\":99999999999999999999999999999999}"
      })
  void claims_doNotDecideOnTheSignature(String claims) throws JoseException {
    String token = signed(header(EC_KEY, "ES256"), claims, EC);

    accepted(token);
    rejected(withOtherSignature(token));
    rejected(token.substring(0, token.lastIndexOf('.') + 1));
  }

  @Test
  void claims_areThoseThatWereSigned() throws JoseException {
    String claims =
        "{\"exp\":4000000000,\"groups\":\"a b\",\"roleMappings\":{\"a\":\"root\"},\"sub\":\"ann\"}";
    Jwt token = Jwt.parse(signed(header(EC_KEY, "ES256"), claims, EC)).orElseThrow();

    assertThatCode(() -> token.verify(KEYS, Jwt.ASYMMETRIC)).doesNotThrowAnyException();

    assertThat(token.claims().values().get("groups")).isEqualTo("a b");
    assertThat(token.claims().values().keySet())
        .map(String::valueOf)
        .containsExactlyInAnyOrder("exp", "groups", "roleMappings", "sub");
  }

  @Test
  void algorithmNone_isRejected() {
    for (String none : List.of("none", "None", "NONE", "")) {
      String head = encoded("{\"alg\":\"" + none + "\",\"kid\":\"" + id(EC_KEY) + "\"}");
      rejected(head + "." + encoded("{\"sub\":\"root\",\"exp\":4000000000}") + ".");
    }
    rejected(encoded("{}") + "." + encoded("{\"sub\":\"root\"}") + ".");
  }

  @Test
  void publicKeyAsSecret_isRejected() throws JoseException {
    for (KeyPair pair : List.of(RSA, EC)) {
      JsonWebSignature forged = new JsonWebSignature();
      forged.setPayload("{\"sub\":\"root\",\"exp\":4000000000}");
      forged.setAlgorithmHeaderValue("HS256");
      forged.setKey(new HmacKey(pair.getPublic().getEncoded()));

      rejected(forged.getCompactSerialization());
    }
  }

  @Test
  void algorithmOfAnotherKeyType_isRejected() {
    String token = EC_KEY.sign(Map.of("sub", "ann", "exp", 4_000_000_000L));

    for (String algorithm : List.of("ES384", "ES512", "RS256", "PS256", "EdDSA", "HS256")) {
      rejected(withHeader(token, header(EC_KEY, algorithm)));
      rejected(withHeader(token, "{\"alg\":\"" + algorithm + "\"}"));
    }
  }

  @Test
  void algorithmOutsideTheAllowed_isRejected() {
    Jwt token = Jwt.parse(RSA_KEY.sign(Map.of("exp", 4_000_000_000L))).orElseThrow();

    assertThatThrownBy(() -> token.verify(KEYS, Set.of("ES256")))
        .isInstanceOf(InvalidJwtException.class)
        .hasMessage("the algorithm \"RS256\" is not allowed");
  }

  @Test
  void keyForOneAlgorithm_verifiesNoOther() throws JoseException {
    Jwt token = Jwt.parse(signed("{\"alg\":\"RS512\"}", "{\"sub\":\"ann\"}", RSA)).orElseThrow();
    VerificationKey any = new VerificationKey("", RSA.getPublic(), "");

    assertThatCode(() -> token.verify(List.of(any), Jwt.ASYMMETRIC)).doesNotThrowAnyException();
    assertThatThrownBy(() -> token.verify(KEYS, Jwt.ASYMMETRIC))
        .hasMessage("the signature does not match any known key");
  }

  @Test
  void signatureOfZeros_isRejected() {
    String token = EC_KEY.sign(Map.of("sub", "root", "exp", 4_000_000_000L));
    String zeros = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[64]);

    rejected(token.substring(0, token.lastIndexOf('.') + 1) + zeros);
  }

  @Test
  void shortRsaKey_isRejected() throws JoseException {
    KeyPair weak = pair("RSA", 1024);
    JsonWebSignature signature = new JsonWebSignature();
    signature.setPayload("{\"sub\":\"ann\",\"exp\":4000000000}");
    signature.setAlgorithmHeaderValue("RS256");
    signature.setKey(weak.getPrivate());
    signature.setDoKeyValidation(false);
    Jwt token = Jwt.parse(signature.getCompactSerialization()).orElseThrow();
    VerificationKey key = new VerificationKey("", weak.getPublic(), "");

    assertThatThrownBy(() -> token.verify(List.of(key), Jwt.ASYMMETRIC))
        .isInstanceOf(InvalidJwtException.class);
  }

  @Test
  void criticalHeader_isRejected() throws JoseException {
    String header = "{\"alg\":\"ES256\",\"crit\":[\"exp\"],\"exp\":1}";
    String claims = "{\"sub\":\"ann\",\"exp\":4000000000}";

    rejected(signed(header, claims, EC));
  }

  @Test
  void keyInsideTheHeader_isNotUsed() throws JoseException {
    KeyPair own = pair("EC", 256);
    PublicKey offered = own.getPublic();
    Map<String, Object> jwk = JsonWebKeySet.entry(SigningKey.verification(offered));
    String header =
        JsonText.write(Map.of("alg", "ES256", "jwk", jwk, "jku", "https://attacker.example/"));

    rejected(signed(header, "{\"sub\":\"root\",\"exp\":4000000000}", own));
  }

  @Test
  void tokenInsideAToken_isNone() throws JoseException {
    String inner = EC_KEY.sign(Map.of("sub", "root", "exp", 4_000_000_000L));

    assertThat(Jwt.parse(signed("{\"alg\":\"ES256\",\"cty\":\"JWT\"}", inner, EC))).isEmpty();
  }

  @Test
  void contentType_doesNotMakeAnObjectAToken() throws JoseException {
    String header = "{\"alg\":\"ES256\",\"cty\":\"JWT\"}";

    rejected(signed(header, "{\"sub\":\"ann\",\"exp\":4000000000}", EC));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "a.b",
        "a.b.c",
        "a.b.c.d.e",
        "....",
        "e30.e30",
        "W10.e30.eA",
        "e30.W10.eA",
        "bnVsbA.e30.eA",
        "e30 .e30.eA",
      })
  void textThatIsNoToken_isNone(String text) {
    assertThat(Jwt.parse(text)).isEmpty();
  }

  @Test
  void encryptedToken_isNone() {
    String head = encoded("{\"alg\":\"RSA-OAEP\",\"enc\":\"A256GCM\",\"cty\":\"JWT\"}");

    assertThat(Jwt.parse(head + ".a.b.c.d")).isEmpty();
  }

  @Test
  void nameThatAppearsTwice_isNone() {
    String good = encoded("{\"sub\":\"ann\"}");

    assertThat(Jwt.parse(encoded("{\"alg\":\"ES256\",\"alg\":\"none\"}") + "." + good + ".eA"))
        .isEmpty();
    assertThat(
            Jwt.parse(
                encoded("{\"alg\":\"ES256\"}")
                    + "."
                    + encoded("{\"sub\":\"ann\",\"sub\":\"root\"}")
                    + ".eA"))
        .isEmpty();
    assertThat(
            Jwt.parse(
                encoded("{\"alg\":\"ES256\"}")
                    + "."
                    + encoded("{\"kubernetes.io\":{\"a\":1,\"a\":2}}")
                    + ".eA"))
        .isEmpty();
  }

  @Test
  void tokenOverTheLimit_isNone() {
    String filler = "x".repeat(Jwt.LONGEST);

    assertThat(Jwt.parse(EC_KEY.sign(Map.of("sub", filler)))).isEmpty();
  }

  @Test
  void signedToken_holdsTheClaimsInTheirOrder() {
    Map<String, Object> account = new LinkedHashMap<>();
    account.put("name", "builder");
    account.put("uid", "u1");
    Map<String, Object> own = new LinkedHashMap<>();
    own.put("namespace", "default");
    own.put("serviceaccount", account);
    own.put("warnafter", 1_700_003_607L);
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("aud", List.of("https://api.example"));
    claims.put("exp", 1_700_000_600L);
    claims.put("kubernetes.io", own);
    claims.put("sub", "system:serviceaccount:default:builder");

    String[] parts = RSA_KEY.sign(claims).split("\\.");

    assertThat(decoded(parts[1]))
        .isEqualTo(
            "{\"aud\":[\"https://api.example\"],\"exp\":1700000600,\"kubernetes.io\":"
                + "{\"namespace\":\"default\",\"serviceaccount\":{\"name\":\"builder\","
                + "\"uid\":\"u1\"},\"warnafter\":1700003607},"
                + "\"sub\":\"system:serviceaccount:default:builder\"}");
  }

  @Test
  void signedToken_namesAlgorithmAndKey() throws InvalidJwtException {
    assertThat(JsonText.object(decoded(EC_KEY.sign(Map.of()).split("\\.")[0])))
        .isEqualTo(Map.of("alg", "ES256", "kid", id(EC_KEY), "typ", "JWT"));
    assertThat(JsonText.object(decoded(RSA_KEY.sign(Map.of()).split("\\.")[0])))
        .isEqualTo(Map.of("alg", "RS256", "kid", id(RSA_KEY), "typ", "JWT"));
  }

  private static void accepted(String token) {
    Jwt jwt = Jwt.parse(token).orElseThrow();
    assertThatCode(() -> jwt.verify(KEYS, Jwt.ASYMMETRIC)).doesNotThrowAnyException();
  }

  private static void rejected(String token) {
    Jwt jwt = Jwt.parse(token).orElseThrow();
    assertThatThrownBy(() -> jwt.verify(KEYS, Jwt.ASYMMETRIC))
        .isInstanceOf(InvalidJwtException.class);
  }

  /** Signs by hand, for headers and claims that no builder writes. */
  private static String signed(String header, String payload, KeyPair pair) throws JoseException {
    JsonWebSignature signature = new JsonWebSignature();
    try {
      JsonText.object(header)
          .forEach((name, value) -> signature.getHeaders().setObjectHeaderValue(name, value));
    } catch (InvalidJwtException e) {
      throw new IllegalArgumentException(header, e);
    }
    signature.setPayload(payload);
    signature.setKey(pair.getPrivate());
    return signature.getCompactSerialization();
  }

  private static String header(SigningKey key, String algorithm) {
    return "{\"alg\":\"" + algorithm + "\",\"kid\":\"" + id(key) + "\"}";
  }

  private static String id(SigningKey key) {
    return key.verification().id();
  }

  private static String withHeader(String token, String header) {
    return encoded(header) + token.substring(token.indexOf('.'));
  }

  private static String withOtherSignature(String token) {
    String other = EC_KEY.sign(Map.of("sub", "somebody else"));
    return token.substring(0, token.lastIndexOf('.')) + other.substring(other.lastIndexOf('.'));
  }

  private static String encoded(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decoded(String base64) {
    return new String(Base64.getUrlDecoder().decode(base64), StandardCharsets.UTF_8);
  }

  private static KeyPair pair(String type, int size) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(type);
      generator.initialize(size);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
