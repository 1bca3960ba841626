package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.RestClient;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes when something is deleted, and what paths below objects do; with kubectl and HTTP. */
@Timeout(180)
abstract class DeletionSuite {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private static final String TEMPLATE =
      """
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: i}]}
      """;

  private static final String READY =
      "{\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}";

  private final Kubectl kubectl;
  private final RestClient client;
  private final String namespace = "deletion-" + COUNT.incrementAndGet();

  DeletionSuite(KeelsonProcess server, @TempDir Path home) {
    kubectl = new Kubectl(server.kubeconfigFile(), home);
    client = RestClient.administrator(server);
    assertThat(kubectl.run("create", "namespace", namespace)).contains("created");
  }

  @ParameterizedTest
  @ValueSource(strings = {"background", "foreground"})
  void delete_takesDependentsAlong(String cascade) {
    createOwnerAndDependents();

    assertThat(run("delete", "deployment", "web", "--cascade=" + cascade)).contains("deleted");
    for (String name : List.of("web-1", "web-2", "web-3")) {
      awaitGone("replicaset/" + name);
    }
  }

  @Test
  void delete_thatOrphans_leavesDependentsWithoutTheirOwner() {
    createOwnerAndDependents();

    assertThat(run("delete", "deployment", "web", "--cascade=orphan")).contains("deleted");

    assertThat(run("get", "replicasets", "-o", "jsonpath={.items[*].metadata.name}"))
        .isEqualTo("web-1 web-2 web-3");
    assertThat(run("get", "replicasets", "-o", "jsonpath={.items[*].metadata.ownerReferences}"))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"apps/v1, Background", "extensions/v1beta1, Orphan"})
  void delete_withoutAPolicy_doesWhatItsVersionAlwaysDid(String version, String policy) {
    createOwnerAndDependents();

    client
        .delete("/apis/" + version + "/namespaces/" + namespace + "/deployments/web")
        .then()
        .statusCode(200);

    awaitGone("deployment/web");
    if (policy.equals("Orphan")) {
      assertThat(run("get", "replicasets", "-o", "name").lines()).hasSize(3);
    } else {
      for (String name : List.of("web-1", "web-2", "web-3")) {
        awaitGone("replicaset/" + name);
      }
    }
  }

  @Test
  void delete_ofAPod_leavesItTimeToEnd() {
    String path = boundPod("p");

    JsonPath marked = client.delete(path).then().statusCode(200).extract().jsonPath();
    JsonPath shorter =
        client
            .request()
            .queryParam("gracePeriodSeconds", 5)
            .delete(path)
            .then()
            .statusCode(200)
            .extract()
            .jsonPath();
    JsonPath gone =
        client
            .delete(path, Map.of("gracePeriodSeconds", 0))
            .then()
            .statusCode(200)
            .extract()
            .jsonPath();

    assertThat(marked.getString("kind")).isEqualTo("Pod");
    assertThat(marked.getLong("metadata.deletionGracePeriodSeconds")).isEqualTo(30);
    assertThat(shorter.getLong("metadata.deletionGracePeriodSeconds")).isEqualTo(5);
    assertThat(gone.getString("status")).isEqualTo("Success");
    client.get(path).then().statusCode(404);
  }

  @Test
  void delete_thatFinalizersHold_endsWithTheLastOfThem() {
    assertThat(run("create", "configmap", "held")).contains("created");
    patch("configmap", "held", "{\"metadata\":{\"finalizers\":[\"x.org/a\"]}}");

    assertThat(run("delete", "configmap", "held", "--wait=false")).contains("deleted");
    Kubectl.Result more =
        attempt(
            "patch",
            "configmap",
            "held",
            "--type=merge",
            "-p",
            "{\"metadata\":{\"finalizers\":[\"x.org/a\",\"x.org/b\"]}}");
    patch("configmap", "held", "{\"metadata\":{\"finalizers\":null}}");

    assertThat(more.err()).contains("no new finalizers can be added");
    awaitGone("configmap/held");
  }

  @Test
  void deleteOptions_thatContradictEachOther_areInvalid() {
    assertThat(run("create", "configmap", "a")).contains("created");
    String path = core("configmaps") + "/a";

    Response both =
        client.delete(path, Map.of("orphanDependents", true, "propagationPolicy", "Background"));
    Response inQuery =
        client
            .request()
            .queryParam("orphanDependents", true)
            .queryParam("propagationPolicy", "Background")
            .delete(path);

    assertThat(both.statusCode()).isEqualTo(422);
    assertThat(both.jsonPath().getString("message"))
        .isEqualTo(
            "DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Invalid value:"
                + " \"Background\": orphanDependents and deletionPropagation cannot be both set");
    assertThat(inQuery.statusCode()).isEqualTo(422);
    client.get(path).then().statusCode(200);
  }

  @Test
  void scale_changesReplicas() {
    createOwnerAndDependents();

    assertThat(run("scale", "deployment", "web", "--replicas=4")).contains("scaled");
    assertThat(run("scale", "deployment", "web", "--current-replicas=4", "--replicas=2"))
        .contains("scaled");
    assertThat(attempt("scale", "deployment", "web", "--current-replicas=9", "--replicas=1").err())
        .contains("Expected replicas to be 9, was 2");

    assertThat(run("get", "deployment", "web", "-o", "jsonpath={.spec.replicas}")).isEqualTo("2");
    String path = "/apis/apps/v1/namespaces/" + namespace + "/deployments/web/scale";
    Map<String, Object> scale = client.get(path).jsonPath().getMap("$");
    assertThat(client.put(path, scale).statusCode()).isEqualTo(200);
    for (String type : List.of("merge-patch", "strategic-merge-patch")) {
      Response patched =
          client
              .request()
              .contentType("application/" + type + "+json")
              .body("{\"spec\":{\"replicas\":7}}")
              .patch(path);
      assertThat(patched.statusCode()).as(patched.asString()).isEqualTo(200);
      assertThat(patched.jsonPath().getInt("spec.replicas")).isEqualTo(7);
    }
    assertThat(client.put(path, scale).statusCode()).isEqualTo(409);
  }

  @Test
  void eviction_keepsToTheBudget() {
    boundPod("p1");
    boundPod("p2");
    String budget =
        """
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: b}
        spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
        """;
    create(budget);
    for (String pod : List.of("p1", "p2")) {
      assertThat(run("patch", "pod", pod, "--subresource=status", "--type=merge", "-p", READY))
          .contains("patched");
    }
    assertThat(
            run(
                "patch",
                "pdb",
                "b",
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\":{\"observedGeneration\":1,\"disruptionsAllowed\":1,"
                    + "\"currentHealthy\":2,\"desiredHealthy\":1,\"expectedPods\":2}}"))
        .contains("patched");

    Response allowed = evict("p1", "policy/v1beta1");
    Response refused = evict("p2", "policy/v1");

    assertThat(allowed.statusCode()).as(allowed.asString()).isEqualTo(201);
    assertThat(allowed.jsonPath().getString("status")).isEqualTo("Success");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.jsonPath().getString("details.causes[0].reason"))
        .isEqualTo("DisruptionBudget");
    assertThat(client.get(core("pods") + "/p1").jsonPath().getString("metadata.deletionTimestamp"))
        .isNotNull();
    assertThat(client.get(core("pods") + "/p2").jsonPath().getString("metadata.deletionTimestamp"))
        .isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "log, 404, NotFound",
    "exec, 404, NotFound",
    "attach, 404, NotFound",
    "portforward, 404, NotFound",
    "proxy, 400, BadRequest"
  })
  void pathsThatNeedANode_sayThatThereIsNone(String subresource, int status, String reason) {
    boundPod("p");

    Response answer = client.get(core("pods") + "/p/" + subresource);

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.jsonPath().getString("reason")).isEqualTo(reason);
  }

  @Test
  void deleteCollection_answersWhatItDeleted() {
    for (String name : List.of("a", "b", "c")) {
      assertThat(run("create", "configmap", name)).contains("created");
    }

    // a controller keeps one in every namespace
    String mine = "metadata.name!=kube-root-ca.crt";
    JsonPath tried =
        client
            .request()
            .queryParam("dryRun", "All")
            .queryParam("fieldSelector", mine)
            .delete(core("configmaps"))
            .then()
            .statusCode(200)
            .extract()
            .jsonPath();
    JsonPath deleted =
        client
            .request()
            .queryParam("fieldSelector", mine + ",metadata.name!=b")
            .delete(core("configmaps"))
            .then()
            .statusCode(200)
            .extract()
            .jsonPath();

    assertThat(tried.getList("items.metadata.name")).containsExactly("a", "b", "c");
    assertThat(deleted.getString("kind")).isEqualTo("ConfigMapList");
    assertThat(deleted.getList("items.metadata.name")).containsExactly("a", "c");
    assertThat(run("get", "configmaps", "--field-selector", mine, "-o", "name"))
        .isEqualTo("configmap/b\n");
  }

  @Test
  void namespace_tellsWhatHoldsIt_andGoesWithTheLastOfIt() {
    assertThat(run("create", "configmap", "held")).contains("created");
    patch("configmap", "held", "{\"metadata\":{\"finalizers\":[\"x.org/a\"]}}");
    assertThat(kubectl.run("delete", "namespace", namespace, "--wait=false")).contains("deleted");

    assertThat(attempt("create", "configmap", "late").err())
        .contains("because it is being terminated");
    assertThat(
            kubectl.run(
                "wait",
                "--for=condition=NamespaceFinalizersRemaining",
                "namespace/" + namespace,
                "--timeout=30s"))
        .contains("condition met");
    patch("configmap", "held", "{\"metadata\":{\"finalizers\":null}}");
    awaitGone("namespace/" + namespace);
  }

  private void createOwnerAndDependents() {
    create("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n" + TEMPLATE);
    String uid = run("get", "deployment", "web", "-o", "jsonpath={.metadata.uid}");
    for (int i = 1; i <= 3; i++) {
      create(
          "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: web-"
              + i
              + ", ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: "
              + uid
              + ", controller: true, blockOwnerDeletion: true}]}\nspec:\n"
              + TEMPLATE);
    }
  }

  /** Makes a pod that runs on a node, and returns its path. */
  private String boundPod(String name) {
    create(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: "
            + name
            + ", labels: {app: web}}\nspec: {containers: [{name: c, image: i}]}\n");
    String path = core("pods") + "/" + name;
    Response bound =
        client.post(
            path + "/binding",
            Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Binding",
                "metadata",
                Map.of("name", name),
                "target",
                Map.of("kind", "Node", "name", "n")));
    assertThat(bound.statusCode()).as(bound.asString()).isEqualTo(201);
    return path;
  }

  private Response evict(String pod, String version) {
    return client.post(
        core("pods") + "/" + pod + "/eviction",
        Map.of("apiVersion", version, "kind", "Eviction", "metadata", Map.of("name", pod)));
  }

  private String core(String resource) {
    return "/api/v1/namespaces/" + namespace + "/" + resource;
  }

  private void create(String yaml) {
    assertThat(kubectl.runWithInput(yaml, "-n", namespace, "create", "-f", "-"))
        .contains("created");
  }

  private void patch(String resource, String name, String patch) {
    assertThat(run("patch", resource, name, "--type=merge", "-p", patch)).contains("patched");
  }

  /** kubectl says nothing of what was gone before it looked. */
  private void awaitGone(String object) {
    Kubectl.Result result = attempt("wait", "--for=delete", object, "--timeout=30s");
    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    assertThat(attempt("get", object).err()).contains("NotFound");
  }

  private String run(String... arguments) {
    Kubectl.Result result = attempt(arguments);
    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    return result.out();
  }

  private Kubectl.Result attempt(String... arguments) {
    String[] all = new String[arguments.length + 2];
    all[0] = "-n";
    all[1] = namespace;
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return kubectl.attempt("", all);
  }
}
