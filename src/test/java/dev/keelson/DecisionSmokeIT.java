package dev.keelson;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.testing.IdentityProvider;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A decision of each kind on one server: Node, RBAC, ABAC and a real webhook, for users of an
 * OpenID Connect provider and of a token file. Part of the round that every native executable must
 * pass, since each of them reads files and reaches servers in ways that a native build can break.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class DecisionSmokeIT {

  private static final String POLICY = "pat,,,configmaps,default,,false\n";

  private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
  private KeelsonProcess server;
  private IdentityProvider provider;
  private RestClient administrator;
  private RestClient nobody;
  private Path policies;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    provider = new IdentityProvider();
    provider.key("rsa", "RSA");
    provider.path("/authorize", this::authorize);
    Path authority = Files.writeString(directory.resolve("ca.pem"), provider.certificatePem());
    Path webhook =
        Files.writeString(
            directory.resolve("webhook.yaml"),
            provider.kubeconfig("/authorize", provider.certificatePem()));
    policies = Files.writeString(directory.resolve("policies.csv"), POLICY);
    Path tokens =
        Files.writeString(
            directory.resolve("tokens.csv"),
            """
            pat-token,pat,1
            rob-token,rob,2
            node-token,system:node:n1,3,"system:nodes"
            """);
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--oidc-issuer-url=" + provider.url(),
                "--oidc-client-id=kubernetes",
                "--oidc-ca-file=" + authority,
                "--oidc-username-prefix=-",
                "--token-auth-file=" + tokens,
                "--authorization-mode=Node,RBAC,ABAC,Webhook",
                "--authorization-policy-file=" + policies,
                "--authorization-webhook-config-file=" + webhook,
                "--authorization-webhook-version=v1",
                "--authorization-webhook-cache-unauthorized-ttl=1s"));
    administrator = RestClient.administrator(server);
    nobody = RestClient.nobody(server);
  }

  @AfterAll
  void stop() {
    server.close();
    provider.close();
  }

  @Test
  void userOfTheProvider_isDecidedOnByTheWebhook() {
    String token =
        provider.token("rsa", "RS256", provider.claims(Instant.now(), Map.of("sub", "olga")));

    assertThat(as(token, "/api/v1/namespaces/default/services").statusCode()).isEqualTo(200);
    Response refused = as(token, "/api/v1/namespaces/default/endpoints");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.path("message").toString())
        .isEqualTo(
            "endpoints is forbidden: User \"olga\" cannot list resource \"endpoints\" in API group"
                + " \"\" in the namespace \"default\": No policy matched.\nnot on a weekday");
    assertThat(asked)
        .anyMatch(
            body ->
                body.contains("\"apiVersion\":\"authorization.k8s.io/v1\"")
                    && body.contains("\"kind\":\"SubjectAccessReview\"")
                    && body.contains("\"resource\":\"services\"")
                    && body.contains("\"user\":\"olga\""));
  }

  @Test
  void policies_decide_andFollowTheirFile() throws IOException {
    String path = "/api/v1/namespaces/default/";
    assertThat(as("pat-token", path + "configmaps").statusCode()).isEqualTo(200);
    assertThat(as("pat-token", path + "endpoints").statusCode()).isEqualTo(403);

    Files.writeString(policies, POLICY + "pat,,,endpoints,default,,true\n");
    assertEventually(
        () -> assertThat(as("pat-token", path + "endpoints").statusCode()).isEqualTo(200));
    Files.writeString(policies, "no policy\n");
    assertEventually(
        () ->
            assertThat(administrator.get("/metrics").asString())
                .contains(
                    "keelson_file_reloads_total{flag=\"--authorization-policy-file\","
                        + "status=\"failure\"} 1"));
    assertThat(as("pat-token", path + "endpoints").statusCode()).isEqualTo(200);
  }

  @Test
  void roles_decide() {
    String rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";
    assertThat(as("rob-token", "/api/v1/namespaces/default/pods").statusCode()).isEqualTo(403);
    assertThat(
            administrator
                .post(
                    rbac,
                    Map.of(
                        "metadata", Map.of("name", "rob"),
                        "roleRef",
                            Map.of(
                                "apiGroup", "rbac.authorization.k8s.io",
                                "kind", "ClusterRole",
                                "name", "view"),
                        "subjects",
                            List.of(
                                Map.of(
                                    "apiGroup", "rbac.authorization.k8s.io",
                                    "kind", "User",
                                    "name", "rob"))))
                .statusCode())
        .isEqualTo(201);
    assertThat(as("rob-token", "/api/v1/namespaces/default/pods").statusCode()).isEqualTo(200);
    assertThat(
            as("rob-token", "/apis/access.keelson.dev/v1/visiblenamespaces")
                .<List<String>>path("items.metadata.name"))
        .containsExactly("default");
  }

  @Test
  void node_seesWhatItsPodsNeed() {
    String secrets = "/api/v1/namespaces/default/secrets";
    for (String name : List.of("used", "unused")) {
      assertThat(administrator.post(secrets, Map.of("metadata", Map.of("name", name))).statusCode())
          .isEqualTo(201);
    }
    Response pod =
        administrator.post(
            "/api/v1/namespaces/default/pods",
            Map.of(
                "metadata", Map.of("name", "p"),
                "spec",
                    Map.of(
                        "nodeName", "n1",
                        "containers", List.of(Map.of("name", "c", "image", "i")),
                        "volumes",
                            List.of(Map.of("name", "v", "secret", Map.of("secretName", "used"))))));
    assertThat(pod.statusCode()).as(pod.asString()).isEqualTo(201);

    assertThat(as("node-token", secrets + "/used").statusCode()).isEqualTo(200);
    Response unused = as("node-token", secrets + "/unused");
    assertThat(unused.statusCode()).isEqualTo(403);
    assertThat(unused.path("message").toString())
        .contains("no relationship found between node 'n1' and this object");
  }

  @Test
  void decisions_areCounted() {
    assertThat(as("pat-token", "/api/v1/namespaces/default/configmaps").statusCode())
        .isEqualTo(200);
    assertThat(administrator.get("/metrics").asString())
        .contains(
            "authorization_attempts_total{result=\"allowed\"}",
            "authorization_duration_seconds_bucket{result=\"allowed\",le=\"0.001\"}");
  }

  /** Olga may see services; about others there is no opinion. */
  private @Nullable String authorize(HttpExchange exchange) {
    String body;
    try {
      body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    asked.add(body);
    boolean yes = body.contains("\"olga\"") && body.contains("\"services\"");
    return "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"status\":"
        + (yes ? "{\"allowed\":true}" : "{\"allowed\":false,\"reason\":\"not on a weekday\"}")
        + "}";
  }

  private Response as(String token, String path) {
    return nobody.request().header("Authorization", "Bearer " + token).get(path);
  }
}
