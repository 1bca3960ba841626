package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every command of kubectl that changes an object by a patch, against the packaged server. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class KubectlPatchIT {

  private static final String MANIFEST =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, labels: {app: web}}
      spec:
        replicas: 2
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers:
            - {name: main, image: "nginx:1", ports: [{containerPort: 80}, {containerPort: 443}]}
            - {name: side, image: envoy}
            volumes: [{name: cache, emptyDir: {}}]
      """;

  private KeelsonProcess server;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    server = KeelsonProcess.start(directory.resolve("data"), List.of());
    kubectl =
        new Kubectl(server.kubeconfigFile(), Files.createDirectory(directory.resolve("home")));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @BeforeEach
  void applyAnew() {
    kubectl.run("delete", "deployment", "web", "--ignore-not-found");
    assertThat(apply(MANIFEST)).contains("created");
  }

  private String apply(String manifest) {
    return kubectl.runWithInput(manifest, "apply", "-f", "-");
  }

  private String web(String path) {
    return kubectl.run("get", "deployment", "web", "-o", "jsonpath={" + path + "}");
  }

  @Test
  void apply_ofAChangedManifest_changesThatAlone() {
    kubectl.run(
        "patch",
        "deployment",
        "web",
        "-p",
        "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"own\",\"image\":\"injected\"}]}}}}");
    String changed =
        MANIFEST
            .replace("nginx:1", "nginx:2")
            .replace(", {containerPort: 443}", "")
            .replace("{name: side, image: envoy}", "{name: log, image: fluent}")
            .replace("emptyDir: {}", "hostPath: {path: /x}");

    assertThat(apply(changed)).contains("configured");

    assertThat(web(".spec.template.spec.containers[*].image").split(" "))
        .containsExactlyInAnyOrder("injected", "nginx:2", "fluent");
    assertThat(web(".spec.template.spec.containers[?(@.name=='main')].ports[*].containerPort"))
        .isEqualTo("80");
    assertThat(web(".spec.template.spec.volumes")).contains("hostPath").doesNotContain("emptyDir");
    String version = web(".metadata.resourceVersion");
    // kubectl repeats the order of the containers, since the injected one is not in the manifest
    assertThat(apply(changed)).contains("deployment.apps/web");
    assertThat(web(".metadata.resourceVersion")).isEqualTo(version);
  }

  @Test
  void apply_ofTheSameManifest_changesNothing() {
    assertThat(apply(MANIFEST)).contains("unchanged");
    assertThat(web(".metadata.generation")).isEqualTo("1");
  }

  @Test
  void patch_ofEveryType_isApplied() {
    kubectl.run(
        "patch",
        "deployment",
        "web",
        "--type=json",
        "-p",
        "[{\"op\":\"replace\",\"path\":\"/spec/replicas\",\"value\":5}]");
    assertThat(web(".spec.replicas")).isEqualTo("5");
    kubectl.run("patch", "deployment", "web", "--type=merge", "-p", "{\"spec\":{\"replicas\":6}}");
    assertThat(web(".spec.replicas")).isEqualTo("6");
    assertThat(
            kubectl.run(
                "patch",
                "deployment",
                "web",
                "--type=strategic",
                "-p",
                "{\"spec\":{\"replicas\":6}}"))
        .contains("no change");
    assertThat(web(".metadata.generation")).isEqualTo("3");
  }

  @Test
  void patch_thatDoesNotFit_tellsWhy() {
    Kubectl.Result result =
        kubectl.attempt(
            "",
            "patch",
            "deployment",
            "web",
            "--type=json",
            "-p",
            "[{\"op\":\"test\",\"path\":\"/spec/replicas\",\"value\":8}]");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err())
        .contains(
            "The request is invalid: patch: testing value /spec/replicas failed: test failed");
  }

  @Test
  void everydayCommands_changeWhatTheySay() {
    kubectl.run("label", "deployment", "web", "tier=front");
    kubectl.run("annotate", "deployment", "web", "note=x");
    kubectl.run("set", "image", "deployment/web", "side=envoy:2");
    kubectl.run("set", "env", "deployment/web", "-c", "main", "MODE=fast");
    kubectl.run("rollout", "restart", "deployment/web");
    kubectl.run("rollout", "pause", "deployment/web");

    assertThat(web(".metadata.labels.tier")).isEqualTo("front");
    assertThat(web(".metadata.annotations.note")).isEqualTo("x");
    assertThat(web(".spec.template.spec.containers[1].image")).isEqualTo("envoy:2");
    assertThat(web(".spec.template.spec.containers[0].env[0].value")).isEqualTo("fast");
    assertThat(web(".spec.template.metadata.annotations")).contains("restartedAt");
    assertThat(web(".spec.paused")).isEqualTo("true");

    kubectl.run("label", "deployment", "web", "tier-");
    assertThat(web(".metadata.labels.tier")).isEmpty();
  }

  @Test
  void taintAndCordon_changeANode() {
    kubectl.runWithInput(
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"}}",
        "apply",
        "-f",
        "-");

    kubectl.run("taint", "node", "n1", "a=b:NoSchedule");
    kubectl.run("taint", "node", "n1", "c=d:NoExecute");
    kubectl.run("taint", "node", "n1", "a=b:NoSchedule-");
    kubectl.run("cordon", "n1");

    String spec = kubectl.run("get", "node", "n1", "-o", "jsonpath={.spec}");
    assertThat(spec)
        .contains("\"key\":\"c\"")
        .doesNotContain("\"key\":\"a\"")
        .contains("\"unschedulable\":true");
  }
}
