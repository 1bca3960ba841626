package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WatchLines;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which namespaces a user may see, as the users ask it. Each test has namespaces of its own. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class VisibleNamespacesIT {

  private static final String VISIBLE = "/apis/access.keelson.dev/v1/visiblenamespaces";
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
  private static final List<String> USERS = List.of("ann", "bob", "eve", "joe", "kim", "lee");

  private KeelsonProcess server;
  private Kubectl kubectl;
  private RestClient administrator;

  /** Different in each test. */
  private String one;

  private String two;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    StringBuilder tokens = new StringBuilder();
    USERS.forEach(user -> tokens.append(user + "-token," + user + "," + user + ",\"staff\"\n"));
    Path file = Files.writeString(directory.resolve("tokens.csv"), tokens);
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of("--authorization-mode=Node,RBAC", "--token-auth-file=" + file));
    administrator = RestClient.administrator(server);
    kubectl =
        new Kubectl(server.kubeconfigFile(), Files.createDirectory(directory.resolve("home")));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @BeforeEach
  void makeNamespaces(TestInfo test) {
    String prefix = "t" + Integer.toHexString(test.getDisplayName().hashCode());
    one = prefix + "-one";
    two = prefix + "-two";
    for (String name : List.of(one, two)) {
      assertThat(
              administrator
                  .post(
                      "/api/v1/namespaces",
                      Map.of("metadata", Map.of("name", name, "labels", Map.of("team", name))))
                  .statusCode())
          .isEqualTo(201);
    }
  }

  @Test
  void userWithoutBindings_seesNothing_andCannotTellWhatExists() {
    Response list = as("eve", VISIBLE);
    Response existing = as("eve", VISIBLE + "/" + one);
    Response none = as("eve", VISIBLE + "/nowhere");

    assertThat(list.statusCode()).isEqualTo(200);
    assertThat(list.path("kind").toString()).isEqualTo("VisibleNamespaceList");
    assertThat(list.<List<?>>path("items")).isEmpty();
    assertThat(existing.statusCode()).isEqualTo(404);
    assertThat(existing.path("message").toString())
        .isEqualTo("visiblenamespaces.access.keelson.dev \"" + one + "\" not found");
    assertThat(none.statusCode()).isEqualTo(404);
  }

  @Test
  void anonymous_mayNotAsk_andNobodyMayWrite() {
    Map<String, Object> object = Map.of("metadata", Map.of("name", "x"));

    assertThat(RestClient.nobody(server).get(VISIBLE).statusCode()).isEqualTo(403);
    assertThat(administrator.post(VISIBLE, object).statusCode()).isEqualTo(405);
    assertThat(administrator.put(VISIBLE + "/" + one, object).statusCode()).isEqualTo(405);
    assertThat(administrator.delete(VISIBLE + "/" + one).statusCode()).isEqualTo(405);
  }

  @Test
  void bindings_decide_andShowNoMoreThanTheyAllow() {
    bind(one, "ann", "ClusterRole", "view");
    makeRole(two, "podreader", List.of(rule("list", "pods")));
    bind(two, "ann", "Role", "podreader");

    Response list = as("ann", VISIBLE);
    assertThat(list.<List<String>>path("items.metadata.name")).containsExactly(one, two);
    assertThat(list.<List<Boolean>>path("items.status.readable")).containsExactly(true, false);
    assertThat(list.<List<String>>path("items.status.phase")).containsOnly("Active");
    // labels of the second are not ann's to read, so they cannot be selected by either
    assertThat(list.<Object>path("items[1].metadata.labels")).isNull();
    assertThat(names(as("ann", VISIBLE + "?labelSelector=team=" + one))).containsExactly(one);
    assertThat(names(as("ann", VISIBLE + "?labelSelector=team=" + two))).isEmpty();
    assertThat(names(as("ann", VISIBLE + "?fieldSelector=metadata.name=" + two)))
        .containsExactly(two);
    assertThat(as("ann", VISIBLE + "?fieldSelector=status.phase=Active").statusCode())
        .isEqualTo(400);
    Response metadata =
        RestClient.nobody(server)
            .request()
            .header("Authorization", "Bearer ann-token")
            .header("Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
            .get(VISIBLE);
    assertThat(names(metadata)).containsExactly(one, two);
    assertThat(as("ann", VISIBLE + "/" + one).path("metadata.labels.team").toString())
        .isEqualTo(one);
  }

  @Test
  void groupsAndServiceAccounts_count() {
    assertThat(
            administrator
                .post(
                    RBAC + "/namespaces/" + one + "/rolebindings",
                    Map.of(
                        "metadata", Map.of("name", "group"),
                        "roleRef", ref("ClusterRole", "edit"),
                        "subjects", List.of(subject("Group", "readers-" + one))))
                .statusCode())
        .isEqualTo(201);

    Response list =
        administrator
            .request()
            .header("Impersonate-User", "somebody")
            .header("Impersonate-Group", "readers-" + one)
            .header("Impersonate-Group", "system:authenticated")
            .get(VISIBLE);

    assertThat(names(list)).containsExactly(one);
  }

  @Test
  void whoMayGetNamespaces_seesAll_whoMayOnlyGetOne_seesThat() {
    assertThat(
            administrator
                .post(
                    RBAC + "/clusterroles",
                    Map.of(
                        "metadata", Map.of("name", "get-" + one),
                        "rules",
                            List.of(
                                Map.of(
                                    "verbs", List.of("get"),
                                    "apiGroups", List.of(""),
                                    "resources", List.of("namespaces"),
                                    "resourceNames", List.of(one)))))
                .statusCode())
        .isEqualTo(201);
    assertThat(
            administrator
                .post(
                    RBAC + "/clusterrolebindings",
                    Map.of(
                        "metadata", Map.of("name", "get-" + one),
                        "roleRef", ref("ClusterRole", "get-" + one),
                        "subjects", List.of(subject("User", "kim"))))
                .statusCode())
        .isEqualTo(201);

    assertThat(names(as("kim", VISIBLE))).containsExactly(one);
    assertThat(names(administrator.get(VISIBLE)))
        .contains("default", "kube-system", one, two)
        .isSorted();
  }

  @Test
  void watch_followsBindingsRolesAndNamespaces() {
    makeRole(one, "some", List.of(rule("get", "configmaps")));
    try (WatchLines watch =
        WatchLines.open(server, "bob-token", VISIBLE + "?watch=true&timeoutSeconds=50")) {
      bind(one, "bob", "Role", "some");
      assertThat(watch.next()).contains("\"ADDED\"", one, "\"readable\":false");

      bind(one, "bob", "ClusterRole", "view");
      assertThat(watch.next()).contains("\"MODIFIED\"", one, "\"readable\":true", "\"team\"");

      unbind(one, "bob-view");
      assertThat(watch.next()).contains("\"MODIFIED\"", "\"readable\":false");

      Response emptied =
          administrator
              .request()
              .contentType("application/merge-patch+json")
              .body("{\"rules\":[]}")
              .patch(RBAC + "/namespaces/" + one + "/roles/some");
      assertThat(emptied.statusCode()).isEqualTo(200);
      assertThat(watch.next()).contains("\"DELETED\"", one);

      bind(two, "bob", "ClusterRole", "view");
      assertThat(watch.next()).contains("\"ADDED\"", two);
      assertThat(administrator.delete("/api/v1/namespaces/" + two).statusCode()).isEqualTo(200);
      String next = watch.next();
      while (!next.contains("\"DELETED\"")) {
        assertThat(next).contains("\"MODIFIED\"", two, "Terminating");
        next = watch.next();
      }
      assertThat(next).contains(two);
    }
  }

  @Test
  void watch_fromAList_goesOnOrIsToldToListAgain() {
    bind(one, "joe", "ClusterRole", "view");
    String version = as("joe", VISIBLE).path("metadata.resourceVersion").toString();
    String path = VISIBLE + "?watch=true&timeoutSeconds=50&resourceVersion=" + version;
    try (WatchLines watch = WatchLines.open(server, "joe-token", path)) {
      assertThat(watch.statusCode()).isEqualTo(200);
      bind(two, "joe", "ClusterRole", "view");
      // what was listed is not told again
      assertThat(watch.next()).contains("\"ADDED\"", two);
    }
    try (WatchLines late = WatchLines.open(server, "joe-token", path)) {
      assertThat(late.statusCode()).isEqualTo(410);
      assertThat(late.next()).contains("Expired");
    }
    Response future = as("joe", VISIBLE + "?watch=true&resourceVersion=999999999&timeoutSeconds=5");
    assertThat(future.statusCode()).isEqualTo(504);
  }

  @Test
  void kubectl_showsThem_andDescribesTheResource() {
    bind(one, "lee", "ClusterRole", "view");

    assertThat(kubectl.run("get", "vns", "--as=lee", "--as-group=system:authenticated"))
        .contains("NAME", "STATUS", "READABLE", one, "Active", "true")
        .doesNotContain(two);
    assertThat(kubectl.run("explain", "visiblenamespaces")).contains("VisibleNamespace");
    assertThat(kubectl.run("api-resources", "--api-group=access.keelson.dev")).contains("vns");
    assertThat(
            kubectl.run(
                "get",
                "visiblenamespaces",
                one,
                "-o",
                "jsonpath={.status.phase}",
                "--as=lee",
                "--as-group=system:authenticated"))
        .isEqualTo("Active");
  }

  private Response as(String user, String path) {
    return RestClient.nobody(server)
        .request()
        .header("Authorization", "Bearer " + user + "-token")
        .get(path);
  }

  private static List<String> names(Response list) {
    assertThat(list.statusCode()).isEqualTo(200);
    return list.path("items.metadata.name");
  }

  private static Map<String, Object> rule(String verb, String resource) {
    return Map.of("verbs", List.of(verb), "apiGroups", List.of(""), "resources", List.of(resource));
  }

  private static Map<String, Object> ref(String kind, String name) {
    return Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", kind, "name", name);
  }

  private static Map<String, Object> subject(String kind, String name) {
    return Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", kind, "name", name);
  }

  private void makeRole(String namespace, String name, List<Map<String, Object>> rules) {
    assertThat(
            administrator
                .post(
                    RBAC + "/namespaces/" + namespace + "/roles",
                    Map.of("metadata", Map.of("name", name), "rules", rules))
                .statusCode())
        .isEqualTo(201);
  }

  private void bind(String namespace, String user, String kind, String role) {
    assertThat(
            administrator
                .post(
                    RBAC + "/namespaces/" + namespace + "/rolebindings",
                    Map.of(
                        "metadata", Map.of("name", user + "-" + role),
                        "roleRef", ref(kind, role),
                        "subjects", List.of(subject("User", user))))
                .statusCode())
        .isEqualTo(201);
  }

  private void unbind(String namespace, String name) {
    assertThat(
            administrator
                .delete(RBAC + "/namespaces/" + namespace + "/rolebindings/" + name)
                .statusCode())
        .isEqualTo(200);
  }
}
