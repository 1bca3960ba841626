package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.ServedBy;
import dev.keelson.testing.ServedBy.Backend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The manifests that install Keelson in a cluster, applied to Keelson. */
@ServedBy(Backend.SQLITE)
@Timeout(180)
class ManifestsIT {

  private static final Path K8S = Path.of("k8s").toAbsolutePath();

  private final Kubectl kubectl;

  ManifestsIT(KeelsonProcess server, @TempDir Path home) {
    kubectl = new Kubectl(server.kubeconfigFile(), home);
  }

  @BeforeEach
  void makeTheSecrets() throws Exception {
    kubectl.runWithInput(secrets(), "apply", "-f", "-");
  }

  @AfterEach
  void removeTheNamespace() {
    kubectl.run("delete", "namespace", "keelson", "--wait=true");
  }

  @Test
  void kustomization_isAppliedStrictly_andAgainWithoutAChange() {
    List<String> first =
        kubectl.run("apply", "-k", K8S.toString(), "--validate=strict").lines().toList();

    assertThat(first)
        .contains(
            "namespace/keelson configured",
            "statefulset.apps/etcd created",
            "deployment.apps/keelson created",
            "poddisruptionbudget.policy/keelson created",
            "service/keelson created")
        .allMatch(line -> line.endsWith(" created") || line.endsWith(" configured"));
    assertThat(kubectl.run("diff", "-k", K8S.toString())).isEmpty();
    assertThat(
            kubectl.run(
                "get",
                "deployment/keelson",
                "-n",
                "keelson",
                "-o",
                "jsonpath={.spec.replicas} {.spec.template.spec.containers[0].image}"))
        .isEqualTo("2 keelson:0.1.0");
  }

  @Test
  void kustomizationWithTheTrail_isAppliedStrictly() throws IOException {
    // kustomize takes relative paths only
    Path directory = Files.createTempDirectory(Path.of("target"), "with-trail");
    Files.writeString(
        directory.resolve("kustomization.yaml"),
        """
        apiVersion: kustomize.config.k8s.io/v1beta1
        kind: Kustomization
        namespace: keelson
        resources: [../../k8s]
        components: [../../k8s/trail]
        """);

    assertThat(kubectl.run("apply", "-k", directory.toString(), "--validate=strict"))
        .contains(
            "statefulset.apps/trail created",
            "configmap/keelson-audit-policy created",
            "deployment.apps/keelson created");
    assertThat(
            kubectl.run(
                "get",
                "deployment/keelson",
                "-n",
                "keelson",
                "-o",
                "jsonpath={.spec.template.spec.containers[0].env[*].name}"
                    + " {.spec.template.spec.volumes[0].emptyDir.sizeLimit}"))
        .isEqualTo("KEELSON_AUDIT_TRAIL 512Mi");
  }

  @Test
  void secretsThatPodsMount_areMade() {
    kubectl.run("apply", "-k", K8S.toString());
    for (String workload : List.of("deployment/keelson", "statefulset/etcd")) {
      String mounted =
          kubectl.run(
              "get",
              workload,
              "-n",
              "keelson",
              "-o",
              "jsonpath={.spec.template.spec.volumes[*].secret.secretName}");

      assertThat(mounted).isNotBlank();
      for (String secret : mounted.split(" ")) {
        kubectl.run("get", "secret", "-n", "keelson", secret);
      }
    }
  }

  @Test
  void knativeService_hasAPodThatIsValid() throws IOException {
    List<Map<String, Object>> documents = documents(K8S.resolve("knative/service.yaml"));
    assertThat(documents).extracting(each -> each.get("kind")).containsExactly("Service");
    Map<String, Object> pod = podOf(documents.getFirst());
    kubectl.run("apply", "-k", K8S.toString());

    String created =
        kubectl.runWithInput(
            new Dump(DumpSettings.builder().build()).dumpToString(pod),
            "create",
            "--validate=strict",
            "--dry-run=server",
            "-f",
            "-");

    assertThat(created).isEqualTo("pod/keelson-on-demand created (server dry run)\n");
  }

  @Test
  void customResources_areRefusedByName_untilTheirDefinitionsAreServed() {
    for (String file : List.of("monitoring.yaml", "knative/service.yaml")) {
      Kubectl.Result result =
          kubectl.attempt("", "apply", "--dry-run=server", "-f", K8S.resolve(file).toString());

      assertThat(result.exitCode()).isEqualTo(1);
      assertThat(result.err()).contains("no matches for kind");
    }
  }

  /** A pod as Knative would make it: without the two fields that are Knative's own. */
  private static Map<String, Object> podOf(Map<String, Object> service) {
    Map<String, Object> template = map(map(service, "spec"), "template");
    Map<String, Object> spec = new LinkedHashMap<>(map(template, "spec"));
    assertThat(spec.remove("containerConcurrency")).isEqualTo(0);
    assertThat(spec.remove("timeoutSeconds")).isNotNull();
    return Map.of(
        "apiVersion",
        "v1",
        "kind",
        "Pod",
        "metadata",
        Map.of("name", "keelson-on-demand", "namespace", "keelson"),
        "spec",
        spec);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Map<String, Object> parent, String field) {
    return (Map<String, Object>) Objects.requireNonNull(parent.get(field));
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> documents(Path file) throws IOException {
    List<Map<String, Object>> documents = new ArrayList<>();
    new Load(LoadSettings.builder().build())
        .loadAllFromString(Files.readString(file))
        .forEach(document -> documents.add((Map<String, Object>) document));
    return documents;
  }

  private static String secrets() throws Exception {
    Process script =
        new ProcessBuilder(K8S.resolve("make-certs").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    script.getOutputStream().close();
    String made = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(script.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(script.exitValue()).isZero();
    return made;
  }
}
