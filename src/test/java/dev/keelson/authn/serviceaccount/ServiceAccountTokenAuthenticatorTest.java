package dev.keelson.authn.serviceaccount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.authn.Authentication;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.jwt.SigningKey;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.request.RequestContext;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.testing.LocalApi;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ServiceAccountTokenAuthenticatorTest {

  private static final SigningKey KEY = key("EC");
  private static final SigningKey OTHER = key("EC");
  private static final List<String> API = List.of("https://api.example");

  @TempDir private Path directory;
  private LocalApi api;
  private LocalResourceClient client;
  private String uid;
  private RequestContext context;

  @BeforeEach
  void open() {
    context = new RequestContext(new UserInfo("admin", "", List.of(), Map.of()), "audit-1");
    context.received(Instant.EPOCH);
    api = LocalApi.open(directory);
    client =
        new LocalResourceClient(api.catalog(), api.registry(), resource -> api.store().revision());
    uid = create("serviceaccounts", "{'metadata':{'name':'builder'}}").meta().uid();
  }

  @AfterEach
  void close() {
    api.close();
  }

  private final List<TokenUse> counted = new ArrayList<>();

  @Test
  void boundToken_isItsAccount() {
    Authentication.Authenticated known = known(token("{'spec':{}}"));

    UserInfo user = known.user();
    assertThat(user.name()).isEqualTo("system:serviceaccount:default:builder");
    assertThat(user.uid()).isEqualTo(uid);
    assertThat(user.groups())
        .containsExactly("system:serviceaccounts", "system:serviceaccounts:default");
    assertThat(user.extra().get("authentication.kubernetes.io/credential-id"))
        .singleElement()
        .asString()
        .startsWith("JTI=")
        .isEqualTo(context.annotations().get("authentication.kubernetes.io/issued-credential-id"));
    assertThat(known.annotations()).isEmpty();
    assertThat(known.audiences()).isEqualTo(API);
  }

  @Test
  void request_isAnsweredWithAudiencesEndAndPlace() {
    ApiObject answer = answer("{'spec':{'expirationSeconds':900}}");

    assertThat(answer.meta().name()).isEqualTo("builder");
    assertThat(answer.meta().namespace()).isEqualTo("default");
    assertThat(answer.meta().uid()).isEqualTo(uid);
    assertThat(answer.root().at("spec", "audiences")).isEqualTo(Node.texts(API));
    assertThat(answer.root().at("spec", "boundObjectRef")).isEqualTo(Node.Null.NULL);
    assertThat(answer.root().map("status").text("expirationTimestamp"))
        .isEqualTo(
            api.clock()
                .instant()
                .plusSeconds(900)
                .truncatedTo(java.time.temporal.ChronoUnit.SECONDS)
                .toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{'expirationSeconds':null}", "{'expirationSeconds':3600}"})
  void request_isForAnHour_unlessItSaysMore(String spec) {
    ApiObject sent =
        new ApiObject(
            (MapNode)
                ObjectReader.untypedJson(
                    ("{'spec':" + spec + "}").replace('\'', '"').getBytes(StandardCharsets.UTF_8)));

    assertThat(ServiceAccountTokenGenerator.defaulted(sent).root().map("spec"))
        .isEqualTo(MapNode.of("expirationSeconds", new Node.Int(3600)));
  }

  @Test
  void request_mayNameTheUidOfTheAccount() {
    String named = "{'metadata':{'uid':'" + uid + "'},'spec':{}}";

    assertThat(answer(named).meta().uid()).isEqualTo(uid);
    assertThatThrownBy(() -> answer("{'metadata':{'uid':'u1'},'spec':{}}"))
        .hasMessage(
            "Operation cannot be fulfilled on TokenRequest.authentication.k8s.io \"builder\": the"
                + " UID in the token request (u1) does not match the UID of the service account ("
                + uid
                + ")")
        .extracting(error -> ((ApiException) error).reason())
        .isEqualTo(Reason.CONFLICT);
  }

  @Test
  void token_ofPod_saysSoAndEndsWithIt() {
    String pod =
        create(
                "pods",
                "{'metadata':{'name':'p'},'spec':{'serviceAccountName':'builder','nodeName':'n1',"
                    + "'containers':[{'name':'c','image':'i'}]}}")
            .meta()
            .uid();
    String token = token("{'spec':{'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p'}}}");

    assertThat(known(token).user().extra())
        .containsEntry("authentication.kubernetes.io/pod-name", List.of("p"))
        .containsEntry("authentication.kubernetes.io/pod-uid", List.of(pod))
        .containsEntry("authentication.kubernetes.io/node-name", List.of("n1"));

    client.deleteAll(BoundResources.PODS, "default");
    api.clock().advance(Duration.ofSeconds(100));
    assertThat(authenticate(token)).isInstanceOf(Authentication.Rejected.class);
  }

  @Test
  void token_boundToSecret_endsWithIt() {
    create("secrets", "{'metadata':{'name':'s'}}");
    String token =
        token("{'spec':{'boundObjectRef':{'kind':'Secret','apiVersion':'v1','name':'s'}}}");
    assertThat(known(token).user().name()).endsWith(":builder");

    client.deleteAll(BoundResources.SECRETS, "default");

    assertThat(authenticate(token)).isInstanceOf(Authentication.Rejected.class);
  }

  @Test
  void token_ofAnAccountMadeAnew_isRejected() {
    String token = token("{'spec':{}}");
    client.deleteAll(BoundResources.ACCOUNTS, "default");
    assertThat(authenticate(token)).isInstanceOf(Authentication.Rejected.class);

    create("serviceaccounts", "{'metadata':{'name':'builder'}}");

    assertThat(authenticate(token))
        .isInstanceOfSatisfying(
            Authentication.Rejected.class,
            rejected ->
                assertThat(rejected.reason())
                    .matches("service account UID \\(.+\\) does not match claim \\(.+\\)"));
  }

  @Test
  void token_pastItsEnd_isRejected() {
    String token = token("{'spec':{'expirationSeconds':600}}");
    assertThat(known(token).user().name()).endsWith(":builder");

    api.clock().advance(Duration.ofSeconds(661));

    assertThat(authenticate(token))
        .isEqualTo(new Authentication.Rejected("service account token has expired"));
  }

  @Test
  void token_forOthers_isRejected() {
    assertThat(authenticate(token("{'spec':{'audiences':['vault','x']}}")))
        .isInstanceOfSatisfying(
            Authentication.Rejected.class,
            rejected ->
                assertThat(rejected.reason())
                    .startsWith(
                        "token audiences [\"vault\" \"x\"] is invalid for the target audiences"
                            + " [\""));
  }

  @Test
  void token_forOthers_isKnownToThem() {
    String token = token("{'spec':{'audiences':['vault','x']}}");

    assertThat(tokens().authenticate(Credentials.ofToken(token, List.of("vault"))))
        .isInstanceOfSatisfying(
            Authentication.Authenticated.class,
            known -> assertThat(known.audiences()).containsExactly("vault"));
  }

  @Test
  void token_ofAForeignKey_isRejected() {
    String token = OTHER.sign(claims(Map.of()));

    assertThat(authenticate(token)).isInstanceOf(Authentication.Rejected.class);
  }

  @Test
  void token_ofAForeignIssuer_isLeftToOthers() {
    assertThat(authenticate(KEY.sign(Map.of("iss", "https://other.example"))))
        .isInstanceOf(Authentication.NoOpinion.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "HS256", ""})
  void token_withAWeakAlgorithm_isRejected(String algorithm) {
    String[] parts = token("{'spec':{}}").split("\\.");
    String header = encoded("{\"alg\":\"" + algorithm + "\",\"kid\":\"x\"}");

    assertThat(authenticate(header + "." + parts[1] + "." + parts[2]))
        .isInstanceOf(Authentication.Rejected.class);
    assertThat(authenticate(header + "." + parts[1] + "."))
        .isInstanceOf(Authentication.Rejected.class);
  }

  @Test
  void token_withAClaimTwice_isNoToken() {
    String claims = "{\"iss\":\"me\",\"iss\":\"me\"}";

    assertThat(authenticate(encoded("{\"alg\":\"ES256\"}") + "." + encoded(claims) + ".eA"))
        .isInstanceOf(Authentication.NoOpinion.class);
  }

  @Test
  void token_whoseSubjectIsAnotherAccount_isRejected() {
    String token = KEY.sign(claims(Map.of("sub", "system:serviceaccount:kube-system:root")));

    assertThat(authenticate(token)).isInstanceOf(Authentication.Rejected.class);
  }

  @Test
  void oldToken_isKnownWhileItsSecretHoldsIt() {
    ApiObject account = client.get(BoundResources.ACCOUNTS, "default", "builder").orElseThrow();
    String token = requests(null).legacyToken(account, "old");
    assertThat(authenticate(token)).isInstanceOf(Authentication.Rejected.class);

    create(
        "secrets",
        "{'metadata':{'name':'old'},'data':{'token':'"
            + Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.UTF_8))
            + "'}}");

    assertThat(known(token).user().uid()).isEqualTo(uid);
    assertThat(known(token).annotations())
        .containsOnly(
            Map.entry(
                "authentication.k8s.io/legacy-token", "system:serviceaccount:default:builder"),
            Map.entry("authentication.k8s.io/legacy-token-manual-secret", "old"));
    counted.clear();
    assertThat(known(token).warnings()).isEmpty();
    assertThat(counted).containsExactly(TokenUse.LEGACY, TokenUse.LEGACY_MANUAL);
  }

  @Test
  void oldToken_thatWasMadeForTheAccount_isWarnedOf_alsoWhenItWasRemembered() {
    ApiObject account = client.get(BoundResources.ACCOUNTS, "default", "builder").orElseThrow();
    String token = requests(null).legacyToken(account, "old");
    create("secrets", "{'metadata':{'name':'old'},'data':{'token':'" + base64(token) + "'}}");
    ServiceAccountTokenAuthenticator tokens = tokens();
    Credentials shown = new Credentials(List.of("Bearer " + token), List.of());
    assertThat(((Authentication.Authenticated) tokens.authenticate(shown)).warnings()).isEmpty();

    assertThat(
            client.change(
                BoundResources.ACCOUNTS,
                "default",
                "builder",
                old ->
                    old.with(
                        "secrets", new Node.Items(List.of(MapNode.of("name", Node.text("old")))))))
        .isPresent();

    counted.clear();
    for (int i = 0; i < 2; i++) {
      Authentication.Authenticated known =
          (Authentication.Authenticated) tokens.authenticate(shown);
      assertThat(known.warnings())
          .containsExactly(
              "Use tokens from the TokenRequest API or manually created secret-based tokens"
                  + " instead of auto-generated secret-based tokens.");
      assertThat(known.annotations())
          .containsOnly(
              Map.entry(
                  "authentication.k8s.io/legacy-token", "system:serviceaccount:default:builder"),
              Map.entry("authentication.k8s.io/legacy-token-autogenerated-secret", "old"));
    }
    assertThat(counted)
        .containsExactly(
            TokenUse.LEGACY, TokenUse.LEGACY_GENERATED, TokenUse.LEGACY, TokenUse.LEGACY_GENERATED);
  }

  @Test
  void oldToken_isRejected_forItsSecretFirst() {
    ApiObject account = client.get(BoundResources.ACCOUNTS, "default", "builder").orElseThrow();
    String token = requests(null).legacyToken(account, "old");
    assertThat(authenticate(token))
        .isEqualTo(new Authentication.Rejected("Token has been invalidated"));

    create("secrets", "{'metadata':{'name':'old'},'data':{'token':'" + base64("x") + "'}}");
    assertThat(authenticate(token))
        .isEqualTo(new Authentication.Rejected("Token does not match server's copy"));

    change("old", secret -> secret.with("data", MapNode.of("token", Node.text(base64(token)))));
    client.deleteAll(BoundResources.ACCOUNTS, "default");
    assertThat(authenticate(token))
        .isEqualTo(new Authentication.Rejected("serviceaccounts \"builder\" not found"));

    String next = create("serviceaccounts", "{'metadata':{'name':'builder'}}").meta().uid();
    assertThat(authenticate(token))
        .isEqualTo(
            new Authentication.Rejected(
                "ServiceAccount UID (" + next + ") does not match claim (" + uid + ")"));
  }

  @Test
  void tokenPastItsWarning_isAnnotatedAsStale() {
    create(
        "pods",
        "{'metadata':{'name':'p'},'spec':{'serviceAccountName':'builder','nodeName':'n1',"
            + "'containers':[{'name':'c','image':'i'}]}}");
    String token =
        token(
            "{'spec':{'expirationSeconds':3607,"
                + "'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p'}}}");
    assertThat(known(token).annotations()).isEmpty();

    api.clock().advance(Duration.ofSeconds(3607 + 60));

    assertThat(known(token).annotations().get("authentication.k8s.io/stale-token"))
        .startsWith(
            "subject: system:serviceaccount:default:builder, seconds after warning threshold: 6");
    assertThat(counted).containsExactly(TokenUse.VALID, TokenUse.STALE);
  }

  @Test
  void oldToken_thatWasRemembered_endsWithAnotherTokenInItsSecret() {
    ApiObject account = client.get(BoundResources.ACCOUNTS, "default", "builder").orElseThrow();
    String token = requests(null).legacyToken(account, "old");
    create("secrets", "{'metadata':{'name':'old'},'data':{'token':'" + base64(token) + "'}}");
    List<String> uses = new ArrayList<>();
    ServiceAccountTokenAuthenticator tokens =
        tokens((secret, day) -> uses.add(secret.meta().name()));
    Credentials shown = new Credentials(List.of("Bearer " + token), List.of());
    assertThat(tokens.authenticate(shown)).isInstanceOf(Authentication.Authenticated.class);
    assertThat(tokens.authenticate(shown)).isInstanceOf(Authentication.Authenticated.class);
    assertThat(uses).as("the Secret is read once").containsExactly("old");

    change("old", secret -> secret.with("data", MapNode.of("token", Node.text(base64("x")))));

    assertThat(tokens.authenticate(shown)).isInstanceOf(Authentication.Rejected.class);
  }

  @Test
  void oldToken_thatWasRemembered_endsWithItsMark() {
    ApiObject account = client.get(BoundResources.ACCOUNTS, "default", "builder").orElseThrow();
    String token = requests(null).legacyToken(account, "old");
    create("secrets", "{'metadata':{'name':'old'},'data':{'token':'" + base64(token) + "'}}");
    List<String> uses = new ArrayList<>();
    ServiceAccountTokenAuthenticator tokens =
        tokens((secret, day) -> uses.add(secret.meta().labels().toString()));
    Credentials shown = new Credentials(List.of("Bearer " + token), List.of());
    assertThat(tokens.authenticate(shown)).isInstanceOf(Authentication.Authenticated.class);

    change(
        "old",
        secret ->
            secret.withMeta(
                secret
                    .meta()
                    .with(
                        "labels",
                        MapNode.of(
                            "kubernetes.io/legacy-token-invalid-since", Node.text("2025-01-02")))));

    assertThat(tokens.authenticate(shown))
        .isEqualTo(
            new Authentication.Rejected(
                "the token in secret default/old for service account default/builder has been"
                    + " marked invalid. Use tokens from the TokenRequest API or manually created"
                    + " secret-based tokens, or remove the"
                    + " 'kubernetes.io/legacy-token-invalid-since' label from the secret to"
                    + " temporarily allow use of this token",
                Map.of("authentication.k8s.io/legacy-token-invalidated", "old/default")));
    assertThat(uses)
        .as("the use of a marked token is noted too")
        .containsExactly("{}", "{kubernetes.io/legacy-token-invalid-since=2025-01-02}");
    assertThat(counted)
        .containsExactly(TokenUse.LEGACY, TokenUse.LEGACY_MANUAL, TokenUse.LEGACY_INVALIDATED);
  }

  @Test
  void rememberedToken_stillEndsAndCountsForItsAudience() {
    ServiceAccountTokenAuthenticator tokens = tokens();
    String token = token("{'spec':{'expirationSeconds':600}}");
    Credentials shown = new Credentials(List.of("Bearer " + token), List.of());
    assertThat(tokens.authenticate(shown)).isInstanceOf(Authentication.Authenticated.class);
    assertThat(tokens.authenticate(Credentials.ofToken(token, List.of("vault"))))
        .isInstanceOf(Authentication.Rejected.class);

    client.deleteAll(BoundResources.ACCOUNTS, "default");
    assertThat(tokens.authenticate(shown)).isInstanceOf(Authentication.Rejected.class);
    create("serviceaccounts", "{'metadata':{'name':'builder'}}");
    assertThat(tokens.authenticate(shown)).isInstanceOf(Authentication.Rejected.class);
  }

  @Test
  void longLife_isShortenedWithAWarning() {
    ApiObject answer =
        requests(Duration.ofHours(2))
            .answer("default", "builder", parse("{'spec':{'expirationSeconds':8000}}"), context);

    assertThat(answer.root().at("spec", "expirationSeconds")).isEqualTo(new Node.Int(7200));
    assertThat(context.warnings())
        .containsExactly("requested expiration of 8000 seconds shortened to 7200 seconds");
  }

  @Test
  void shortLife_isInvalid() {
    assertThatThrownBy(() -> answer("{'spec':{'expirationSeconds':599}}"))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID))
        .hasMessage(
            "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid"
                + " value: 599: may not specify a duration less than 10 minutes");
  }

  @Test
  void missingAccount_isNotFound() {
    assertThatThrownBy(
            () -> requests(null).answer("default", "nobody", parse("{'spec':{}}"), context))
        .isInstanceOf(ApiException.class)
        .hasMessage("serviceaccounts \"nobody\" not found");
  }

  @Test
  void anotherUidThanTheObjects_isAConflict() {
    create("secrets", "{'metadata':{'name':'s'}}");

    assertThatThrownBy(
            () ->
                answer(
                    "{'spec':{'boundObjectRef':{'kind':'Secret','apiVersion':'v1','name':'s',"
                        + "'uid':'x'}}}"))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CONFLICT));
  }

  @Test
  void bindingToAConfigMap_isABadRequest() {
    assertThatThrownBy(
            () ->
                answer(
                    "{'spec':{'boundObjectRef':{'kind':'ConfigMap','apiVersion':'v1','name':'s'}}}"))
        .isInstanceOf(ApiException.class)
        .hasMessage("cannot bind token to object of type /v1, Kind=ConfigMap");
    assertThatThrownBy(() -> answer("{'spec':{'boundObjectRef':{}}}"))
        .isInstanceOf(ApiException.class)
        .hasMessage("cannot bind token to object of type /, Kind=");
    assertThat(answer("{'spec':{'boundObjectRef':null}}").root().map("status").has("token"))
        .isTrue();
  }

  @Test
  void documents_nameKeysThatCheckTokens() throws Exception {
    OpenIdMetadata documents = new OpenIdMetadata("me", List.of(KEY.verification()));

    var keys = dev.keelson.authn.jwt.JsonWebKeySet.parse(documents.keySet());

    assertThat(keys).containsExactly(KEY.verification());
    assertThat(documents.configuration("https://x/jwks"))
        .contains("\"issuer\":\"me\"", "\"ES256\"", "\"jwks_uri\":\"https://x/jwks\"");
  }

  private Map<String, Object> claims(Map<String, Object> changed) {
    Map<String, Object> claims = new java.util.HashMap<>();
    claims.put("iss", "me");
    claims.put("aud", API);
    claims.put("sub", "system:serviceaccount:default:builder");
    claims.put(
        "kubernetes.io",
        Map.of("namespace", "default", "serviceaccount", Map.of("name", "builder", "uid", uid)));
    claims.putAll(changed);
    return claims;
  }

  private String token(String request) {
    return answer(request).root().map("status").text("token");
  }

  private ApiObject answer(String request) {
    return requests(null).answer("default", "builder", parse(request), context);
  }

  private ServiceAccountTokenGenerator requests(@org.jspecify.annotations.Nullable Duration most) {
    ServiceAccountOptions options =
        new ServiceAccountOptions(List.of("me"), List.of(), null, most, true, true, null);
    return new ServiceAccountTokenGenerator(KEY, options, API, client, api.clock());
  }

  private void change(String secret, java.util.function.UnaryOperator<ApiObject> edit) {
    assertThat(client.change(BoundResources.SECRETS, "default", secret, edit)).isPresent();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private ServiceAccountTokenAuthenticator tokens() {
    return tokens((secret, day) -> {});
  }

  private ServiceAccountTokenAuthenticator tokens(
      java.util.function.BiConsumer<ApiObject, java.time.LocalDate> legacyUse) {
    return new ServiceAccountTokenAuthenticator(
        List.of("me"),
        List.of(KEY.verification()),
        API,
        true,
        client,
        legacyUse,
        counted::add,
        api.clock());
  }

  private Authentication authenticate(String token) {
    return tokens().authenticate(new Credentials(List.of("Bearer " + token), List.of()));
  }

  private Authentication.Authenticated known(String token) {
    return (Authentication.Authenticated) authenticate(token);
  }

  private ApiObject create(String resource, String json) {
    return api.create("v1", resource, "default", json);
  }

  private static ApiObject parse(String json) {
    byte[] text = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return new ApiObject((MapNode) ObjectReader.untypedJson(text));
  }

  private static String encoded(String json) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }

  private static SigningKey key(String type) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(type);
      generator.initialize(256);
      KeyPair pair = generator.generateKeyPair();
      return SigningKey.of(pair.getPrivate(), pair.getPublic());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
