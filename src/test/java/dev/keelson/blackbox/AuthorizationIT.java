package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import io.restassured.response.Response;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Roles over HTTP, asked by somebody who may do nothing and tries. */
@Timeout(120)
class AuthorizationIT {

  private static final String BINDINGS =
      "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";

  @TempDir private static Path directory;
  private static KeelsonProcess server;
  private static RestClient administrator;
  private static RestClient nobody;

  @BeforeAll
  static void start() {
    server = KeelsonProcess.start(directory, List.of("--authorization-mode=RBAC"));
    administrator = RestClient.administrator(server);
    nobody = RestClient.nobody(server);
    assertThat(
            administrator
                .post(
                    "/api/v1/namespaces/default/secrets",
                    Map.of("apiVersion", "v1", "kind", "Secret", "metadata", Map.of("name", "s")))
                .statusCode())
        .isEqualTo(201);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/secrets",
        "/api/v1/namespaces/default/secrets/s",
        "/api/v1/namespaces/default/./secrets/s",
        "/api/v1/namespaces/default/../default/secrets/s",
        "/healthz/../api/v1/namespaces/default/secrets/s",
        "/healthz/%2e%2e/api/v1/namespaces/default/secrets/s",
        "/healthz%2f..%2fmetrics",
        "//api/v1/namespaces/default/secrets/s",
        "/api//v1//namespaces//default//secrets//s",
        "/api/v1/namespaces/default/secrets%2Fs",
        "/api%2Fv1%2Fnamespaces%2Fdefault%2Fsecrets%2Fs",
        "/api/v1/namespaces/default/secrets/s;x=y",
        "/api/v1/namespaces/default/secrets;x=y/s",
        "/healthz;/../metrics",
        "/API/v1/namespaces/default/secrets/s",
        "/api/v1/namespaces/default/Secrets/s",
        "/api/v1/watch/namespaces/default/secrets/s",
        "/api/v1/watch/secrets",
        "/api/v1/namespaces/default/secrets?fieldSelector=metadata.name=s",
        "/metrics",
        "/metrics/",
        "//metrics",
        "/healthz/../metrics",
        "/readyz/%2e%2e/metrics"
      })
  void noSpellingOfAPath_opensIt(String path) {
    Response answer = nobody.request().urlEncodingEnabled(false).get(path);

    assertThat(answer.statusCode()).isIn(400, 403, 404);
    assertThat(answer.path("kind").toString()).isEqualTo("Status");
  }

  @Test
  void aggregatedRole_followsItsParts_whileTheServerRuns() {
    String roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    Map<String, Object> part =
        Map.of(
            "metadata",
            Map.of(
                "name",
                "part",
                "labels",
                Map.of("rbac.authorization.k8s.io/aggregate-to-view", "true")),
            "rules",
            List.of(
                Map.of(
                    "apiGroups", List.of("x.example"),
                    "resources", List.of("ys"),
                    "verbs", List.of("get"))));
    assertThat(administrator.post(roles, part).statusCode()).isEqualTo(201);
    assertEventually(() -> assertThat(groupsOf("view")).contains("x.example"));
    assertEventually(() -> assertThat(groupsOf("admin")).contains("x.example"));

    assertThat(administrator.request().delete(roles + "/part").statusCode()).isEqualTo(200);
    assertEventually(() -> assertThat(groupsOf("admin")).doesNotContain("x.example"));
    // each role is written by itself
    assertEventually(
        () -> assertThat(groupsOf("view")).doesNotContain("x.example").contains("apps"));
  }

  /** The controller applies the rules alone, so that who applies a role with rules is told. */
  @Test
  void rulesOfAnAggregatedRole_areAppliedByItsController() {
    Response refused =
        administrator
            .request()
            .contentType("application/apply-patch+yaml")
            .body(
                "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole,"
                    + " metadata: {name: view}, rules: []}")
            .patch("/apis/rbac.authorization.k8s.io/v1/clusterroles/view?fieldManager=me");

    assertThat(refused.statusCode()).as(refused.asString()).isEqualTo(409);
    assertThat(refused.path("message").toString())
        .isEqualTo(
            "Apply failed with 1 conflict: conflict with \"clusterrole-aggregation-controller\":"
                + " .rules");
  }

  private static String groupsOf(String role) {
    return administrator
        .get("/apis/rbac.authorization.k8s.io/v1/clusterroles/" + role)
        .path("rules.apiGroups")
        .toString();
  }

  @Test
  void noMethod_isTakenForAnother() {
    String secret = "/api/v1/namespaces/default/secrets/s";

    for (String method : List.of("HEAD", "OPTIONS", "PURGE", "get", "TRACE")) {
      assertThat(nobody.request().request(method, secret).statusCode())
          .as(method)
          .isGreaterThanOrEqualTo(400);
    }
    Response overridden = nobody.request().header("X-HTTP-Method-Override", "DELETE").get(secret);
    assertThat(overridden.statusCode()).isEqualTo(403);
    assertThat(overridden.path("message").toString())
        .isEqualTo(
            "secrets \"s\" is forbidden: User \"system:anonymous\" cannot get resource \"secrets\""
                + " in API group \"\" in the namespace \"default\"");
  }

  @Test
  void refusal_namesTheResource() {
    Response answer = nobody.get("/apis/apps/v1/deployments");

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.path("reason").toString()).isEqualTo("Forbidden");
    assertThat(answer.path("details.group").toString()).isEqualTo("apps");
    assertThat(answer.path("details.kind").toString()).isEqualTo("deployments");
    assertThat(answer.path("message").toString())
        .isEqualTo(
            "deployments.apps is forbidden: User \"system:anonymous\" cannot list resource"
                + " \"deployments\" in API group \"apps\" at the cluster scope");
  }

  @Test
  void health_isOpen() {
    assertThat(nobody.get("/healthz").statusCode()).isEqualTo(200);
    assertThat(nobody.get("/readyz").statusCode()).isEqualTo(200);
    assertThat(nobody.get("/version").statusCode()).isEqualTo(200);
  }

  @Test
  void bindingThatWasAnswered_countsForTheNextRequest() {
    Map<String, Object> binding =
        Map.of(
            "apiVersion",
            "rbac.authorization.k8s.io/v1",
            "kind",
            "RoleBinding",
            "metadata",
            Map.of("name", "open"),
            "roleRef",
            Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "ClusterRole", "name", "view"),
            "subjects",
            List.of(
                Map.of(
                    "apiGroup",
                    "rbac.authorization.k8s.io",
                    "kind",
                    "Group",
                    "name",
                    "system:unauthenticated")));

    for (int round = 0; round < 25; round++) {
      assertThat(administrator.post(BINDINGS, binding).statusCode()).isEqualTo(201);
      int with = nobody.get("/api/v1/namespaces/default/pods").statusCode();
      int elsewhere = nobody.get("/api/v1/namespaces/kube-system/pods").statusCode();
      assertThat(administrator.delete(BINDINGS + "/open").statusCode()).isEqualTo(200);
      int without = nobody.get("/api/v1/namespaces/default/pods").statusCode();

      assertThat(List.of(with, elsewhere, without)).containsExactly(200, 403, 403);
    }
  }
}
