package dev.keelson;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.IdentityProvider;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WhoAmI;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Expressions in both configuration files of a running server: users of a provider are made of
 * claims, and a webhook is asked what its condition says. Part of the round that every native
 * executable must pass, since the library that evaluates them was written for a JVM.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class ExpressionSmokeIT {

  private final AtomicInteger asked = new AtomicInteger();
  private KeelsonProcess server;
  private IdentityProvider provider;
  private RestClient administrator;
  private RestClient nobody;
  private WhoAmI who;
  private Path authorization;
  private Path webhook;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    provider = new IdentityProvider();
    provider.key("rsa", "RSA");
    provider.path(
        "/authorize",
        exchange -> {
          asked.incrementAndGet();
          return "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\","
              + "\"status\":{\"allowed\":true}}";
        });
    webhook =
        Files.writeString(
            directory.resolve("webhook.yaml"),
            provider.kubeconfig("/authorize", provider.certificatePem()));
    authorization = directory.resolve("authorization.yaml");
    authorize("request.?resourceAttributes.?resource.orValue('') == 'services'");
    Path authentication =
        Files.writeString(
            directory.resolve("authentication.yaml"),
            """
            apiVersion: apiserver.config.k8s.io/v1
            kind: AuthenticationConfiguration
            jwt:
            - issuer:
                url: %s
                audiences: [kubernetes]
                certificateAuthority: |
                  %s
              claimValidationRules:
              - {expression: "claims.exp - claims.iat <= 86400", message: at most a day}
              - {expression: "claims.?hd.orValue('example.org') == 'example.org'"}
              claimMappings:
                username:
                  expression: >-
                    claims.email_verified ? claims.email.split('@')[0].lowerAscii() : claims.sub
                groups: {expression: "claims.roles.filter(r, r != 'hidden').map(r, 'idp:' + r)"}
                uid: {expression: "string(claims.sub)"}
                extra:
                - {key: example.org/team, valueExpression: "claims.?team.orValue('')"}
              userValidationRules:
              - {expression: "!user.username.startsWith('system:')", message: reserved}
              - {expression: "user.groups.all(g, g != 'idp:banned')"}
            """
                .formatted(provider.url(), provider.certificatePem().replace("\n", "\n      ")));
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--authentication-config=" + authentication,
                "--authorization-config=" + authorization));
    administrator = RestClient.administrator(server);
    nobody = RestClient.nobody(server);
    who = new WhoAmI(server.address(), server.kubeconfig().asNobody());
  }

  private void authorize(String condition) throws IOException {
    Files.writeString(
        authorization,
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: AuthorizationConfiguration
        authorizers:
        - {type: RBAC, name: rbac}
        - type: Webhook
          name: hook
          webhook:
            timeout: 3s
            subjectAccessReviewVersion: v1
            matchConditionSubjectAccessReviewVersion: v1
            failurePolicy: Deny
            authorizedTTL: 1ms
            unauthorizedTTL: 1ms
            connectionInfo: {type: KubeConfigFile, kubeConfigFile: %s}
            matchConditions:
            - expression: "%s"
            - expression: "!('idp:nohook' in request.groups)"
        """
            .formatted(webhook, condition));
  }

  @AfterAll
  void stop() {
    server.close();
    provider.close();
  }

  @Test
  void user_isMadeOfTheClaims() {
    WhoAmI.Response answer =
        who.bearer(token(Map.of("roles", List.of("dev", "hidden", "ops"), "team", "blue")));

    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    assertThat(answer.user()).isEqualTo("ann");
    assertThat(answer.groups()).containsExactly("idp:dev", "idp:ops", "system:authenticated");
    assertThat(answer.body())
        .contains("\"uid\":\"u-1\"")
        .contains("\"example.org/team\":[\"blue\"]");
    assertThat(who.bearer(token(Map.of("email_verified", false))).user()).isEqualTo("u-1");
    assertThat(who.bearer(token(Map.of("hd", "example.org"))).body())
        .doesNotContain("example.org/team");
  }

  /** What in the claims makes the token worthless. */
  @ParameterizedTest
  @CsvSource({
    "hd,example.com",
    "email,system:kube-proxy@x",
    "email,@x",
    "roles,7",
    "email_verified,maybe"
  })
  void brokenRule_orClaimOfAnotherType_isRefused(String claim, String value) {
    assertThat(who.bearer(token(Map.of(claim, value))).status()).isEqualTo(401);
  }

  @Test
  void bannedGroup_andMissingClaim_areRefused() {
    assertThat(who.bearer(token(Map.of("roles", List.of("banned")))).status()).isEqualTo(401);
    Map<String, Object> claims = claims(Map.of());
    claims.remove("roles");
    assertThat(who.bearer(provider.token("rsa", "RS256", claims)).status()).isEqualTo(401);
  }

  @Test
  void webhook_isAskedWhatItsConditionsSay_andFollowsTheFile() throws IOException {
    String path = "/api/v1/namespaces/default/";
    String token = token(Map.of());
    int before = asked.get();
    assertThat(as(token, path + "services").statusCode()).isEqualTo(200);
    assertThat(asked.get()).isGreaterThan(before);

    int then = asked.get();
    assertThat(as(token, path + "endpoints").statusCode()).isEqualTo(403);
    String without = token(Map.of("roles", List.of("nohook")));
    assertThat(as(without, path + "services").statusCode()).isEqualTo(403);
    assertThat(asked.get()).isEqualTo(then);

    authorize("request.nope");
    assertEventually(
        () ->
            assertThat(administrator.get("/metrics").asString())
                .contains(
                    "keelson_file_reloads_total{flag=\"--authorization-config\","
                        + "status=\"failure\"} 1"));
    assertThat(as(token, path + "services").statusCode()).isEqualTo(200);

    authorize("request.?resourceAttributes.?resource.orValue('') == 'endpoints'");
    assertEventually(() -> assertThat(as(token, path + "endpoints").statusCode()).isEqualTo(200));
    assertThat(as(token, path + "services").statusCode()).isEqualTo(403);
  }

  private String token(Map<String, ?> changed) {
    return provider.token("rsa", "RS256", claims(changed));
  }

  private Map<String, Object> claims(Map<String, ?> changed) {
    Map<String, Object> claims =
        new HashMap<>(
            Map.of(
                "sub",
                "u-1",
                "email",
                "Ann@example.org",
                "email_verified",
                true,
                "roles",
                List.of("dev")));
    claims.putAll(changed);
    return new HashMap<>(provider.claims(Instant.now(), claims));
  }

  private Response as(String token, String path) {
    return nobody.request().header("Authorization", "Bearer " + token).get(path);
  }
}
