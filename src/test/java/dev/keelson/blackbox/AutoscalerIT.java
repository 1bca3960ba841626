package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WebhookServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Autoscalers against metrics that a server behind this one serves, by kubectl alone. */
final class AutoscalerIT {

  private static final String SERVICES =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: metrics, namespace: kube-system}
      spec: {type: ExternalName, externalName: localhost}
      ---
      apiVersion: apiregistration.k8s.io/v1
      kind: APIService
      metadata: {name: v1beta1.GROUP}
      spec:
        group: GROUP
        version: v1beta1
        groupPriorityMinimum: 100
        versionPriority: 100
        insecureSkipTLSVerify: true
        service: {name: metrics, namespace: kube-system, port: PORT}
      """;

  private static final String FARM =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: farms.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: farms, singular: farm, kind: Farm, listKind: FarmList}
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
          subresources:
            status: {}
            scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}
      """;

  private static final String FARM_SCALER =
      """
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: {name: farm}
      spec:
        scaleTargetRef: {apiVersion: example.com/v1, kind: Farm, name: north}
        minReplicas: 1
        maxReplicas: 9
        metrics:
        - type: External
          external: {metric: {name: queue}, target: {type: AverageValue, averageValue: "10"}}
      """;

  @TempDir private static Path directory;
  private static KeelsonProcess server;
  private static WebhookServer metrics;
  private static Kubectl kubectl;

  /** What each pod uses, in thousandths of a processor. */
  private static volatile int load = 100;

  /** How many tasks wait. */
  private static volatile int tasks;

  @BeforeAll
  static void start() {
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--simulated-nodes=2",
                "--authorization-mode=RBAC",
                "--horizontal-pod-autoscaler-sync-period=1s",
                "--horizontal-pod-autoscaler-downscale-stabilization=2s",
                "--horizontal-pod-autoscaler-cpu-initialization-period=0s",
                "--feature-gates=HPAScaleToZero=true"));
    kubectl = new Kubectl(server.kubeconfigFile(), directory);
    metrics = new WebhookServer("localhost", (exchange, _) -> serve(exchange));
  }

  @AfterAll
  static void stop() {
    metrics.close();
    server.close();
  }

  private static void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/apis/metrics.k8s.io/v1beta1/namespaces/default/pods")) {
      WebhookServer.respond(exchange, 200, usage(exchange.getRequestURI().getQuery()));
    } else if (path.equals("/apis/external.metrics.k8s.io/v1beta1/namespaces/default/queue")) {
      WebhookServer.respond(exchange, 200, external("queue", 40));
    } else if (path.equals("/apis/external.metrics.k8s.io/v1beta1/namespaces/default/tasks")) {
      WebhookServer.respond(exchange, 200, external("tasks", tasks));
    } else if (path.matches(
        "/apis/[a-z]+\\.k8s\\.io/v1beta1|/apis/external.metrics.k8s.io/v1beta1")) {
      WebhookServer.respond(
          exchange,
          200,
          "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":\""
              + path.substring("/apis/".length())
              + "\",\"resources\":[]}");
    } else {
      WebhookServer.respond(
          exchange, 404, "text/plain", "404 page not found".getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String external(String name, int value) {
    return ("{\"kind\":\"ExternalMetricValueList\",\"apiVersion\":\"external.metrics.k8s.io/v1beta1\","
            + "\"items\":[{\"metricName\":\"%s\",\"timestamp\":\"%s\",\"value\":\"%d\"}]}")
        .formatted(name, now(), value);
  }

  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String usage(String query) {
    List<String> names =
        RestClient.administrator(server)
            .get("/api/v1/namespaces/default/pods?" + query)
            .path("items.metadata.name");
    return "{\"kind\":\"PodMetricsList\",\"apiVersion\":\"metrics.k8s.io/v1beta1\",\"items\":[%s]}"
        .formatted(
            names.stream()
                .map(
                    name ->
                        ("{\"metadata\":{\"name\":\"%s\",\"namespace\":\"default\"},\"timestamp\":\"%s\","
                                + "\"window\":\"10s\",\"containers\":[{\"name\":\"nginx\",\"usage\":{\"cpu\":\"%dm\"}}]}")
                            .formatted(name, now(), load))
                .collect(Collectors.joining(",")));
  }

  private static void register(String group) {
    String unused =
        kubectl.runWithInput(
            SERVICES.replace("GROUP", group).replace("PORT", Integer.toString(metrics.port())),
            "apply",
            "-f",
            "-");
  }

  private static String replicas() {
    return kubectl.run("get", "deployment", "web", "-o", "jsonpath={.spec.replicas}");
  }

  @Test
  void deployment_followsTheUsageOfItsPods() {
    String unused = kubectl.run("create", "deployment", "web", "--image=nginx");
    String unused2 = kubectl.run("set", "resources", "deployment", "web", "--requests=cpu=100m");
    String unused3 =
        kubectl.run("autoscale", "deployment", "web", "--cpu-percent=50", "--min=1", "--max=5");
    assertEventually(
        () ->
            assertThat(kubectl.run("describe", "hpa", "web"))
                .contains("SucceededGetScale")
                .contains("FailedGetResourceMetric")
                .contains(
                    "the HPA was unable to compute the replica count: failed to get cpu"
                        + " utilization: unable to get metrics for resource cpu: unable to fetch"
                        + " metrics from resource metrics API: the server could not find the"
                        + " requested resource (get pods.metrics.k8s.io)")
                .contains("FailedComputeMetricsReplicas"));

    register("metrics.k8s.io");
    assertEventually(() -> assertThat(replicas()).isEqualTo("5"));
    assertEventually(
        () ->
            assertThat(kubectl.run("describe", "hpa", "web"))
                .contains("TooManyReplicas")
                .contains("ValidMetricFound")
                .contains(
                    "New size: 2; reason: cpu resource utilization (percentage of request) above"
                        + " target")
                .contains("100% (100m) / 50%"));

    load = 5;
    assertEventually(() -> assertThat(replicas()).isEqualTo("1"));
    assertEventually(
        () ->
            assertThat(kubectl.run("describe", "hpa", "web"))
                .contains("New size: 1; reason: All metrics below target"));
  }

  @Test
  void deploymentWithoutWork_hasNoPod_untilThereIsSome() {
    register("external.metrics.k8s.io");
    String unused = kubectl.run("create", "deployment", "crew", "--image=nginx");
    unused =
        kubectl.runWithInput(
            """
            apiVersion: autoscaling/v2
            kind: HorizontalPodAutoscaler
            metadata: {name: crew}
            spec:
              scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: crew}
              minReplicas: 0
              maxReplicas: 5
              metrics:
              - type: External
                external: {metric: {name: tasks}, target: {type: AverageValue, averageValue: "10"}}
            """,
            "apply",
            "-f",
            "-");
    awaitCrew("0 True");

    tasks = 25;
    awaitCrew("3 False");

    tasks = 0;
    awaitCrew("0 True");
  }

  /** The pods that are wanted, and whether the autoscaler has removed the last. */
  private static void awaitCrew(String expected) {
    assertEventually(
        () ->
            assertThat(
                    kubectl.run("get", "deployment", "crew", "-o", "jsonpath={.spec.replicas}")
                        + " "
                        + kubectl.run(
                            "get",
                            "hpa",
                            "crew",
                            "-o",
                            "jsonpath={.status.conditions[?(@.type=='ScaledToZero')].status}"))
                .isEqualTo(expected));
  }

  @Test
  void customResource_isScaledByAnExternalMetric() {
    String unused = kubectl.runWithInput(FARM, "apply", "-f", "-");
    kubectl.awaitEstablished("farms.example.com");
    assertEventually(
        () ->
            assertThat(
                    kubectl
                        .attempt(
                            "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Farm\",\"metadata\":{\"name\":\"north\"},"
                                + "\"spec\":{\"replicas\":1}}",
                            "apply",
                            "-f",
                            "-")
                        .exitCode())
                .isZero());
    String unused3 =
        kubectl.run(
            "patch",
            "farm",
            "north",
            "--subresource=status",
            "--type=merge",
            "-p",
            "{\"status\":{\"replicas\":1,\"selector\":\"app=farm\"}}");
    register("external.metrics.k8s.io");
    String unused4 = kubectl.runWithInput(FARM_SCALER, "apply", "-f", "-");

    assertEventually(
        () ->
            assertThat(kubectl.run("get", "farm", "north", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("4"));
    assertEventually(
        () ->
            assertThat(
                    kubectl.run(
                        "get",
                        "hpa",
                        "farm",
                        "-o",
                        "jsonpath={.status.currentMetrics[0].external.current.averageValue}"
                            + " {.status.desiredReplicas}"))
                .isEqualTo("40 4"));
  }
}
