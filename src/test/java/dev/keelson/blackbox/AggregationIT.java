package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestAuthority.Period;
import dev.keelson.testing.TestIdentity;
import dev.keelson.testing.WatchLines;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A second server behind a first one: it serves a group by a CustomResourceDefinition that the
 * first does not have, trusts the first as front proxy, and asks it what users may do.
 */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(240)
class AggregationIT {

  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: widgets.shop.example.com}
      spec:
        group: shop.example.com
        scope: Namespaced
        names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  description: What the widget is to be.
                  properties:
                    size: {type: integer, minimum: 1, description: Its size in inches.}
      """;

  private static final String WIDGETS = "/apis/shop.example.com/v1/namespaces/default/widgets";

  private static final String API_SERVICE =
      "/apis/apiregistration.k8s.io/v1/apiservices/v1.shop.example.com";

  private final TestAuthority proxies = TestAuthority.root("proxies", Period.now());
  private KeelsonProcess first;
  private KeelsonProcess second;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path proxyFile = Files.writeString(directory.resolve("proxies.pem"), proxies.pem());
    TestIdentity front = proxies.identity("CN=front");
    Path certificate = Files.writeString(directory.resolve("front.pem"), front.certificatePem());
    Path key = Files.writeString(directory.resolve("front.key"), front.keyPem());
    Path tokens =
        Files.writeString(directory.resolve("tokens.csv"), "of-ann,ann,7,\"dev\"\nof-ben,ben,8\n");
    first =
        KeelsonProcess.start(
            directory.resolve("first"),
            List.of(
                "--authorization-mode=RBAC",
                "--token-auth-file=" + tokens,
                "--requestheader-client-ca-file=" + proxyFile,
                "--requestheader-allowed-names=front",
                "--proxy-client-cert-file=" + certificate,
                "--proxy-client-key-file=" + key));
    kubectl = new Kubectl(first.kubeconfigFile(), Files.createDirectory(directory.resolve("home")));
    second =
        KeelsonProcess.start(
            directory.resolve("second"),
            List.of(
                "--requestheader-client-ca-file=" + proxyFile,
                "--requestheader-username-headers=X-Remote-User",
                "--requestheader-group-headers=X-Remote-Group",
                "--requestheader-extra-headers-prefix=X-Remote-Extra-",
                "--authentication-kubeconfig=" + first.kubeconfigFile(),
                "--authorization-kubeconfig=" + first.kubeconfigFile()));
    Kubectl behind =
        new Kubectl(
            second.kubeconfigFile(), Files.createDirectory(directory.resolve("second-home")));
    assertThat(behind.runWithInput(DEFINITION, "apply", "-f", "-")).contains("created");
    behind.awaitEstablished("widgets.shop.example.com");
    assertThat(kubectl.runWithInput(registration(second.address().getPort()), "apply", "-f", "-"))
        .contains("apiservice.apiregistration.k8s.io/v1.shop.example.com created");
    assertThat(
            kubectl.run(
                "wait",
                "--for=condition=available",
                "--timeout=60s",
                "apiservice/v1.shop.example.com"))
        .contains("condition met");
    assertEventually(
        () ->
            assertThat(kubectl.run("api-resources", "--api-group=shop.example.com"))
                .contains("widgets"));
  }

  @AfterAll
  void stop() {
    second.close();
    first.close();
  }

  private static String widget(String name, int size) {
    return """
    {"apiVersion":"shop.example.com/v1","kind":"Widget",
     "metadata":{"name":"%s"},"spec":{"size":%d}}
    """
        .formatted(name, size);
  }

  @Test
  @Order(1)
  void apiServices_areListedWithTheirServers() {
    String table = kubectl.run("get", "apiservices");

    assertThat(table).containsPattern("v1\\.apps +Local +True ");
    assertThat(table).containsPattern("v1\\.shop\\.example\\.com +default/shop +True ");
    assertThat(table).doesNotContain("apiregistration");
  }

  @Test
  @Order(2)
  void objects_ofTheSecond_areManagedThroughTheFirst() {
    assertThat(kubectl.runWithInput(widget("a", 1), "apply", "-f", "-"))
        .contains("widget.shop.example.com/a created");
    assertThat(kubectl.runWithInput(widget("a", 2), "apply", "-f", "-")).contains("configured");
    assertThat(
            kubectl.runWithInput(
                widget("a", 3), "apply", "--server-side", "--force-conflicts", "-f", "-"))
        .contains("serverside-applied");
    assertThat(kubectl.run("get", "widgets", "a", "-o", "jsonpath={.spec.size}")).isEqualTo("3");
    assertThat(kubectl.run("patch", "widget", "a", "--type=merge", "-p", "{\"spec\":{\"size\":4}}"))
        .contains("patched");
    assertThat(kubectl.run("get", "widgets")).contains("NAME").contains("a ");

    Kubectl.Result invalid = kubectl.attempt(widget("b", 0), "create", "-f", "-");
    assertThat(invalid.exitCode()).isNotZero();
    assertThat(invalid.err()).contains("spec.size");

    assertThat(RestClient.administrator(second).get(WIDGETS + "/a").statusCode()).isEqualTo(200);
    assertThat(kubectl.run("delete", "widget", "a")).contains("deleted");
    assertThat(RestClient.administrator(first).get(WIDGETS + "/a").statusCode()).isEqualTo(404);
  }

  @Test
  @Order(3)
  void discovery_hasTheGroupOfTheSecond() {
    RestClient rest = RestClient.administrator(first);

    assertThat(rest.get("/apis/shop.example.com").path("preferredVersion.version").toString())
        .isEqualTo("v1");
    assertThat(rest.get("/apis/shop.example.com/v1").path("resources.name").toString())
        .contains("widgets");
    assertEventually(
        () ->
            assertThat(kubectl.run("api-resources", "--api-group=shop.example.com"))
                .contains("widgets"));
  }

  @Test
  @Order(4)
  void users_areThoseOfTheFirst() {
    Response refused =
        RestClient.nobody(first).request().header("Authorization", "Bearer of-ann").get(WIDGETS);
    assertThat(refused.statusCode()).isEqualTo(403);

    assertThat(
            kubectl.run(
                "create",
                "clusterrole",
                "widgets",
                "--verb=get,list",
                "--resource=widgets.shop.example.com"))
        .contains("created");
    assertThat(
            kubectl.run(
                "create", "clusterrolebinding", "widgets", "--clusterrole=widgets", "--user=ann"))
        .contains("created");
    assertEventually(
        () ->
            assertThat(
                    RestClient.nobody(first)
                        .request()
                        .header("Authorization", "Bearer of-ann")
                        .get(WIDGETS)
                        .statusCode())
                .isEqualTo(200));
    // what the client says of itself is not passed on
    assertThat(
            RestClient.nobody(first)
                .request()
                .header("Authorization", "Bearer of-ben")
                .header("X-Remote-User", "admin")
                .header("X-Remote-Group", "system:masters")
                .get(WIDGETS)
                .statusCode())
        .isEqualTo(403);
  }

  @Test
  @Order(5)
  void watches_passAsTheyCome() {
    try (WatchLines watch = WatchLines.open(first, "of-ann", WIDGETS + "?watch=1")) {
      assertThat(watch.statusCode()).isEqualTo(403);
    }
    assertThat(
            kubectl.run(
                "create",
                "clusterrole",
                "watches",
                "--verb=watch",
                "--resource=widgets.shop.example.com"))
        .contains("created");
    assertThat(
            kubectl.run(
                "create", "clusterrolebinding", "watches", "--clusterrole=watches", "--user=ann"))
        .contains("created");
    assertEventually(
        () -> {
          try (WatchLines watch = WatchLines.open(first, "of-ann", WIDGETS + "?watch=1")) {
            assertThat(watch.statusCode()).isEqualTo(200);
            assertThat(kubectl.runWithInput(widget("w", 1), "apply", "-f", "-")).contains("widget");
            assertThat(watch.next()).contains("ADDED").contains("\"w\"");
            assertThat(kubectl.runWithInput(widget("w", 9), "apply", "-f", "-")).contains("widget");
            assertThat(watch.next()).contains("MODIFIED").contains("\"size\":9");
          } finally {
            assertThat(kubectl.run("delete", "widget", "w")).contains("deleted");
          }
        });
  }

  /** Gets a path of the first server, without following redirects. */
  private HttpResponse<String> plain(String path, String known)
      throws IOException, InterruptedException {
    try (HttpClient client =
        HttpClient.newBuilder().sslContext(first.kubeconfig().asUser()).build()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(first.address() + path))
              .header("If-None-Match", known)
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  @Order(6)
  void openApi_describesTheTypesOfTheSecond() throws IOException, InterruptedException {
    RestClient rest = RestClient.administrator(first);
    String name = "apis/shop.example.com/v1";
    assertEventually(
        () -> {
          assertThat(rest.get("/openapi/v3").path("paths").toString()).contains(name);
          assertThat(rest.get("/openapi/v2").path("paths").toString()).contains("/" + name + "/");
        });

    Map<String, String> entry = rest.get("/openapi/v3").path("paths.'" + name + "'");
    String url = String.valueOf(entry.get("serverRelativeURL"));
    assertThat(url).startsWith("/openapi/v3/" + name + "?hash=");
    Response document = rest.get(url);
    assertThat(document.statusCode()).isEqualTo(200);
    assertThat(document.path("components.schemas").toString()).contains("Its size in inches.");
    assertThat(plain("/openapi/v3/" + name, document.header("ETag")).statusCode()).isEqualTo(304);
    HttpResponse<String> older = plain("/openapi/v3/" + name + "?hash=older", "none");
    assertThat(older.statusCode()).isEqualTo(301);
    assertThat(older.headers().firstValue("Location")).hasValue(url);
    Map<String, Object> swagger = rest.get("/openapi/v2").path("definitions");
    assertThat(swagger.keySet())
        .contains("com.example.shop.v1.Widget", "io.k8s.api.core.v1.Pod")
        .noneMatch(definition -> definition.endsWith("_v2"));
  }

  @Test
  @Order(7)
  void kubectl_explainsAndValidatesTheTypesOfTheSecond() {
    assertThat(kubectl.run("explain", "widgets.spec"))
        .contains("What the widget is to be.")
        .contains("Its size in inches.");
    assertThat(kubectl.run("explain", "widgets", "--recursive")).contains("size");
    assertThat(kubectl.run("explain", "widgets.spec.size", "--output=plaintext-openapiv2"))
        .contains("Its size in inches.");
    String unknown = widget("u", 1).replace("\"size\"", "\"colour\":\"red\",\"size\"");
    Kubectl.Result strict = kubectl.attempt(unknown, "apply", "-f", "-");
    assertThat(strict.exitCode()).isNotZero();
    assertThat(strict.err()).contains("unknown field \"spec.colour\"");
    assertThat(kubectl.runWithInput(unknown, "apply", "--validate=false", "-f", "-"))
        .contains("created");
    assertThat(kubectl.runWithInput(widget("u", 2), "apply", "--dry-run=server", "-f", "-"))
        .contains("configured (server dry run)");
    Kubectl.Result diff = kubectl.attempt(widget("u", 2), "diff", "-f", "-");
    assertThat(diff.exitCode()).as(diff.err()).isEqualTo(1);
    assertThat(diff.out()).contains("+  size: 2");
    assertThat(kubectl.run("delete", "widget", "u")).contains("deleted");
  }

  @Test
  @Order(8)
  void watch_goesOnWhereItWas_whenTheSecondComesBackElsewhere() {
    RestClient rest = RestClient.administrator(first);
    assertThat(kubectl.runWithInput(widget("r", 1), "apply", "-f", "-")).contains("created");
    String version = rest.get(WIDGETS).path("metadata.resourceVersion");
    assertThat(kubectl.runWithInput(widget("r", 2), "apply", "-f", "-")).contains("configured");
    String path = WIDGETS + "?watch=1&resourceVersion=" + version;
    try (WatchLines watch = WatchLines.open(first, "of-ann", path)) {
      assertThat(watch.next()).contains("MODIFIED").contains("\"size\":2");
      second.kill();
      // the end of the stream, not an event
      assertThatThrownBy(watch::next).isInstanceOf(RuntimeException.class);
    }

    second.start();
    assertThat(kubectl.runWithInput(registration(second.address().getPort()), "apply", "-f", "-"))
        .contains("service/shop unchanged")
        .contains("v1.shop.example.com configured");
    assertEventually(() -> assertThat(rest.get(WIDGETS).statusCode()).isEqualTo(200));
    assertThat(kubectl.runWithInput(widget("r", 3), "apply", "-f", "-")).contains("configured");
    try (WatchLines watch = WatchLines.open(first, "of-ann", path)) {
      assertThat(watch.statusCode()).isEqualTo(200);
      assertThat(watch.next()).contains("MODIFIED").contains("\"size\":2");
      assertThat(watch.next()).contains("MODIFIED").contains("\"size\":3");
    }
    assertThat(kubectl.run("delete", "widget", "r")).contains("deleted");
  }

  @Test
  @Order(9)
  void apiServices_ofBuiltInGroups_areListedUntilTheyAreDeleted() {
    RestClient rest = RestClient.administrator(first);
    assertThat(kubectl.run("delete", "apiservice", "v1.node.k8s.io")).contains("deleted");
    assertEventually(
        () ->
            assertThat(rest.get("/apis").path("groups.name").toString())
                .doesNotContain("node.k8s.io"));

    assertThat(rest.get("/apis/node.k8s.io").statusCode()).isEqualTo(200);
    assertThat(rest.get("/apis/node.k8s.io/v1/runtimeclasses").statusCode()).isEqualTo(200);
    assertThat(kubectl.run("api-resources", "--api-group=node.k8s.io")).contains("runtimeclasses");
  }

  @Test
  @Order(10)
  void secondAway_answers503_andTheOthersGoOn() {
    second.kill();
    assertThat(RestClient.administrator(first).get(WIDGETS).statusCode()).isEqualTo(503);

    assertEventually(
        () ->
            assertThat(
                    RestClient.administrator(first)
                        .get(API_SERVICE)
                        .path("status.conditions[0].reason")
                        .toString())
                .isEqualTo("FailedDiscoveryCheck"));
    Response away = RestClient.administrator(first).get(WIDGETS);
    assertThat(away.statusCode()).isEqualTo(503);
    assertThat(away.path("kind").toString()).isEqualTo("Status");
    assertThat(away.path("message").toString()).isEqualTo("service unavailable");
    assertThat(RestClient.administrator(first).get("/metrics").asString())
        .containsPattern(
            "\napiserver_request_terminations_total\\{code=\"503\",component=\"aggregator\","
                + ".*verb=\"GET\",.*} [1-9]");
    assertThat(kubectl.run("get", "apiservices"))
        .containsPattern("default/shop +False \\(FailedDiscoveryCheck\\)");
    assertThat(kubectl.attempt("", "get", "namespaces").exitCode()).isZero();
    // what it said stays until its APIService goes
    assertThat(RestClient.administrator(first).get("/openapi/v3").asString())
        .contains("apis/shop.example.com/v1");
    assertThat(RestClient.administrator(first).get("/openapi/v2").asString())
        .contains("com.example.shop.v1.Widget");
    assertThat(kubectl.run("delete", "apiservice", "v1.shop.example.com")).contains("deleted");
    assertEventually(
        () -> {
          RestClient rest = RestClient.administrator(first);
          assertThat(rest.get(WIDGETS).statusCode()).isEqualTo(404);
          assertThat(rest.get("/openapi/v3").asString()).doesNotContain("shop.example.com");
          assertThat(rest.get("/openapi/v2").asString()).doesNotContain("shop.example.com");
        });
  }

  /** A Service outside of the cluster and the APIService that names it. */
  private static String registration(int port) {
    return """
    apiVersion: v1
    kind: Service
    metadata: {name: shop, namespace: default}
    spec: {type: ExternalName, externalName: localhost}
    ---
    apiVersion: apiregistration.k8s.io/v1
    kind: APIService
    metadata: {name: v1.shop.example.com}
    spec:
      group: shop.example.com
      version: v1
      groupPriorityMinimum: 1500
      versionPriority: 10
      insecureSkipTLSVerify: true
      service: {name: shop, namespace: default, port: %d}
    """
        .formatted(port);
  }
}
