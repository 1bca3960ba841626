package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a tester of controllers does with a server that has nodes, by kubectl alone. */
final class SimulatedNodesIT {

  @TempDir private static Path directory;
  private static KeelsonProcess server;
  private static Kubectl kubectl;

  @BeforeAll
  static void start() {
    server =
        KeelsonProcess.start(
            directory.resolve("data"), List.of("--simulated-nodes=3", "--authorization-mode=RBAC"));
    kubectl = new Kubectl(server.kubeconfigFile(), directory);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void apply(String name, String image) {
    String unused = kubectl.run("create", "deployment", name, "--image=" + image, "--replicas=3");
  }

  private static String rolledOut(String name) {
    return kubectl.run("rollout", "status", "deployment/" + name, "--timeout=60s");
  }

  private static String image(String name) {
    return kubectl.run(
        "get", "deployment", name, "-o", "jsonpath={.spec.template.spec.containers[0].image}");
  }

  @Test
  void deployment_rollsOutBackAndAway() {
    apply("web", "nginx:1");
    assertThat(rolledOut("web")).contains("deployment \"web\" successfully rolled out");
    assertThat(kubectl.run("get", "pods", "-l", "app=web", "--no-headers").lines())
        .hasSize(3)
        .allMatch(line -> line.contains("1/1") && line.contains("Running"));
    assertThat(kubectl.run("describe", "pod", "-l", "app=web"))
        .contains("Successfully assigned default/web-")
        .contains("default-scheduler");

    String unused = kubectl.run("set", "image", "deployment/web", "nginx=nginx:2");
    assertThat(rolledOut("web")).contains("successfully rolled out");
    assertThat(kubectl.run("rollout", "history", "deployment/web")).contains("1  ").contains("2  ");
    String unused2 = kubectl.run("rollout", "undo", "deployment/web");
    assertThat(rolledOut("web")).contains("successfully rolled out");
    assertThat(image("web")).isEqualTo("nginx:1");

    String unused3 = kubectl.run("delete", "deployment", "web", "--cascade=foreground");
    assertThat(kubectl.run("get", "pods,replicasets", "-l", "app=web", "-o", "name")).isEmpty();
  }

  @Test
  void pausedDeployment_changesNothingUntilItIsResumed() {
    apply("calm", "nginx:1");
    String unused = rolledOut("calm");
    String unused2 = kubectl.run("rollout", "pause", "deployment/calm");
    String unused3 = kubectl.run("set", "image", "deployment/calm", "nginx=nginx:2");
    assertThat(kubectl.run("get", "replicasets", "-l", "app=calm", "-o", "name").lines())
        .hasSize(1);

    String unused4 = kubectl.run("rollout", "resume", "deployment/calm");

    assertThat(rolledOut("calm")).contains("successfully rolled out");
    assertThat(kubectl.run("get", "replicasets", "-l", "app=calm", "-o", "name").lines())
        .hasSize(2);
  }

  @Test
  void job_completes_andItsPodIsThere() {
    String unused = kubectl.run("create", "job", "once", "--image=busybox", "--", "true");

    assertThat(kubectl.run("wait", "--for=condition=complete", "job/once", "--timeout=60s"))
        .contains("condition met");
    assertThat(kubectl.run("get", "pods", "-l", "job-name=once", "--no-headers"))
        .contains("Completed");
  }

  @Test
  void logsOfAJob_tellItsEnd_alsoToWhoFollows() {
    String unused = kubectl.run("create", "job", "told", "--image=busybox:1", "--", "true");
    String unused2 =
        kubectl.run("wait", "--for=jsonpath={.status.ready}=1", "job/told", "--timeout=60s");

    assertThat(kubectl.run("logs", "-f", "job/told"))
        .isEqualTo(
            """
            Simulated container told of the image busybox:1 started. No process runs in it.
            Simulated container told ended with exit code 0
            """);
    assertThat(kubectl.run("logs", "job/told", "--tail=1", "--timestamps"))
        .matches("20[0-9-]+T[0-9:]+Z Simulated container told ended with exit code 0\n");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void commands_areAnswered_byWebSocketAndBySpdy(boolean webSockets) {
    String name = "run-" + webSockets;
    String unused = kubectl.run("run", name, "--image=nginx:1");
    String unused2 = kubectl.run("wait", "--for=condition=Ready", "pod/" + name, "--timeout=60s");
    Map<String, String> environment =
        Map.of("KUBECTL_REMOTE_COMMAND_WEBSOCKETS", Boolean.toString(webSockets));

    assertThat(kubectl.attemptWith(environment, "", "exec", name, "--", "ls", "-l"))
        .isEqualTo(
            new Kubectl.Result(
                0,
                "Simulated container " + name + " runs no process; the command was: ls -l\n",
                ""));
    assertThat(kubectl.attemptWith(environment, "input", "exec", "-i", name, "--", "cat").out())
        .contains("the command was: cat");
    assertThat(kubectl.attemptWith(environment, "", "attach", name).out())
        .contains("of the image nginx:1 started. No process runs in it.");
  }

  @Test
  void podWithANewImage_isRestarted() {
    String unused = kubectl.run("run", "changed", "--image=nginx:1");
    String unused2 = kubectl.run("wait", "--for=condition=Ready", "pod/changed", "--timeout=60s");

    String unused3 = kubectl.run("set", "image", "pod/changed", "changed=nginx:2");
    String unused4 =
        kubectl.run(
            "wait",
            "--for=jsonpath={.status.observedGeneration}=2",
            "pod/changed",
            "--timeout=60s");
    assertThat(
            kubectl.run(
                "get",
                "pod",
                "changed",
                "-o",
                "jsonpath={.status.containerStatuses[0].image} {.status.containerStatuses[0].restartCount}"))
        .isEqualTo("nginx:2 1");
  }

  @Test
  void resizedPod_hasWhatItAsksFor() {
    String unused =
        kubectl.runWithInput(
            """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"resized"},"spec":{"containers":[
              {"name":"c","image":"i","resources":{"requests":{"cpu":"100m"}}}]}}
            """,
            "create",
            "-f",
            "-");
    String unused2 = kubectl.run("wait", "--for=condition=Ready", "pod/resized", "--timeout=60s");

    String unused3 =
        kubectl.run(
            "patch",
            "pod",
            "resized",
            "--subresource=resize",
            "--patch",
            "{\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":{\"requests\":{\"cpu\":\"200m\"}}}]}}");

    assertThat(
            kubectl.run(
                "wait",
                "--for=jsonpath={.status.containerStatuses[0].resources.requests.cpu}=200m",
                "pod/resized",
                "--timeout=60s"))
        .contains("condition met");
  }

  @Test
  void nodes_sayThatTheyAreSimulated() {
    String unused =
        kubectl.run("wait", "--for=condition=Ready", "node/simulated-0", "--timeout=60s");

    assertThat(kubectl.run("describe", "node", "simulated-0"))
        .contains("keelson.dev/simulated=true")
        .contains("no container runs here");
    assertThat(kubectl.run("get", "lease", "-n", "kube-node-lease", "-o", "name"))
        .contains("simulated-0");
    assertThat(
            kubectl.run(
                "get",
                "lease",
                "-n",
                "kube-system",
                "kube-controller-manager",
                "kube-scheduler",
                "-o",
                "jsonpath={.items[*].spec.holderIdentity}"))
        .isEqualTo("keelson keelson");
  }
}
