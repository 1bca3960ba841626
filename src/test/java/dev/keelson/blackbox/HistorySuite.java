package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.Kubectl.Result;
import dev.keelson.testing.RestClient;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The history of single objects, by kubectl, its plug-in, and plain requests. */
@Timeout(240)
abstract class HistorySuite {

  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps/";
  private static final Path PLUGIN = Path.of("bin", "kubectl-history").toAbsolutePath();

  private final Kubectl kubectl;
  private final RestClient admin;

  HistorySuite(KeelsonProcess server, Path home) {
    kubectl = new Kubectl(server.kubeconfigFile(), home);
    admin = RestClient.administrator(server);
  }

  private String create(String name, String value) {
    kubectl.run("create", "configmap", name, "--from-literal=a=" + value);
    return revision(name);
  }

  private String change(String name, String value) {
    kubectl.run("patch", "configmap", name, "--type=merge", "-p", "{\"data\":" + value + "}");
    return revision(name);
  }

  private String revision(String name) {
    return kubectl.run("get", "configmap", name, "-o", "jsonpath={.metadata.resourceVersion}");
  }

  private JsonPath history(String path) {
    Response response = admin.get(path);
    assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
    return response.jsonPath();
  }

  private Response bringBack(String name, String revision) {
    return admin.post(
        CONFIG_MAPS + name + "/history",
        Map.of(
            "kind",
            "ObjectRevision",
            "apiVersion",
            "history.keelson.dev/v1",
            "metadata",
            Map.of("resourceVersion", revision)));
  }

  @Test
  void history_hasEveryRevisionWithItsAuthor() {
    String first = create("told", "1");
    String second = change("told", "{\"a\":\"2\"}");
    kubectl.run("delete", "configmap", "told");

    JsonPath list = history(CONFIG_MAPS + "told/history");

    assertThat(list.getString("kind")).isEqualTo("ObjectRevisionList");
    assertThat(list.getString("apiVersion")).isEqualTo("history.keelson.dev/v1");
    assertThat(list.<String>getList("items.verb")).containsExactly("delete", "update", "create");
    assertThat(list.<String>getList("items.metadata.resourceVersion").subList(1, 3))
        .containsExactly(second, first);
    assertThat(list.<String>getList("items.manager"))
        .containsExactly(null, "kubectl-patch", "kubectl-create");
    assertThat(list.getString("items[1].time")).matches("20\\d\\d-.*Z");
    assertThat(list.getBoolean("items[0].removed")).isTrue();
    assertThat(list.getString("metadata.continue")).isNull();
  }

  @Test
  void history_inChunks_isThatOfOneChunk() {
    create("long", "1");
    for (int i = 2; i < 6; i++) {
      change("long", "{\"a\":\"%d\"}".formatted(i));
    }

    List<Object> whole = history(CONFIG_MAPS + "long/history").getList("items");
    JsonPath one = history(CONFIG_MAPS + "long/history?limit=2");
    JsonPath two =
        history(
            CONFIG_MAPS + "long/history?limit=2&continue=" + one.getString("metadata.continue"));
    JsonPath three =
        history(
            CONFIG_MAPS + "long/history?limit=2&continue=" + two.getString("metadata.continue"));

    assertThat(whole).hasSize(5);
    assertThat(one.<Object>getList("items")).isEqualTo(whole.subList(0, 2));
    assertThat(two.<Object>getList("items")).isEqualTo(whole.subList(2, 4));
    assertThat(three.<Object>getList("items")).isEqualTo(whole.subList(4, 5));
    assertThat(three.getString("metadata.continue")).isNull();
  }

  @Test
  void exactRead_showsTheObjectOfThatRevision_alsoAfterItsDeletion() {
    String first = create("exact", "1");
    String second = change("exact", "{\"a\":\"2\"}");
    String exactly = CONFIG_MAPS + "exact?resourceVersionMatch=Exact&resourceVersion=";

    assertThat(history(exactly + first).getString("data.a")).isEqualTo("1");
    kubectl.run("delete", "configmap", "exact");

    assertThat(history(exactly + second).getString("data.a")).isEqualTo("2");
    assertThat(history(exactly + first).getString("metadata.resourceVersion")).isEqualTo(first);
    assertThat(admin.get(CONFIG_MAPS + "exact").statusCode()).isEqualTo(404);
    assertThat(admin.get(exactly + (Long.parseLong(first) - 1)).statusCode()).isEqualTo(404);
    assertThat(admin.get(exactly + "1000000000").statusCode()).isEqualTo(504);
    assertThat(admin.get(exactly + "x").statusCode()).isEqualTo(400);
  }

