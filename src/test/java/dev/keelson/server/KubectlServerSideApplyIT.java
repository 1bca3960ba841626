package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Server-side apply as kubectl does it, against the packaged server. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class KubectlServerSideApplyIT {

  private static final String MAP =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: a}
      data: {k: v, l: w}
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
  void clean() {
    kubectl.run("delete", "configmap", "a", "--ignore-not-found");
  }

  @Test
  void applyAgain_withoutAField_removesIt() {
    assertThat(apply(MAP)).contains("configmap/a serverside-applied");
    String version = map(".metadata.resourceVersion");
    apply(MAP);
    assertThat(map(".metadata.resourceVersion")).isEqualTo(version);

    apply(MAP.replace(", l: w", ""));

    assertThat(map(".data")).isEqualTo("{\"k\":\"v\"}");
    assertThat(
            kubectl.run(
                "get",
                "configmap",
                "a",
                "--show-managed-fields",
                "-o",
                "jsonpath={.metadata.managedFields[*].operation}"))
        .isEqualTo("Apply");
  }

  @Test
  void fieldsOfAnotherManager_conflictUntilForced() {
    apply(MAP, "--field-manager=first");

    Kubectl.Result refused =
        kubectl.attempt(
            MAP.replace("k: v", "k: x"),
            "apply",
            "--server-side",
            "--field-manager=second",
            "-f",
            "-");
    assertThat(refused.exitCode()).isNotZero();
    assertThat(refused.err())
        .contains("Apply failed with 1 conflict: conflict with \"first\": .data.k");
    apply(MAP.replace("k: v", "k: x"), "--field-manager=second", "--force-conflicts");

    assertThat(map(".data.k")).isEqualTo("x");
  }

  @Test
  void clientSideApply_goesOverToTheServer_withoutConflict() {
    kubectl.runWithInput(MAP, "apply", "-f", "-");

    assertThat(apply(MAP.replace("k: v", "k: new").replace(", l: w", ""))).contains("applied");

    assertThat(map(".data")).isEqualTo("{\"k\":\"new\"}");
    assertThat(
            kubectl.run(
                "get",
                "configmap",
                "a",
                "--show-managed-fields",
                "-o",
                "jsonpath={.metadata.managedFields[*].manager}"))
        // kubectl keeps the annotation of its client-side apply under a name of its own
        .isEqualTo("kubectl-last-applied kubectl");
  }

  @Test
  void diff_showsWhatAnApplyWouldChange_andChangesNothing() {
    apply(MAP);

    Kubectl.Result diff =
        kubectl.attempt(MAP.replace("k: v", "k: other"), "diff", "--server-side", "-f", "-");

    assertThat(diff.exitCode()).isEqualTo(1);
    assertThat(diff.out()).contains("-  k: v").contains("+  k: other");
    assertThat(map(".data.k")).isEqualTo("v");
  }

  private String apply(String manifest, String... options) {
    List<String> arguments = new ArrayList<>(List.of("apply", "--server-side", "-f", "-"));
    arguments.addAll(List.of(options));
    return kubectl.runWithInput(manifest, arguments.toArray(String[]::new));
  }

  private String map(String path) {
    return kubectl.run("get", "configmap", "a", "-o", "jsonpath={" + path + "}");
  }
}
