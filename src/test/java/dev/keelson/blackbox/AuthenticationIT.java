package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.RestClient;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who one is, by tokens and headers, as kubectl and plain HTTPS see it. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class AuthenticationIT {

  private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

  private KeelsonProcess server;
  private Kubectl kubectl;
  private String token;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path tokens = Files.writeString(directory.resolve("tokens.csv"), "secret,ann,7,\"dev\"\n");
    server =
        KeelsonProcess.start(directory.resolve("data"), List.of("--token-auth-file=" + tokens));
    kubectl =
        new Kubectl(server.kubeconfigFile(), Files.createDirectory(directory.resolve("home")));
    assertThat(kubectl.run("create", "serviceaccount", "builder")).contains("created");
    token = kubectl.run("create", "token", "builder", "--duration=15m").strip();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void tokenOfAnAccount_isTheAccount() {
    Response who = who(Map.of("Authorization", "Bearer " + token));

    assertThat(who.statusCode()).isEqualTo(201);
    assertThat(who.path("status.userInfo.username").toString())
        .isEqualTo("system:serviceaccount:default:builder");
  }

  @Test
  void tokenReview_knowsTheToken_andNotAnother() {
    Map<String, Object> review = Map.of("spec", Map.of("token", token));
    Response known =
        RestClient.administrator(server)
            .post("/apis/authentication.k8s.io/v1/tokenreviews", review);
    Response unknown =
        RestClient.administrator(server)
            .post(
                "/apis/authentication.k8s.io/v1/tokenreviews",
                Map.of("spec", Map.of("token", "nope")));

    assertThat(known.path("status.authenticated").toString()).isEqualTo("true");
    assertThat(known.path("status.user.username").toString()).endsWith(":builder");
    assertThat(unknown.<Object>path("status.authenticated")).isNull();
  }

  @Test
  void wrongToken_is401() {
    Response refused = who(Map.of("Authorization", "Bearer nope"));

    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.path("reason").toString()).isEqualTo("Unauthorized");
    assertThat(refused.path("message").toString()).isEqualTo("Unauthorized");
  }

  /** A path that is open to everybody is open to no wrong token; nor does a framework answer. */
  @Test
  void wrongToken_toAnOpenPath_is401() {
    for (String path : List.of("/version", "/healthz", "/livez", "/readyz")) {
      for (String value : List.of("Bearer nope", "Bearer a.b.c", "Bearer e30.e30.eA")) {
        Response refused =
            RestClient.nobody(server).request().header("Authorization", value).get(path);

        assertThat(refused.statusCode()).as("%s with %s", path, value).isEqualTo(401);
        assertThat(refused.path("message").toString()).isEqualTo("Unauthorized");
        assertThat(refused.header("WWW-Authenticate")).isNull();
      }
      assertThat(RestClient.nobody(server).get(path).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void pathsOfTheFramework_areNotServed() {
    for (String path :
        List.of("/q", "/q/metrics", "/q/health", "/q/dev", "/q/dev-ui", "/q/arc", "/q/oidc")) {
      Response missing = RestClient.administrator(server).get(path);

      assertThat(missing.statusCode()).as(path).isEqualTo(404);
      assertThat(missing.path("kind").toString()).isEqualTo("Status");
    }
  }

  @Test
  void metrics_describeTheProcess() {
    String text = RestClient.administrator(server).get("/metrics").asString();

    assertThat(text)
        .containsPattern("\nprocess_cpu_seconds_total \\d")
        .containsPattern("\nprocess_resident_memory_bytes \\d")
        .containsPattern("\nprocess_start_time_seconds \\d")
        .containsPattern("\nprocess_open_fds \\d")
        .containsPattern("\nprocess_max_fds \\d")
        .containsPattern("\njvm_memory_used_bytes\\{area=\"heap\",id=\"[^\"]+\"} \\d")
        .containsPattern("\njvm_threads_live_threads \\d")
        .containsPattern("\nnetty_allocator_memory_used\\{.*} \\d")
        .doesNotContain("http_server_");
  }

  @Test
  void headersOfAProxy_thatNobodyTrusts_meanNothing() {
    Response who =
        who(
            Map.of(
                "Authorization", "Bearer secret",
                "X-Remote-User", "root",
                "X-Remote-Group", "system:masters"));

    assertThat(who.path("status.userInfo.username").toString()).isEqualTo("ann");
    assertThat(who.path("status.userInfo.groups").toString())
        .isEqualTo("[dev, system:authenticated]");
  }

  @Test
  void administrator_mayActAsAnother() {
    assertThat(kubectl.run("auth", "whoami", "--as=bob", "--as-group=dev", "-o", "yaml"))
        .contains("username: bob", "- dev", "- system:authenticated");
  }

  @Test
  void issuer_hasItsDocuments() {
    RestClient administrator = RestClient.administrator(server);

    Response configuration = administrator.get("/.well-known/openid-configuration");
    Response keys = administrator.get("/openid/v1/jwks");

    assertThat(configuration.path("issuer").toString())
        .isEqualTo("https://kubernetes.default.svc.cluster.local");
    assertThat(configuration.path("jwks_uri").toString()).endsWith("/openid/v1/jwks");
    assertThat(keys.contentType()).isEqualTo("application/jwk-set+json");
    assertThat(keys.path("keys[0].alg").toString()).isEqualTo("ES256");
  }

  private Response who(Map<String, String> headers) {
    return RestClient.nobody(server)
        .json(Map.of("apiVersion", "authentication.k8s.io/v1", "kind", "SelfSubjectReview"))
        .headers(headers)
        .post(WHO);
  }
}
