package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.Eventually;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.Kubectl.Result;
import dev.keelson.testing.RestClient;
import io.restassured.response.Response;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may read and bring back what an object was, and what compaction leaves of it. */
@Timeout(240)
class HistoryRightsIT {

  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps/";

  @TempDir private static Path directory;
  private static KeelsonProcess server;
  private static Kubectl kubectl;

  @BeforeAll
  static void start() {
    server =
        KeelsonProcess.start(
            directory,
            List.of(
                "--authorization-mode=RBAC",
                "--etcd-compaction-interval=1s",
                KeelsonProcess.FEW_CONTROLLERS));
    kubectl = new Kubectl(server.kubeconfigFile(), directory);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String create(String name) {
    kubectl.run("create", "configmap", name, "--from-literal=a=1");
    return kubectl.run("get", "configmap", name, "-o", "jsonpath={.metadata.resourceVersion}");
  }

  @Test
  void rights_areThoseOfTheSubresourceAndOfTheObject() {
    String first = create("guarded");
    kubectl.run("create", "role", "reads", "--verb=get", "--resource=configmaps");
    kubectl.run("create", "role", "looks", "--verb=get", "--resource=configmaps/history");
    kubectl.run("create", "role", "both", "--verb=get", "--resource=configmaps,configmaps/history");
    kubectl.run("create", "role", "writes", "--verb=create", "--resource=configmaps/history");
    for (String role : List.of("reads", "looks", "both", "writes")) {
      kubectl.run("create", "rolebinding", role, "--role=" + role, "--user=" + role);
    }
    String path = CONFIG_MAPS + "guarded/history";

    assertThat(attempt("reads", path)).contains("cannot get resource \"configmaps/history\"");
    assertThat(attempt("looks", path)).contains("cannot get resource \"configmaps\"");
    assertThat(attempt("both", path)).contains(first);
    Result denied =
        kubectl.attempt(
            "{\"kind\":\"ObjectRevision\",\"apiVersion\":\"history.keelson.dev/v1\","
                + "\"metadata\":{\"resourceVersion\":\"%s\"}}".formatted(first),
            "create",
            "--as=writes",
            "--raw",
            path,
            "-f",
            "-");
    assertThat(denied.err()).contains("cannot update resource \"configmaps\"");
  }

  private String attempt(String user, String path) {
    Result result = kubectl.attempt("", "get", "--as=" + user, "--raw", path);
    return result.out() + result.err();
  }

  @Test
  void compactedRevision_isExpired_andTheNewestStays() {
    String first = create("old");
    kubectl.run("label", "configmap", "old", "x=y");
    RestClient admin = RestClient.administrator(server);
    String newest = admin.get(CONFIG_MAPS + "old").jsonPath().getString("metadata.resourceVersion");
    String exactly = CONFIG_MAPS + "old?resourceVersionMatch=Exact&resourceVersion=";

    Eventually.assertEventually(
        () -> assertThat(admin.get(exactly + newest).statusCode()).isEqualTo(410));
    Response expired = admin.get(exactly + first);

    assertThat(expired.jsonPath().getString("reason")).isEqualTo("Expired");
    assertThat(expired.jsonPath().getString("message"))
        .isEqualTo(
            "The resourceVersion for the requested object is too old: revision %s is no longer kept."
                .formatted(first));
    Response list = admin.get(CONFIG_MAPS + "old/history");
    assertThat(list.jsonPath().<String>getList("items.verb")).containsExactly("update");
    assertThat(admin.get(CONFIG_MAPS + "old/history?continue=" + first).statusCode())
        .isEqualTo(410);
    assertThat(admin.get(CONFIG_MAPS + "old/history?diff=" + first + ".." + first).statusCode())
        .isEqualTo(410);
    // its change is older than the compacted revision; its state is kept
    assertThat(admin.get(CONFIG_MAPS + "old/history?diff=" + newest + ".." + newest).statusCode())
        .isEqualTo(200);
  }
}
