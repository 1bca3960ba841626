package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.schema.ResourceDefinition;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.MatrixTypes;
import dev.keelson.testing.RawConnection;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.SmallestObjects;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Responses to those who may not know what exists: for an object or a namespace that exists they
 * are those for one that does not, to the byte. Times are not compared.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(300)
class HiddenNamesIT {

  private static final String UNKNOWN_PATH = "the server could not find the requested resource";

  /** The namespace that exists, and the name of one object of each resource in it. */
  private static final String KNOWN = "known";

  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/";

  /** The media types of patches. */
  private static final List<String> PATCHES =
      List.of(
          "application/merge-patch+json",
          "application/json-patch+json",
          "application/strategic-merge-patch+json",
          "application/apply-patch+yaml");

  /** Headers that differ from response to response. */
  private static final Set<String> OF_ONE_RESPONSE = Set.of("date", "audit-id");

  private final Map<String, String> names = new HashMap<>();
  private final List<Resource> resources = new ArrayList<>();
  private KeelsonProcess server;
  private RestClient administrator;
  private HttpClient http;

  /** A resource or a subresource as discovery shows it. */
  private record Resource(String root, String plural, String subresource, boolean namespaced) {

    String collection(String namespace) {
      return root + (namespaced ? "/namespaces/" + namespace : "") + "/" + plural;
    }

    String item(String namespace, String name) {
      return collection(namespace) + "/" + name + (subresource.isEmpty() ? "" : "/" + subresource);
    }
  }

  private record Probe(String method, String type, String path) {}

  private record Answer(int status, Map<String, List<String>> headers, String body) {

