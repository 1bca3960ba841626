package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.Kubectl.Result;
import dev.keelson.testing.ServedBy;
import dev.keelson.testing.ServedBy.Backend;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What kubectl 1.32 prints of some objects, as it prints it in front of kube-apiserver: the
 * commands and their outputs are in {@code kubectl-output.txt}. What differs from run to run is
 * replaced by a word, and columns are two spaces apart. Expected outputs were compared with those
 * in front of kube-apiserver when they were added; no script captures them again.
 */
@ServedBy(Backend.SQLITE)
@Timeout(240)
class KubectlOutputIT {

  private static final String NAMESPACE = "shop";
  private static final String PROMPT = "$ ";

  private final Kubectl kubectl;

  KubectlOutputIT(KeelsonProcess server, @TempDir Path home) {
    kubectl = new Kubectl(server.kubeconfigFile(), home);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(KubectlOutputIT.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void createObjects() throws IOException {
    kubectl.runWithInput(resource("kubectl-objects.yaml"), "create", "-f", "-");
    for (String line : resource("kubectl-status.txt").lines().toList()) {
      if (!line.startsWith("#")) {
        String[] parts = line.split(" ~ ", 2);
        kubectl.run(
            "patch",
            "-n",
            NAMESPACE,
            parts[0],
            "--subresource=status",
            "--type=merge",
            "-p",
            "{\"status\":" + parts[1] + "}");
      }
    }
  }

  /** The expected output of each command. */
  private static Map<String, String> expected() throws IOException {
    Map<String, String> expected = new LinkedHashMap<>();
    String command = "";
    List<String> output = new ArrayList<>();
    for (String line : resource("kubectl-output.txt").lines().toList()) {
      if (line.startsWith(PROMPT)) {
        expected.put(command, String.join("\n", output));
        command = line.substring(PROMPT.length());
        output.clear();
      } else {
        output.add(line);
      }
    }
    expected.put(command, String.join("\n", output));
    expected.remove("");
    return expected;
  }

  private static String normal(String output) {
    return output
        .replaceAll("\\w{3}, \\d\\d \\w{3} 20(?!25)\\d\\d \\d\\d:\\d\\d:\\d\\d \\+0000", "TIME")
        .replaceAll("20(?!25)\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ", "TIME")
        .replaceAll("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}", "UID")
        .replaceAll("(\"?resourceVersion\"?: )\"\\d+\"", "$1\"RV\"")
        .replaceAll("kube-api-access-\\w{5}", "kube-api-access-X")
        .replaceAll("\\b(\\d+y)?(\\d+[sdy]|\\d+m\\d+s|\\d?\\dm)\\b", "AGE")
        .replaceAll("(?<=\\S) {2,}(?=\\S)", "  ")
        .replaceAll("(?m)[ \\t]+$", "")
        .stripTrailing();
  }

  @Test
  void output_isThatOfKubernetes() throws IOException {
    createObjects();

    SoftAssertions soft = new SoftAssertions();
    expected()
        .forEach(
            (command, output) -> {
              List<String> arguments = new ArrayList<>(List.of(command.split(" ", -1)));
              arguments.addAll(List.of("-n", NAMESPACE));
              Result result = kubectl.attempt("", arguments.toArray(String[]::new));
              String printed = normal(result.out() + result.err());
              soft.assertThat(printed).as(command).isEqualTo(output);
            });
    soft.assertAll();
  }

  @Test
  void explain_knowsFieldsGroupsAndVersions() {
    assertThat(kubectl.run("explain", "pods.spec.containers.resources.limits"))
        .containsSubsequence(
            "KIND:       Pod", "VERSION:    v1", "FIELD: limits <map[string]Quantity>");
    assertThat(kubectl.run("explain", "deployments.apps"))
        .containsSubsequence(
            "GROUP:      apps", "KIND:       Deployment", "spec\t<DeploymentSpec>");
    assertThat(kubectl.run("explain", "events", "--api-version=events.k8s.io/v1"))
        .containsSubsequence("GROUP:      events.k8s.io", "regarding\t<ObjectReference>");
    assertThat(kubectl.run("explain", "cronjob.spec", "--api-version=batch/v1beta1"))
        .containsSubsequence("VERSION:    v1beta1", "schedule\t<string> -required-");
    assertThat(kubectl.run("explain", "configmap", "--recursive"))
        .containsSubsequence(
            "FIELDS:",
            "  binaryData\t<map[string]string>",
            "  metadata\t<ObjectMeta>",
            "    ownerReferences\t<[]OwnerReference>",
            "      uid\t<string> -required-");
    Result unknown = kubectl.attempt("", "explain", "pods.spec.nonsense");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).isEqualTo("error: field \"nonsense\" does not exist\n");
  }
}
