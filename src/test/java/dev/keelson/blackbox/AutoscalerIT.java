package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Autoscalers without metrics, which keep to their limits, by kubectl alone. */
final class AutoscalerIT {

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
        minReplicas: 4
        maxReplicas: 9
        metrics:
        - type: External
          external: {metric: {name: queue}, target: {type: AverageValue, averageValue: "10"}}
      """;

  @TempDir private static Path directory;
  private static KeelsonProcess server;
  private static Kubectl kubectl;

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
                "--horizontal-pod-autoscaler-cpu-initialization-period=0s"));
    kubectl = new Kubectl(server.kubeconfigFile(), directory);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String replicas() {
    return kubectl.run("get", "deployment", "web", "-o", "jsonpath={.spec.replicas}");
  }

  @Test
  void deployment_withoutMetrics_isKeptWithinTheLimits() {
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

    String unused4 =
        kubectl.run("patch", "hpa", "web", "--type=merge", "-p", "{\"spec\":{\"minReplicas\":3}}");
    assertEventually(() -> assertThat(replicas()).isEqualTo("3"));
    assertEventually(
        () ->
            assertThat(kubectl.run("describe", "hpa", "web"))
                .contains(
                    "New size: 3; reason: Current number of replicas below Spec.MinReplicas"));
  }

  @Test
  void customResource_isScaled() {
    String unused = kubectl.runWithInput(FARM, "apply", "-f", "-");
    String unused2 =
        kubectl.run(
            "wait", "--for=condition=established", "crd/farms.example.com", "--timeout=60s");
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
    String unused4 = kubectl.runWithInput(FARM_SCALER, "apply", "-f", "-");

    assertEventually(
        () ->
            assertThat(kubectl.run("get", "farm", "north", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("4"));
  }
}
