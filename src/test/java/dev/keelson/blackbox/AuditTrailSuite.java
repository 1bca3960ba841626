package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WatchLines;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with a trail: what is recorded, and how it is searched. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(300)
abstract class AuditTrailSuite {

  private static final String EVENTS = "/apis/audit.keelson.dev/v1/auditevents";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  private static final String POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      omitStages: [RequestReceived]
      rules:
      - level: RequestResponse
        resources: [{group: "", resources: [configmaps]}]
      - level: Metadata
      """;

  private KeelsonProcess server;
  private RestClient admin;
  private Kubectl kubectl;

  /** The value of {@code --audit-trail}, whose database is new. */
  abstract String trail(Path directory);

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path policy = Files.writeString(directory.resolve("policy.yaml"), POLICY);
    Path tokens =
        Files.writeString(
            directory.resolve("tokens.csv"),
            "eve-token,eve,1\nbot-token,ci-bot,2,\"robots\"\n"
                + "root-token,root,3,\"system:masters\"\n");
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--authorization-mode=RBAC",
                "--token-auth-file=" + tokens,
                "--audit-policy-file=" + policy,
                "--audit-trail=" + trail(directory)));
    admin = RestClient.administrator(server);
    kubectl =
        new Kubectl(server.kubeconfigFile(), Files.createDirectory(directory.resolve("home")));
    allow("bot", "ci-bot", "", "configmaps", "create", "delete");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** Allows verbs on a resource in the namespace default. */
  private void allow(String name, String user, String group, String resource, String... verbs) {
    String rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/";
    Map<String, Object> rule =
        Map.of(
            "apiGroups", List.of(group), "resources", List.of(resource), "verbs", List.of(verbs));
    Response role =
        admin.post(
            rbac + "roles", Map.of("metadata", Map.of("name", name), "rules", List.of(rule)));
    assertThat(role.statusCode()).isEqualTo(201);
    Response binding =
        admin.post(
            rbac + "rolebindings",
            Map.of(
                "metadata", Map.of("name", name),
                "roleRef",
                    Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "Role", "name", name),
                "subjects",
                    List.of(
                        Map.of(
                            "apiGroup",
                            "rbac.authorization.k8s.io",
                            "kind",
                            "User",
                            "name",
                            user))));
    assertThat(binding.statusCode()).isEqualTo(201);
  }

  private void create(String name) {
    Response made =
        admin.post(CONFIG_MAPS, Map.of("metadata", Map.of("name", name), "data", Map.of("a", "1")));
    assertThat(made.statusCode()).isEqualTo(201);
  }

  private List<Map<String, Object>> search(String query) {
    Response list = admin.get(EVENTS + "?" + query);
    assertThat(list.statusCode()).as(list.asString()).isEqualTo(200);
    return list.path("items");
  }

  @Test
  void kubectlGet_printsWhoDidWhat() {
    Response made =
        RestClient.nobody(server)
            .json(Map.of("metadata", Map.of("name", "by-bot")))
            .header("Authorization", "Bearer bot-token")
            .post(CONFIG_MAPS);
    Response gone =
        RestClient.nobody(server)
            .request()
            .header("Authorization", "Bearer bot-token")
            .delete(CONFIG_MAPS + "/by-bot");
    assertThat(List.of(made.statusCode(), gone.statusCode())).containsExactly(201, 200);

    assertEventually(
        () ->
            assertThat(
                    kubectl.run("get", "auditevents", "--field-selector=user=ci-bot,verb=delete"))
                .containsPattern("TIME +USER +VERB +RESOURCE +OBJECT +CODE +SOURCE")
                .containsPattern("Z +ci-bot +delete +configmaps +by-bot +200 +127.0.0.1"));
    assertThat(kubectl.run("get", "aev", "-A", "-o", "wide", "-l", "user=ci-bot,verb in (create)"))
        .containsPattern("NAMESPACE +TIME")
        .containsPattern("default +2.*create +configmaps +by-bot +201")
        .contains("ResponseComplete");
    assertThat(kubectl.run("explain", "auditevents.requestURI")).contains("The path and query");
  }

  @Test
  void questionsOfTheDocumentation_areAnsweredByTheirCommands() throws IOException {
    List<String[]> questions = questions();
    assertThat(questions).hasSize(5);
    String unusedOutput = kubectl.run("create", "namespace", "shop");
    unusedOutput = kubectl.run("create", "deployment", "web", "-n", "shop", "--image=nginx");
    unusedOutput = kubectl.run("set", "image", "deployment/web", "-n", "shop", "nginx=nginx:2");
    unusedOutput = kubectl.run("create", "configmap", "old", "-n", "shop");
    unusedOutput = kubectl.run("delete", "configmap", "old", "-n", "shop");
    unusedOutput = kubectl.run("get", "secrets", "-n", "shop");
    Response made =
        RestClient.nobody(server)
            .json(Map.of("metadata", Map.of("name", "by-pipeline")))
            .header("Authorization", "Bearer bot-token")
            .post(CONFIG_MAPS);
    assertThat(made.statusCode()).isEqualTo(201);
    assertThat(asEve("/api/v1/namespaces/shop/secrets/key")).isEqualTo(403);

    String user = "[^ ]+ +";
    List<String> answers =
        List.of(
            user + "delete +configmaps +old +200",
            "default +.* ci-bot +create +configmaps +by-pipeline +201",
            "shop +.* eve +get +secrets +key +403",
            "shop +.* " + user + "list +secrets +",
            "verb: patch(?s:.*)verb: create");
    assertEventually(
        () -> {
          for (int i = 0; i < answers.size(); i++) {
            String answer = kubectl.run(questions.get(i));
            assertThat(answer)
                .as(String.join(" ", questions.get(i)))
                .containsPattern(answers.get(i));
          }
        });
  }

  /** The arguments of the five commands in docs/audit.md, of today where they name a day. */
  private static List<String[]> questions() throws IOException {
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    return Files.readString(Path.of("docs", "audit.md"))
        .lines()
        .dropWhile(line -> !line.equals("Five questions:"))
        .skip(1)
        .takeWhile(line -> line.isEmpty() || line.startsWith("    "))
        .filter(line -> line.startsWith("    kubectl "))
        .map(line -> line.replaceFirst("since=\\d{4}-\\d\\d-\\d\\d", "since=" + today))
        .map(line -> line.replaceFirst("until=\\d{4}-\\d\\d-\\d\\d", "until=" + today.plusDays(1)))
        .map(AuditTrailSuite::arguments)
        .toList();
  }

  /** What a shell makes of a line, without its first word. */
  private static String[] arguments(String line) {
    return Pattern.compile("'[^']*'|[^ ']+")
        .matcher(line.strip())
        .results()
        .skip(1)
        .map(word -> word.group().replace("'", ""))
        .toArray(String[]::new);
  }

  @Test
  void objectParameter_showsTheLifeOfAnObject() {
    create("lived");
    Response patched =
        admin
            .request()
            .contentType("application/merge-patch+json")
            .body("{\"data\":{\"a\":\"2\",\"b\":\"3\"}}")
            .patch(CONFIG_MAPS + "/lived");
    assertThat(patched.statusCode()).isEqualTo(200);
    assertThat(admin.delete(CONFIG_MAPS + "/lived").statusCode()).isEqualTo(200);

    assertEventually(
        () -> {
          Response life = admin.get(EVENTS + "?object=v1/configmaps/default/lived");
          assertThat(life.<List<String>>path("items.verb"))
              .containsExactly("delete", "patch", "create");
          assertThat(life.<List<Map<String, Object>>>path("items[1].changes"))
              .containsExactly(
                  Map.of("path", ".data.a", "before", "1", "after", "2"),
                  Map.of("path", ".data.b", "after", "3"));
        });
    assertThat(
            kubectl.run(
                "get",
                "aev",
                "--field-selector=object=v1/configmaps/default/lived",
                "-o",
                "jsonpath={.items[1].changes[0].path}"))
        .isEqualTo(".data.a");
  }

  @Test
  void list_inChunks_hasEveryEventOnce() {
    for (int i = 0; i < 5; i++) {
      create("chunk-" + i);
    }
    List<String> names = new ArrayList<>();
    assertEventually(
        () ->
            assertThat(search("fieldSelector=resource=configmaps,verb=create").toString())
                .contains("name=chunk-0", "name=chunk-4"));

    String token = "";
    do {
      Response page =
          admin.get(
              EVENTS + "?limit=2&fieldSelector=resource=configmaps,verb=create&continue=" + token);
      names.addAll(page.<List<String>>path("items.objectRef.name"));
      String next = page.path("metadata.continue");
      token = next == null ? "" : next;
    } while (!token.isEmpty());

    assertThat(names).doesNotHaveDuplicates().contains("chunk-0", "chunk-4");
    assertThat(names.indexOf("chunk-4")).isLessThan(names.indexOf("chunk-0"));
  }

  @Test
  void watch_followsNewEvents() {
    String version = admin.get(EVENTS + "?limit=1").path("metadata.resourceVersion");
    String path =
        EVENTS
            + "?watch=true&fieldSelector=resource=configmaps,name=followed&resourceVersion="
            + version;
    try (WatchLines watch = WatchLines.open(server, "root-token", path)) {
      create("followed");

      assertThat(watch.next()).contains("\"type\":\"ADDED\"", "\"verb\":\"create\"", "followed");
    }
  }

  @Test
  void audit_isARightOfItsOwn_inEachNamespace() {
    allow("all", "eve", "*", "*", "get");
    String inDefault = "/apis/audit.keelson.dev/v1/namespaces/default/auditevents";
    assertThat(asEve(inDefault)).isEqualTo(403);
    allow("auditor", "eve", "audit.keelson.dev", "auditevents", "list");
    assertEventually(() -> assertThat(asEve(inDefault)).isEqualTo(200));
    assertThat(asEve(EVENTS)).isEqualTo(403);
    assertThat(asEve("/apis/audit.keelson.dev/v1/namespaces/kube-system/auditevents"))
        .isEqualTo(403);
  }

  private int asEve(String path) {
    return RestClient.nobody(server)
        .request()
        .header("Authorization", "Bearer eve-token")
        .get(path)
        .statusCode();
  }

  @Test
  void writes_areNotAllowed() {
    Response created = admin.post(EVENTS, Map.of("metadata", Map.of("name", "forged")));

    assertThat(created.statusCode()).isEqualTo(405);
  }

  @Test
  void killedServer_losesNoAnsweredWrite_ofModeBlocking(@TempDir Path directory) {
    List<String> flags =
        List.of("--audit-trail=" + trail(directory), "--audit-trail-mode=blocking");
    try (KeelsonProcess killed = KeelsonProcess.start(directory.resolve("data"), flags)) {
      List<String> answered = new ArrayList<>();
      for (int round = 0; round < 3; round++) {
        RestClient client = RestClient.administrator(killed);
        for (int i = 0; i < 20; i++) {
          String name = "r" + round + "-" + i;
          Response made = client.post(CONFIG_MAPS, Map.of("metadata", Map.of("name", name)));
          assertThat(made.statusCode()).isEqualTo(201);
          answered.add(name);
        }
        killed.kill();
        killed.start();
      }
      RestClient client = RestClient.administrator(killed);
      assertEventually(
          () ->
              assertThat(
                      client
                          .get(
                              EVENTS
                                  + "?fieldSelector=verb=create,resource=configmaps,"
                                  + "stage=ResponseComplete,namespace=default")
                          .<List<String>>path("items.objectRef.name"))
                  .containsAll(answered)
                  .doesNotHaveDuplicates());
    }
  }
}