  @Test
  void diff_isUnifiedOrAPatch() {
    String first = create("differs", "1");
    String second = change("differs", "{\"a\":\"2\",\"b\":\"3\"}");
    String diff = CONFIG_MAPS + "differs/history?diff=" + first + ".." + second;

    assertThat(admin.get(diff).asString())
        .startsWith(
            "--- configmaps/differs@%s\n+++ configmaps/differs@%s\n@@ ".formatted(first, second))
        .contains("-  a: \"1\"\n+  a: \"2\"\n+  b: \"3\"\n")
        .doesNotContain("managedFields");
    assertThat(admin.get(diff + "&format=merge-patch").asString())
        .isEqualTo("{\"data\":{\"a\":\"2\",\"b\":\"3\"}}\n");
    assertThat(admin.get(diff + "&format=json-patch").asString())
        .isEqualTo(
            "[{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\"2\"},"
                + "{\"op\":\"add\",\"path\":\"/data/b\",\"value\":\"3\"}]\n");
    assertThat(admin.get(diff + "&managedFields=true").asString()).contains("manager: kubectl");
    assertThat(admin.get(diff + "&format=x").statusCode()).isEqualTo(400);
    assertThat(admin.get(CONFIG_MAPS + "differs/history?diff=1").statusCode()).isEqualTo(400);
    assertThat(admin.get(CONFIG_MAPS + "differs/history?diff=0.." + first).statusCode())
        .isEqualTo(400);
    assertThat(
            admin
                .get(CONFIG_MAPS + "differs/history?diff=" + first + "..9000000000000")
                .statusCode())
        .isEqualTo(504);
  }

  @Test
  void broughtBack_isAnUpdateOrANewObject() {
    String first = create("back", "1");
    change("back", "{\"a\":\"2\"}");

    Response updated = bringBack("back", first);
    assertThat(updated.statusCode()).as(updated.asString()).isEqualTo(200);
    assertThat(updated.jsonPath().getString("data.a")).isEqualTo("1");
    String uid = updated.jsonPath().getString("metadata.uid");

    kubectl.run("delete", "configmap", "back");
    Response created = bringBack("back", first);
    assertThat(created.statusCode()).as(created.asString()).isEqualTo(201);
    assertThat(created.jsonPath().getString("data.a")).isEqualTo("1");
    assertThat(created.jsonPath().getString("metadata.uid")).isNotEqualTo(uid);

    assertThat(bringBack("back", "1000000000").statusCode()).isEqualTo(504);
    assertThat(bringBack("never", first).statusCode()).isEqualTo(404);
    assertThat(admin.post(CONFIG_MAPS + "back/history", Map.of("kind", "ConfigMap")).statusCode())
        .isEqualTo(400);
    assertThat(admin.delete(CONFIG_MAPS + "back/history").statusCode()).isEqualTo(405);
  }

  @Test
  void everyStoredType_hasAHistory_andOthersHaveNone() {
    kubectl.run("create", "namespace", "storied");

    assertThat(history("/api/v1/namespaces/storied/history").<String>getList("items.verb"))
        .endsWith("create");
    assertThat(
            history("/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin/history")
                .<Object>getList("items"))
        .isNotEmpty();
    assertThat(admin.get(CONFIG_MAPS + "nothing/history").statusCode()).isEqualTo(404);
    assertThat(admin.get("/api/v1/namespaces/default/bindings/x/history").statusCode())
        .isEqualTo(404);
    assertThat(admin.get(CONFIG_MAPS + "nothing/histories").statusCode()).isEqualTo(404);
  }

  @Test
  void customObjects_haveAHistory() {
    kubectl.runWithInput(
        """
        {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
         "metadata":{"name":"sagas.tales.example"},
         "spec":{"group":"tales.example","scope":"Namespaced",
          "names":{"plural":"sagas","singular":"saga","kind":"Saga"},
          "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
           {"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}
        """,
        "create",
        "-f",
        "-");
    kubectl.awaitEstablished("sagas.tales.example");
    String saga =
        "{\"apiVersion\":\"tales.example/v1\",\"kind\":\"Saga\",\"metadata\":{\"name\":\"s\"},"
            + "\"spec\":{\"part\":%d}}";
    kubectl.runWithInput(saga.formatted(1), "apply", "--server-side", "-f", "-");
    kubectl.runWithInput(saga.formatted(2), "apply", "--server-side", "-f", "-");

    JsonPath list = history("/apis/tales.example/v1/namespaces/default/sagas/s/history");

    assertThat(list.<String>getList("items.verb")).containsExactly("update", "create");
    assertThat(list.<String>getList("items.operation")).containsExactly("Apply", "Apply");
  }

  @Test
  void plugin_printsTheTable_differences_andBringsBack() {
    String first = create("plugged", "1");
    String second = change("plugged", "{\"a\":\"2\"}");

    assertThat(plugin("configmap", "plugged"))
        .startsWith("REVISION")
        .containsPattern(second + " +20.*Z +update +kubectl-patch")
        .containsPattern(first + " +20.*Z +create +kubectl-create");
    assertThat(plugin("configmap/plugged", "--diff", first + ".." + second))
        .contains("+  a: \"2\"");
    assertThat(plugin("cm", "plugged", "--show", first)).contains("\"a\":\"1\"");
    assertThat(plugin("cm", "plugged", "--restore", first)).contains("\"a\":\"1\"");
    assertThat(kubectl.run("get", "cm", "plugged", "-o", "jsonpath={.data.a}")).isEqualTo("1");
    kubectl.run("delete", "cm", "plugged");
    assertThat(plugin("cm", "plugged", "-n", "default")).contains("delete");
  }

  private String plugin(String... arguments) {
    Result result =
        kubectl.attemptBy(
            // the program of kubectl comes before the arguments
            List.of("sh", "-c", "shift; exec \"$0\" \"$@\"", PLUGIN.toString()),
            Map.of("KUBECTL", Kubectl.program()),
            arguments);
    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    return result.out();
  }
}