    Answer with(String name, String instead) {
      return new Answer(status, headers, body.replace(name, instead));
    }
  }

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    Path tokens =
        Files.writeString(
            directory.resolve("tokens.csv"),
            "of-nobody,nobody,1\n"
                + "of-neighbour,neighbour,2\n"
                + "of-creator,creator,3\n"
                + "of-keeper,keeper,5\n"
                + "of-node,system:node:alone,4,system:nodes\n");
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--authorization-mode=Node,RBAC",
                "--enable-bootstrap-token-auth",
                "--enable-admission-plugins=NodeRestriction,OwnerReferencesPermissionEnforcement",
                "--token-auth-file=" + tokens));
    administrator = RestClient.administrator(server);
    http = HttpClient.newBuilder().sslContext(server.kubeconfig().asNobody()).build();
    create("/api/v1/namespaces", Map.of("metadata", Map.of("name", KNOWN)));
    create("/api/v1/namespaces", Map.of("metadata", Map.of("name", "mine")));
    MatrixTypes.install(administrator);
    Stream.concat(SmallestObjects.resources().stream(), MatrixTypes.resources().stream())
        .forEach(this::createKnown);
    discover();
    bind();
  }

  @AfterAll
  void stop() {
    http.shutdownNow();
    server.close();
  }

  private void create(String collection, Object object) {
    Response answer = administrator.post(collection, object);
    assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(201);
  }

  private void createKnown(ResourceDefinition definition) {
    String group = definition.gvr().group();
    Resource resource =
        new Resource(
            (group.isEmpty() ? "/api/" : "/apis/" + group + "/") + definition.gvr().version(),
            definition.gvr().resource(),
            "",
            definition.namespaced());
    Map<String, Object> object = SmallestObjects.of(definition, KNOWN, KNOWN, 7);
    Response answer = administrator.post(resource.collection(KNOWN), object);
    // another version of the resource has it
    assertThat(answer.statusCode()).as(answer.asString()).isIn(201, 409);
    names.put(definition.gvr().resource(), String.valueOf(RestSuite.metadata(object).get("name")));
  }

  private void discover() {
    List<String> roots = new ArrayList<>(List.of("/api/v1"));
    administrator
        .get("/apis")
        .jsonPath()
        .getList("groups.versions.groupVersion.flatten()", String.class)
        .forEach(each -> roots.add("/apis/" + each));
    for (String root : roots) {
      Response list = administrator.get(root);
      // an APIService whose server is not there has none
      if (list.statusCode() == 200) {
        for (Map<String, Object> each : list.jsonPath().<Map<String, Object>>getList("resources")) {
          resources.add(resource(root, each));
        }
      }
    }
    assertThat(resources).hasSizeGreaterThan(120);
  }

  private static Resource resource(String root, Map<String, Object> shown) {
    String name = String.valueOf(shown.get("name"));
    int slash = name.indexOf('/');
    return new Resource(
        root,
        slash < 0 ? name : name.substring(0, slash),
        slash < 0 ? "" : name.substring(slash + 1),
        Boolean.TRUE.equals(shown.get("namespaced")));
  }

  private void bind() {
    create(
        RBAC + "/clusterroles",
        Map.of(
            "metadata",
            Map.of("name", "creator"),
            "rules",
            List.of(
                Map.of(
                    "verbs",
                    List.of("create"),
                    "apiGroups",
                    List.of("*"),
                    "resources",
                    resources.stream().map(Resource::plural).distinct().toList()))));
    create(RBAC + "/clusterrolebindings", binding("creator", "creator"));
    create(
        RBAC + "/clusterroles",
        Map.of(
            "metadata",
            Map.of("name", "keeper"),
            "rules",
            List.of(
                Map.of(
                    "verbs",
                    List.of("create", "delete"),
                    "apiGroups",
                    List.of(""),
                    "resources",
                    List.of("configmaps")))));
    create(RBAC + "/clusterrolebindings", binding("keeper", "keeper"));
    create(RBAC + "/namespaces/mine/rolebindings", binding("neighbour", "cluster-admin"));
  }

  private static Map<String, Object> binding(String user, String role) {
    return Map.of(
        "metadata",
        Map.of("name", "of-" + user),
        "roleRef",
        Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "ClusterRole", "name", role),
        "subjects",
        List.of(Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "User", "name", user)));
  }

  private Answer ask(String token, Probe probe, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.address().resolve(probe.path))
            .timeout(Duration.ofMinutes(1))
            .method(
                probe.method,
                probe.type.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (!probe.type.isEmpty()) {
      request.header("Content-Type", probe.type);
    }
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try {
      HttpResponse<String> response =
          http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
      headers.keySet().removeAll(OF_ONE_RESPONSE);
      return new Answer(response.statusCode(), headers, response.body());
    } catch (IOException e) {
      throw new AssertionError(probe.toString(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private Answer ask(String token, Probe probe) {
    return ask(token, probe, "{}");
  }

  /** A name of the same length that no object has. */
  private static String missing(String name) {
    return name.substring(0, name.length() - 1) + (name.endsWith("q") ? "z" : "q");
  }

  private static List<Probe> reads(String path) {
    String watch = path + "?watch=1&timeoutSeconds=1";
    return List.of(
        new Probe("GET", "", path),
        new Probe("GET", "", watch),
        new Probe("GET", "", path + "?limit=1&labelSelector=a%20in"),
        new Probe("GET", "", path + "?resourceVersion=x"),
        new Probe("HEAD", "", path));
  }

  private static List<Probe> writes(String path) {
    List<Probe> probes = new ArrayList<>();
    PATCHES.forEach(type -> probes.add(new Probe("PATCH", type, path + "?fieldManager=a")));
    probes.add(new Probe("PUT", "application/json", path));
    probes.add(new Probe("PUT", "application/json", path + "?dryRun=All"));
    probes.add(new Probe("DELETE", "", path));
    probes.add(new Probe("DELETE", "application/json", path + "?dryRun=some"));
    return probes;
  }

  /** The requests for one place. */
  private List<Probe> all(Resource resource, String namespace, String name) {
    List<Probe> probes = new ArrayList<>();
    String item = resource.item(namespace, name);
    probes.addAll(reads(item));
    probes.addAll(writes(item));
    probes.add(new Probe("POST", "application/json", item));
    if (resource.subresource.isEmpty()) {
      if (resource.namespaced) {
        probes.addAll(reads(resource.collection(namespace)));
        probes.addAll(writes(resource.collection(namespace)));
      }
      String old = resource.root + "/watch" + item.substring(resource.root.length());
      probes.add(new Probe("GET", "", old + "?timeoutSeconds=1"));
    }
    return probes;
  }

  private List<Probe> ofNobody(Resource resource, String namespace, String name) {
    List<Probe> probes = all(resource, namespace, name);
    if (resource.subresource.isEmpty()) {
      probes.add(new Probe("POST", "application/json", resource.collection(namespace)));
    }
    return probes;
  }

  private interface Requests {
    List<Probe> of(Resource resource, String namespace, String name);
  }

  /** Compares the responses for what exists with those for what does not; returns the former. */
  private List<Answer> compare(String token, Requests requests) {
    List<Answer> answers = new ArrayList<>();
    List<String> different = new ArrayList<>();
    for (Resource resource : resources) {
      String name = names.get(resource.plural);
      if (name == null) {
        name = KNOWN;
      }
      List<Probe> existing = requests.of(resource, KNOWN, name);
      List<List<Probe>> others = new ArrayList<>();
      others.add(requests.of(resource, KNOWN, missing(name)));
      if (resource.namespaced) {
        others.add(requests.of(resource, missing(KNOWN), name));
        others.add(requests.of(resource, missing(KNOWN), missing(name)));
      }
      for (int i = 0; i < existing.size(); i++) {
        Answer shown = ask(token, existing.get(i));
        answers.add(shown);
        for (List<Probe> other : others) {
          Answer hidden =
              ask(token, other.get(i)).with(missing(name), name).with(missing(KNOWN), KNOWN);
          if (!hidden.equals(shown)) {
            different.add(
                existing.get(i) + "\n  " + shown + "\n  " + other.get(i) + "\n  " + hidden);
          }
        }
      }
    }
    assertThat(different.stream().limit(5)).as("responses that differ").isEmpty();
    return answers;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "of-nobody", "of-neighbour"})
  void userWithoutRights_cannotTellWhatExists(String token) {
    List<Answer> answers = compare(token, this::ofNobody);

    assertThat(answers).hasSizeGreaterThan(2_000);
    // all but those for the namespaces that are visible to the caller, and of HEAD
    assertThat(answers.stream().filter(each -> each.status() != 403).count())
        .isLessThan(answers.size() / 10);
  }

  @Test
  void userWhoMayOnlyCreate_learnsNoMoreFromOtherVerbs() {
    List<Answer> answers = compare("of-creator", this::all);

    assertThat(answers).hasSizeGreaterThan(2_000);
    assertThat(answers.stream().map(Answer::status).distinct()).doesNotContain(409);
    // what is visible to the caller is never forbidden; reviews have no paths of objects at all
    assertThat(answers.stream().filter(each -> each.status() == 404))
        .allMatch(
            each ->
                each.body().contains("visiblenamespaces")
                    || each.body().contains("\"message\":\"" + UNKNOWN_PATH + "\""));
  }

  @Test
  void userWhoMayOnlyCreate_learnsWhatExistsByCreatingIt() {
    Probe maps = new Probe("POST", "application/json", "/api/v1/namespaces/known/configmaps");

    assertThat(ask("of-creator", maps, named(KNOWN)).status()).isEqualTo(409);
    assertThat(ask("of-creator", maps, named("other")).status()).isEqualTo(201);
    assertThat(ask("of-nobody", maps, named(KNOWN)))
        .isEqualTo(ask("of-nobody", maps, named("knowq")));
  }

  private static String named(String name) {
    return "{\"metadata\":{\"name\":\"" + name + "\"}}";
  }

  @ParameterizedTest
  @CsvSource({"v1, Secret, secrets", "v1, Node, nodes", "apps/v1, Deployment, deployments"})
  void ownerThatMayNotBeHeld_needNotExist(String version, String kind, String plural) {
    Probe maps = new Probe("POST", "application/json", "/api/v1/namespaces/known/configmaps");
    String path =
        (version.equals("v1") ? "/api/v1" : "/apis/" + version)
            + (plural.equals("nodes") ? "/" : "/namespaces/known/")
            + plural
            + "/known";
    String uid = administrator.get(path).jsonPath().getString("metadata.uid");

    Answer known = ask("of-keeper", maps, owned(version, kind, KNOWN, uid));

    assertThat(known.status()).isEqualTo(403);
    assertThat(known.body()).contains("cannot set blockOwnerDeletion");
    assertThat(
            ask(
                "of-keeper",
                maps,
                owned(version, kind, missing(KNOWN), UUID.randomUUID().toString())))
        .isEqualTo(known);
  }

  private static String owned(String version, String kind, String name, String uid) {
    return "{\"metadata\":{\"name\":\"owned\",\"ownerReferences\":[{\"apiVersion\":\""
        + version
        + "\",\"kind\":\""
        + kind
        + "\",\"name\":\""
        + name
        + "\",\"uid\":\""
        + uid
        + "\",\"blockOwnerDeletion\":true}]}}";
  }

  @Test
  void reviews_sayTheSameOfEveryNamespace() {
    for (String token : List.of("of-nobody", "of-neighbour", "of-creator")) {
      assertSame(
          token,
          "selfsubjectrulesreviews",
          "{\"spec\":{\"namespace\":\"known\"}}",
          "{\"spec\":{\"namespace\":\"knowq\"}}");
      assertSame(
          token,
          "selfsubjectaccessreviews",
          "{\"spec\":{\"resourceAttributes\":{\"namespace\":\"known\",\"verb\":\"get\","
              + "\"resource\":\"secrets\",\"name\":\"known\"}}}",
          "{\"spec\":{\"resourceAttributes\":{\"namespace\":\"knowq\",\"verb\":\"get\","
              + "\"resource\":\"secrets\",\"name\":\"knowq\"}}}");
    }
  }

  private void assertSame(String token, String review, String known, String hidden) {
    Probe probe = new Probe("POST", "application/json", REVIEWS + review);
    Answer shown = ask(token, probe, known);

    assertThat(shown.status()).isEqualTo(201);
    assertThat(ask(token, probe, hidden).with(missing(KNOWN), KNOWN)).isEqualTo(shown);
  }

  @Test
  void tokens_areRefusedWithoutAReason() {
    create(
        "/api/v1/namespaces/kube-system/secrets",
        Map.of(
            "metadata",
            Map.of("name", "bootstrap-token-abcdef"),
            "type",
            "bootstrap.kubernetes.io/token",
            "stringData",
            Map.of(
                "token-id",
                "abcdef",
                "token-secret",
                "0123456789abcdef",
                "usage-bootstrap-authentication",
                "true")));
    Probe probe = new Probe("GET", "", "/api/v1/namespaces/known");
    Answer refused = ask("nonsense", probe);

    assertThat(refused.status()).isEqualTo(401);
    assertThat(ask("abcdef.0123456789abcdee", probe)).isEqualTo(refused);
    assertThat(ask("abcdeg.0123456789abcdee", probe)).isEqualTo(refused);
    assertThat(ask(unsigned("known"), probe)).isEqualTo(refused);
    assertThat(ask(unsigned("knowq"), probe)).isEqualTo(refused);
  }

  private static String unsigned(String account) {
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String claims =
        "{\"iss\":\"https://kubernetes.default.svc.cluster.local\",\"sub\":"
            + "\"system:serviceaccount:known:"
            + account
            + "\",\"aud\":[\"https://kubernetes.default.svc.cluster.local\"],\"exp\":4102444800}";
    return base64.encodeToString("{\"alg\":\"RS256\"}".getBytes(StandardCharsets.UTF_8))
        + "."
        + base64.encodeToString(claims.getBytes(StandardCharsets.UTF_8))
        + ".AAAA";
  }

  /** What its pods do not refer to, a node may not read, whether it exists or not. */
  @Test
  void node_cannotTellWhatOthersUse() {
    List<String> different = new ArrayList<>();
    int refused = 0;
    for (Resource resource : resources) {
      String name = names.getOrDefault(resource.plural, KNOWN);
      Probe probe = new Probe("GET", "", resource.item(KNOWN, name));
      Answer shown = ask("of-node", probe);
      for (String namespace : List.of(KNOWN, missing(KNOWN))) {
        Probe other = new Probe("GET", "", resource.item(namespace, missing(name)));
        Answer hidden = ask("of-node", other).with(missing(name), name).with(missing(KNOWN), KNOWN);
        if (shown.status() == 403 || hidden.status() == 403) {
          refused++;
          if (!shown.equals(hidden)) {
            different.add(probe + "\n  " + shown + "\n  " + hidden);
          }
        }
      }
    }

    assertThat(different).isEmpty();
    assertThat(refused).isGreaterThan(100);
    for (String plural : List.of("secrets", "configmaps", "persistentvolumeclaims")) {
      assertThat(
              ask("of-node", new Probe("GET", "", "/api/v1/namespaces/known/" + plural + "/known")))
          .extracting(Answer::status)
          .isEqualTo(403);
    }
  }

  @Test
  void refusedUser_isNotAskedForTheBody() throws Exception {
    try (RawConnection connection =
        RawConnection.tls(server.address(), server.kubeconfig().asNobody(), "http/1.1")) {
      RawConnection.Response answer =
          connection.ask(
              "",
              "POST /api/v1/namespaces/known/configmaps HTTP/1.1",
              "Host: localhost",
              "Authorization: Bearer of-nobody",
              "Content-Type: application/json",
              "Expect: 100-continue",
              "Content-Length: 2");

      assertThat(answer.status()).isEqualTo(403);
      assertThat(connection.in().read()).isEqualTo(-1);
    }
  }
}
