package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.Eventually;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server with {@code --runtime-config}, and without {@code --allow-privileged}. */
@Timeout(120)
class ApiEnablementTest {

  private static final String POD =
      """
      {"metadata":{"name":"p"},"spec":{"%s":[{"name":"a","image":"i",
       "securityContext":{"privileged":%s,"runAsUser":-1}}]%s}}
      """;

  private static final Vertx VERTX = Vertx.vertx();
  private static ComposedServer server;

  @BeforeAll
  static void start(@TempDir Path directory) {
    OpenedResources opened =
        OpenedResources.open(
            CustomTypesContract.options(
                List.of(
                    "--data-dir=" + directory,
                    "--secure-port=0",
                    "--external-hostname=kube.example:7443",
                    "--runtime-config=api/beta=false,autoscaling/v1=false",
                    "--runtime-config=apps/v1/daemonsets=false,rbac.authorization.k8s.io/v1=false",
                    "--runtime-config=coordination.k8s.io/v1=false,discovery.k8s.io/v1=false")),
            InstantSource.system());
    server = ComposedServer.of(opened, VERTX);
    assertThat(server.server().ready(6443, Duration.ZERO)).contains("ready");
    Eventually.assertEventually(
        () -> assertThat(objects("GET", "/api/v1/namespaces/default", "").status()).isEqualTo(200));
  }

  @AfterAll
  static void stop() throws Exception {
    int running = server.server().stop();
    Void unused = VERTX.close().toCompletionStage().toCompletableFuture().get();
    assertThat(running).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "/apis/apps/v1/daemonsets, 404",
    "/apis/apps/v1/namespaces/default/daemonsets/x/status, 404",
    "/apis/apps/v1/deployments, 200",
    "/apis/autoscaling/v1/horizontalpodautoscalers, 404",
    "/apis/autoscaling/v2/horizontalpodautoscalers, 200",
    "/apis/rbac.authorization.k8s.io/v1/clusterroles, 404",
    "/apis/batch/v1beta1/cronjobs, 404",
    "/apis/batch/v1/cronjobs, 200",
  })
  void resourceThatIsNotServed_isNotFound(String path, int status) {
    ApiResponse answer = objects("GET", path, "");

    assertThat(answer.status()).isEqualTo(status);
    if (status == 404) {
      assertThat(text(answer)).contains("the server could not find the requested resource");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/apis/autoscaling/v1", "/apis/batch/v1beta1", "/apis/extensions"})
  void versionThatIsNotServed_isNotInDiscovery(String path) {
    assertThat(ask(server.api().discovery(), "GET", path, "").status()).isEqualTo(404);
  }

  @Test
  void discovery_listsWhatIsServed() {
    assertThat(text(ask(server.api().discovery(), "GET", "/apis/apps/v1", "")))
        .contains("\"deployments\"")
        .doesNotContain("daemonsets");
    assertThat(text(ask(server.api().discovery(), "GET", "/apis", "")))
        .contains("autoscaling/v2")
        .doesNotContain("autoscaling/v1\"", "rbac.authorization.k8s.io", "v1beta1");
    assertThat(text(ask(server.api().discovery(), "GET", "/api", "")))
        .contains("\"serverAddress\":\"kube.example:7443\"");
  }

  @Test
  void openApi_describesWhatIsServed() {
    assertThat(text(ask(server.api().openApi(), "GET", "/openapi/v3/apis/apps/v1", "")))
        .contains("/apis/apps/v1/deployments")
        .doesNotContain("/apis/apps/v1/daemonsets");
    assertThat(text(ask(server.api().openApi(), "GET", "/openapi/v3", "")))
        .contains("apis/autoscaling/v2")
        .doesNotContain("apis/autoscaling/v1\"", "v1beta1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"containers", "initContainers"})
  void privilegedContainer_isForbiddenBeforeItsOtherCauses(String field) {
    String others =
        field.equals("containers") ? "" : ",\"containers\":[{\"name\":\"b\",\"image\":\"i\"}]";
    ApiResponse answer =
        objects("POST", "/api/v1/namespaces/default/pods", POD.formatted(field, "true", others));

    assertThat(answer.status()).isEqualTo(422);
    assertThat(text(answer))
        .contains(
            "Pod \\\"p\\\" is invalid: [spec."
                + field
                + "[0].securityContext.privileged: Forbidden: disallowed by cluster policy, spec."
                + field
                + "[0].securityContext.runAsUser: Invalid value: -1");
    assertThat(
            text(
                objects(
                    "POST",
                    "/api/v1/namespaces/default/pods",
                    POD.formatted(field, "false", others))))
        .doesNotContain("disallowed by cluster policy");
  }

  @Test
  void privilegedTemplate_isForbidden() {
    ApiResponse answer =
        objects(
            "POST",
            "/apis/apps/v1/namespaces/default/deployments",
            """
            {"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},
             "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[
              {"name":"a","image":"i","securityContext":{"privileged":true}}]}}}}
            """);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(text(answer))
        .contains(
            "spec.template.spec.containers[0].securityContext.privileged: Forbidden: disallowed"
                + " by cluster policy");
  }

  private static ApiResponse objects(String method, String path, String body) {
    return ask(server.api().objects(), method, path, body);
  }

  private static ApiResponse ask(RequestHandler handler, String method, String path, String body) {
    ApiRequest request =
        new ApiRequest(
            method,
            path,
            Query.NONE,
            Map.of("accept", List.of("application/json")),
            body.getBytes(StandardCharsets.UTF_8),
            List.of(),
            "127.0.0.1");
    return handler.answer(
        new Exchange(
            request,
            RequestInfoResolver.parse(method, path, Map.of()),
            new RequestContext(new UserInfo("u", "", List.of(), Map.of()), "id")));
  }

  private static String text(ApiResponse answer) {
    return new String(answer.payload().toByteArray(), StandardCharsets.UTF_8);
  }
}
