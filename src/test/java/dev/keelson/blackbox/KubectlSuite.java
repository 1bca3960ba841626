package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.schema.ResourceDefinition;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.SmallestObjects;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people do with kubectl 1.32, the program itself being the client. */
@Timeout(180)
abstract class KubectlSuite {

  private static final Path APPS = Path.of("src", "test", "resources", "apps");
  private static final AtomicInteger COUNT = new AtomicInteger();

  private static final String CONFIG_MAP =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: settings
      data:
        colour: blue
      """;

  private final Kubectl kubectl;
  private final String namespace = "kubectl-" + COUNT.incrementAndGet();

  KubectlSuite(KeelsonProcess server, @TempDir Path home) {
    kubectl = new Kubectl(server.kubeconfigFile(), home);
    assertThat(kubectl.run("create", "namespace", namespace))
        .isEqualTo("namespace/" + namespace + " created\n");
  }

  /**
   * kubectl always sends the selector of a PodDisruptionBudget, whose patch strategy is replace,
   * lists that the server completes, such as volume claim templates, and the stringData of a
   * Secret, which is never answered; it then says "configured" though nothing has changed, on
   * Kubernetes as here.
   */
  private static boolean isUnchanged(String line) {
    return line.endsWith(" unchanged")
        || line.equals("secret/payment-keys configured")
        || line.equals("statefulset.apps/basket-store configured")
        || line.equals("poddisruptionbudget.policy/storefront configured");
  }

  @ParameterizedTest
  @CsvSource({"noticeboard.yaml, 6, app=noticeboard", "harbour-shop.yaml, 48, shop=harbour"})
  void application_isAppliedReadReplacedAndDeleted(String file, int objects, String selector) {
    String path = APPS.resolve(file).toString();

    assertThat(lines(run("apply", "-f", path))).hasSize(objects).allMatch(ends(" created"));
    assertThat(lines(run("apply", "-f", path)))
        .hasSize(objects)
        .allMatch(KubectlSuite::isUnchanged);
    List<String> names = lines(run("get", "-f", path, "-o", "name"));
    assertThat(names).hasSize(objects).doesNotHaveDuplicates();
    assertThat(lines(run("get", "deployments,services", "-l", selector, "-o", "name")))
        .isNotEmpty()
        .isSubsetOf(names);
    // a Job cannot be replaced by its manifest: that lacks the selector which the server made
    Kubectl.Result replaced = attempt("", "replace", "-f", path);
    long jobs = names.stream().filter(name -> name.startsWith("job.batch/")).count();
    assertThat(lines(replaced.out()))
        .as(replaced.err())
        .hasSize((int) (objects - jobs))
        .allMatch(ends(" replaced"));
    assertThat(replaced.err().lines().filter(line -> line.endsWith(" is invalid: ")))
        .hasSize((int) jobs)
        .allMatch(line -> line.startsWith("The Job "));
    assertThat(lines(run("apply", "-f", path)))
        .hasSize(objects)
        .allMatch(line -> line.endsWith(" configured") || line.startsWith("job.batch/"));
    assertThat(lines(run("apply", "-f", path)))
        .hasSize(objects)
        .allMatch(KubectlSuite::isUnchanged);
    assertThat(run("diff", "-f", path)).isEmpty();
    assertThat(lines(run("delete", "-f", path)))
        .hasSize(objects)
        .allMatch(line -> line.contains(" deleted"));
    assertThat(run("get", "-f", path, "--ignore-not-found", "-o", "name")).isEmpty();
  }

  @Test
  void get_ofEveryKind_works() {
    String all =
        SmallestObjects.resources().stream()
            .map(resource -> resource.groupResource().toString())
            .distinct()
            .collect(Collectors.joining(","));

    List<String> names = lines(kubectl.run("get", all, "--all-namespaces", "-o", "name"));

    assertThat(names)
        .contains(
            "namespace/default",
            "namespace/kube-system",
            "namespace/kube-public",
            "namespace/kube-node-lease",
            "service/kubernetes",
            "endpoints/kubernetes",
            "endpointslice.discovery.k8s.io/kubernetes");
  }

  @Test
  void componentStatuses_tellOfTheStore() {
    assertThat(kubectl.run("get", "componentstatuses", "--no-headers"))
        .matches("etcd-0 +Healthy +ok *\n");
    assertThat(kubectl.run("get", "cs", "etcd-0", "-o", "jsonpath={.conditions[0].status}"))
        .isEqualTo("True");
    assertThat(kubectl.run("get", "cs", "-o", "yaml")).contains("kind: ComponentStatus");
    assertThat(kubectl.attempt("", "get", "cs", "scheduler").err()).contains("not found");
  }

  @Test
  void apiResources_namesEveryStoredResource() {
    List<String> listed =
        new ArrayList<>(
            lines(
                kubectl.run(
                    "api-resources", "--verbs=list,create", "-o", "name", "--cached=false")));

    // other suites may have defined custom resources on this server
    listed.removeIf(
        name -> name.endsWith(".example.com") || name.endsWith(".gateway.networking.k8s.io"));
    assertThat(new TreeSet<>(listed))
        .isEqualTo(
            SmallestObjects.resources().stream()
                .map(resource -> resource.groupResource().toString())
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void apiVersions_namesEveryVersion() {
    List<String> listed = lines(kubectl.run("api-versions"));

    assertThat(listed)
        .containsAll(
            SmallestObjects.resources().stream()
                .map(ResourceDefinition::gvr)
                .map(gvr -> gvr.apiVersion())
                .distinct()
                .toList())
        .contains("authentication.k8s.io/v1", "authorization.k8s.io/v1");
  }

  @ParameterizedTest
  @CsvSource({
    "deployments, apps/v1, progressDeadlineSeconds",
    "deployments, extensions/v1beta1, rollbackTo",
    "cronjobs, batch/v1, concurrencyPolicy",
    "pods, v1, terminationMessagePolicy",
  })
  void explain_showsEveryField(String resource, String version, String field) {
    String text = kubectl.run("explain", resource, "--api-version=" + version, "--recursive");

    assertThat(text).contains("KIND:").contains("metadata").contains(field);
  }

  @Test
  void explain_ofOneField_describesIt() {
    String text = kubectl.run("explain", "pods.spec.containers.image");

    assertThat(text).contains("FIELD: image <string>").contains("DESCRIPTION:");
  }

  @Test
  void create_twice_saysThatItExists() {
    assertThat(runWithInput(CONFIG_MAP, "create", "-f", "-"))
        .isEqualTo("configmap/settings created\n");

    Kubectl.Result again = attempt(CONFIG_MAP, "create", "-f", "-");

    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err())
        .contains("Error from server (AlreadyExists): error when creating \"STDIN\":")
        .contains("configmaps \"settings\" already exists");
  }

  @Test
  void create_withAnUnknownField_isRefusedOrWarnedOf() {
    String strange = CONFIG_MAP + "unheard: 1\n";

    Kubectl.Result strict = attempt(strange, "create", "--validate=strict", "-f", "-");
    Kubectl.Result warned = attempt(strange, "create", "--validate=warn", "-f", "-");

    assertThat(strict.exitCode()).isEqualTo(1);
    assertThat(strict.err()).contains("strict decoding error: unknown field \"unheard\"");
    assertThat(warned.exitCode()).isZero();
    assertThat(warned.err()).contains("Warning: unknown field \"unheard\"");
  }

  @Test
  void create_inDryRun_leavesNoTrace() {
    assertThat(runWithInput(CONFIG_MAP, "create", "--dry-run=server", "-o", "name", "-f", "-"))
        .isEqualTo("configmap/settings\n");

    assertThat(run("get", "configmaps", "-o", "name")).doesNotContain("settings");
  }

  @Test
  void createCommands_speakProtobuf() {
    assertThat(run("create", "configmap", "a", "--from-literal=k=v")).contains("created");
    assertThat(run("create", "secret", "generic", "a", "--from-literal=k=v")).contains("created");
    assertThat(run("create", "deployment", "a", "--image=i")).contains("created");
    assertThat(run("create", "serviceaccount", "a")).contains("created");

    assertThat(run("get", "configmap", "a", "-o", "jsonpath={.data.k}")).isEqualTo("v");
    assertThat(run("get", "secret", "a", "-o", "jsonpath={.data.k}")).isEqualTo("dg==");
    assertThat(
            run(
                "get",
                "deployment",
                "a",
                "-o",
                "jsonpath={.spec.template.spec.containers[0].image}"))
        .isEqualTo("i");
  }

  @Test
  void get_ofWhatIsMissing_saysSo() {
    Kubectl.Result result = attempt("", "get", "pods", "none");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).isEqualTo("Error from server (NotFound): pods \"none\" not found\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"strategic", "merge", "json"})
  void patch_changesAnObject(String type) {
    runWithInput(CONFIG_MAP, "create", "-f", "-");
    String patch =
        type.equals("json")
            ? "[{\"op\":\"replace\",\"path\":\"/data/colour\",\"value\":\"red\"}]"
            : "{\"data\":{\"colour\":\"red\"}}";

    assertThat(run("patch", "configmap", "settings", "--type=" + type, "-p", patch))
        .isEqualTo("configmap/settings patched\n");

    assertThat(run("get", "configmap", "settings", "-o", "jsonpath={.data.colour}"))
        .isEqualTo("red");
  }

  @Test
  void apply_ofAChange_changesThatAlone() {
    runWithInput(CONFIG_MAP, "apply", "-f", "-");
    assertThat(run("label", "configmap", "settings", "by=hand")).contains("labeled");

    assertThat(runWithInput(CONFIG_MAP.replace("blue", "green"), "apply", "-f", "-"))
        .isEqualTo("configmap/settings configured\n");

    assertThat(run("get", "configmap", "settings", "-o", "jsonpath={.data.colour}"))
        .isEqualTo("green");
    assertThat(run("get", "configmap", "-l", "by=hand,!other", "-o", "name"))
        .isEqualTo("configmap/settings\n");
    assertThat(run("get", "configmap", "-l", "by notin (hand)", "-o", "name"))
        .doesNotContain("settings");
    assertThat(run("get", "configmap", "--field-selector=metadata.name=settings", "-o", "name"))
        .isEqualTo("configmap/settings\n");
  }

  @Test
  void delete_ofANamespace_takesItsContentAlong() {
    runWithInput(CONFIG_MAP, "create", "-f", "-");

    assertThat(kubectl.run("delete", "namespace", namespace))
        .contains("namespace \"" + namespace + "\" deleted");

    assertThat(kubectl.attempt("", "get", "namespace", namespace).exitCode()).isEqualTo(1);
    assertThat(run("get", "configmaps", "-o", "name")).isEmpty();
    Kubectl.Result gone = attempt(CONFIG_MAP, "create", "-f", "-");
    assertThat(gone.err()).contains("namespaces \"" + namespace + "\" not found");
  }

  private String run(String... arguments) {
    return runWithInput("", arguments);
  }

  private String runWithInput(String input, String... arguments) {
    return kubectl.runWithInput(input, inNamespace(arguments));
  }

  private Kubectl.Result attempt(String input, String... arguments) {
    return kubectl.attempt(input, inNamespace(arguments));
  }

  private String[] inNamespace(String... arguments) {
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--namespace";
    all[arguments.length + 1] = namespace;
    return all;
  }

  private static List<String> lines(String text) {
    return text.lines().toList();
  }

  private static Predicate<String> ends(String with) {
    return line -> line.endsWith(with);
  }
}
