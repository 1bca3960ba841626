package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Users who hold a little and reach for more, by every way that leads past the verb, the resource
 * or the name that they hold. Each test has a user and a namespace of its own.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class EscalationIT {

  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
  private static final String MERGE = "application/merge-patch+json";
  private static final int USERS = 60;

  private final AtomicInteger users = new AtomicInteger();
  private KeelsonProcess server;
  private RestClient administrator;
  private RestClient nobody;

  /** The user of a test, in a namespace of the same name. */
  private record Actor(String name) {
    String in(String resource) {
      return "/api/v1/namespaces/" + name + "/" + resource;
    }

    String rbac(String resource) {
      return RBAC + "/namespaces/" + name + "/" + resource;
    }
  }

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    StringBuilder tokens = new StringBuilder();
    for (int i = 0; i < USERS; i++) {
      tokens.append("t-u" + i + ",u" + i + "," + i + "\n");
    }
    Path file = Files.writeString(directory.resolve("tokens.csv"), tokens);
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of("--authorization-mode=RBAC", "--token-auth-file=" + file));
    administrator = RestClient.administrator(server);
    nobody = RestClient.nobody(server);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void deleteOfOne_isNotDeleteOfAll_norTheOtherWayRound() {
    Actor one = actor(rule("delete", "configmaps"));
    Actor all = actor(rule("deletecollection", "configmaps"));
    configMap(one, "a");
    configMap(all, "a");

    assertThat(delete(one, one.in("configmaps")))
        .isEqualTo(
            "configmaps is forbidden: User \""
                + one.name()
                + "\" cannot deletecollection resource \"configmaps\" in API group \"\" in the"
                + " namespace \""
                + one.name()
                + "\"");
    assertThat(delete(one, one.in("configmaps/"))).contains("cannot deletecollection");
    assertThat(delete(one, one.in("configmaps/a"))).isEqualTo("200");
    assertThat(delete(all, all.in("configmaps/a"))).contains("cannot delete resource");
    assertThat(delete(all, all.in("configmaps"))).isEqualTo("200");
  }

  @ParameterizedTest
  @CsvSource({
    "?watch=true, watch",
    "?watch=1, watch",
    "?watch, watch",
    "?watch=yes, watch",
    "?watch=false, 200",
    "?watch=0, 200",
    "?limit=1, 200"
  })
  void list_isNotWatch(String query, String expected) {
    Actor user = actor(rule("list", "configmaps"));

    assertOutcome(get(user, user.in("configmaps") + query), expected);
    String watchPath = "/api/v1/watch/namespaces/" + user.name() + "/configmaps";
    assertOutcome(get(user, watchPath + query), "watch");
    assertOutcome(get(user, watchPath + "/a"), "watch");
    assertOutcome(get(user, "/api/v1/configmaps"), "list");
  }

  @Test
  void watch_isNotList() {
    Actor user = actor(rule("watch", "configmaps"));

    assertOutcome(get(user, user.in("configmaps")), "list");
    assertOutcome(get(user, user.in("configmaps/a")), "get");
    assertOutcome(get(user, user.in("configmaps?watch=1&timeoutSeconds=1")), "200");
  }

  @Test
  void updateAndPatch_createNothing() {
    Actor user = actor(rule("update,patch,get", "services", "limitranges", "configmaps"));
    Map<String, Object> range = Map.of("metadata", Map.of("name", "x"), "spec", Map.of());
    String applied =
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"},\"data\":{}}";

    Response put =
        as(user).contentType("application/json").body(text(range)).put(user.in("limitranges/x"));
    Response apply =
        as(user)
            .contentType("application/apply-patch+yaml")
            .body(applied)
            .patch(user.in("configmaps/x?fieldManager=t"));

    assertThat(put.statusCode()).isEqualTo(403);
    assertThat(put.path("message").toString())
        .startsWith("limitranges \"x\" is forbidden")
        .contains("cannot create resource \"limitranges\"");
    assertThat(apply.statusCode()).isEqualTo(403);
    assertThat(apply.path("message").toString()).contains("cannot create resource");
    assertThat(administrator.get(user.in("configmaps/x")).statusCode()).isEqualTo(404);
    assertThat(administrator.get(user.in("limitranges/x")).statusCode()).isEqualTo(404);

    grant(user, "more", rule("create", "limitranges", "configmaps"));
    assertThat(
            as(user)
                .contentType("application/json")
                .body(text(range))
                .put(user.in("limitranges/x"))
                .statusCode())
        .isEqualTo(201);
    assertThat(
            as(user)
                .contentType("application/apply-patch+yaml")
                .body(applied)
                .patch(user.in("configmaps/x?fieldManager=t"))
                .statusCode())
        .isEqualTo(201);
  }

  @Test
  void headers_doNotChangeTheMethod() {
    Actor user = actor(rule("get,list", "configmaps"));
    configMap(user, "a");

    for (String header :
        List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "_method")) {
      assertThat(as(user).header(header, "DELETE").get(user.in("configmaps/a")).statusCode())
          .isEqualTo(200);
      assertOutcome(
          as(user)
              .header(header, "GET")
              .contentType("application/json")
              .body("{}")
              .post(user.in("configmaps")),
          "create");
    }
    assertThat(administrator.get(user.in("configmaps/a")).statusCode()).isEqualTo(200);
  }

  @Test
  void names_doNotOpenCollections() {
    Actor user =
        actor(
            Map.of(
                "verbs", List.of("get", "list", "watch", "create", "deletecollection", "delete"),
                "apiGroups", List.of(""),
                "resources", List.of("configmaps"),
                "resourceNames", List.of("mine")));
    configMap(user, "mine");
    configMap(user, "other");
    String maps = user.in("configmaps");

    assertOutcome(get(user, maps + "/mine"), "200");
    assertOutcome(get(user, maps + "/other"), "get");
    assertOutcome(get(user, maps), "list");
    assertOutcome(get(user, maps + "?fieldSelector=metadata.name=mine"), "200");
    assertOutcome(get(user, maps + "?fieldSelector=metadata.name==mine"), "200");
    assertOutcome(get(user, maps + "?fieldSelector=metadata.name!=mine"), "list");
    assertOutcome(get(user, maps + "?fieldSelector=metadata.name=other"), "list");
    assertOutcome(get(user, maps + "?labelSelector=metadata.name=mine"), "list");
    assertOutcome(
        get(user, maps + "?fieldSelector=metadata.name=mine&watch=1&timeoutSeconds=1"), "200");
    assertOutcome(get(user, maps + "?fieldSelector=metadata.name=other&watch=1"), "watch");
    assertOutcome(
        as(user)
            .contentType("application/json")
            .body("{\"metadata\":{\"name\":\"mine\"}}")
            .post(maps),
        "create");
    assertThat(delete(user, maps + "?fieldSelector=metadata.name=mine"))
        .contains("cannot deletecollection");
    assertThat(delete(user, maps + "/other")).contains("cannot delete");
    assertThat(delete(user, maps + "/mine")).isEqualTo("200");
  }

  @Test
  void subresources_areRightsOfTheirOwn() {
    Actor whole = actor(rule("*", "pods"));
    Actor status = actor(rule("get,update,patch", "pods/status"));
    Actor star = actor(rule("*", "pods/*"));
    Actor every = actor(rule("*", "*/status"));
    for (Actor user : List.of(whole, status, star, every)) {
      pod(user);
    }
    String patch = "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}";

    for (String part : List.of("status", "ephemeralcontainers", "resize")) {
      assertOutcome(patch(whole, whole.in("pods/p/" + part), patch), "patch");
    }
    for (String part : List.of("binding", "eviction", "exec", "attach", "portforward")) {
      Response answer =
          as(whole).contentType("application/json").body("{}").post(whole.in("pods/p/" + part));
      assertOutcome(answer, "create");
    }
    assertOutcome(get(whole, whole.in("pods/p/log")), "get");
    assertOutcome(get(whole, whole.in("pods/p/proxy/x")), "get");
    assertOutcome(patch(status, status.in("pods/p"), patch), "patch");
    assertOutcome(get(status, status.in("pods/p")), "get");
    assertOutcome(get(status, status.in("pods/p/status")), "200");
    assertOutcome(get(star, star.in("pods/p")), "get");
    assertOutcome(get(star, star.in("pods/p/status")), "get");
    assertOutcome(get(every, every.in("pods/p/status")), "200");
    assertOutcome(get(every, every.in("pods/p")), "get");
  }

  @Test
  void status_andEphemeralContainers_changeNothingElse() {
    Actor user = actor(rule("get,update,patch", "pods/status", "pods/ephemeralcontainers"));
    pod(user);
    String image = "{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"evil\"}]}}";

    Response throughStatus = patch(user, user.in("pods/p/status"), image);
    Response throughEphemeral = patch(user, user.in("pods/p/ephemeralcontainers"), image);

    assertThat(throughStatus.statusCode()).isIn(200, 422);
    assertThat(throughEphemeral.statusCode()).isIn(200, 422);
    Response pod = administrator.get(user.in("pods/p"));
    assertThat(pod.path("spec.containers[0].image").toString()).isEqualTo("good");
  }

  @Test
  void namespacesThemselves_areNotOpenedByRightsInThem() {
    Actor user = actor(rule("*", "*"));

    // a binding in the namespace covers the path of the namespace, as in Kubernetes, and no other
    assertOutcome(get(user, "/api/v1/namespaces/" + user.name()), "200");
    assertOutcome(get(user, "/api/v1/namespaces/default"), "get");
    assertOutcome(get(user, "/api/v1/namespaces"), "list");
    assertOutcome(get(user, "/api/v1/nodes"), "list");
    assertOutcome(get(user, "/api/v1/namespaces/kube-system/secrets"), "list");
    assertOutcome(
        as(user)
            .contentType("application/json")
            .body("{\"metadata\":{\"name\":\"new\"}}")
            .post("/api/v1/namespaces"),
        "create");
  }

  @Test
  void roles_grantNoMoreThanTheirWriterHas() {
    Actor user =
        actor(
            Map.of(
                "verbs", List.of("create", "update", "patch", "get"),
                "apiGroups", List.of("rbac.authorization.k8s.io"),
                "resources", List.of("roles", "rolebindings")));
    grant(user, "held", rule("get,list", "pods"));
    String refused =
        "roles.rbac.authorization.k8s.io \"r\" is forbidden: user \""
            + user.name()
            + "\" (groups=[\"system:authenticated\"]) is attempting to grant RBAC permissions not"
            + " currently held:\n"
            + "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"delete\"]}\n"
            + "{APIGroups:[\"\"], Resources:[\"secrets\"], ResourceNames:[\"s\"],"
            + " Verbs:[\"get\" \"delete\"]}";
    Map<String, Object> secret =
        Map.of(
            "verbs", List.of("get", "delete"),
            "apiGroups", List.of(""),
            "resources", List.of("secrets"),
            "resourceNames", List.of("s"));

    Response created = role(user, "r", List.of(rule("get,list,delete", "pods"), secret));
    assertThat(created.statusCode()).isEqualTo(403);
    assertThat(created.path("reason").toString()).isEqualTo("Forbidden");
    assertThat(created.path("message").toString()).isEqualTo(refused);
    assertThat(role(user, "r", List.of(rule("get", "pods"))).statusCode()).isEqualTo(201);
    String all = "{\"rules\":[{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}]}";
    Response widened = patch(user, user.rbac("roles/r"), all);
    assertThat(widened.statusCode()).isEqualTo(403);
    assertThat(widened.path("message").toString())
        .endsWith("{APIGroups:[\"*\"], Resources:[\"*\"], Verbs:[\"*\"]}");
    Response dry = as(user).contentType(MERGE).body(all).patch(user.rbac("roles/r?dryRun=All"));
    assertThat(dry.statusCode()).isEqualTo(403);
    assertThat(bind(user, "ClusterRole", "cluster-admin").statusCode()).isEqualTo(403);
    assertThat(bind(user, "Role", "nowhere").statusCode()).isEqualTo(404);
    assertThat(bind(user, "Role", "r").statusCode()).isEqualTo(201);

    grant(
        user,
        "bind",
        Map.of(
            "verbs", List.of("bind"),
            "apiGroups", List.of("rbac.authorization.k8s.io"),
            "resources", List.of("clusterroles"),
            "resourceNames", List.of("edit")));
    assertThat(bind(user, "ClusterRole", "edit").statusCode()).isEqualTo(201);
    assertThat(bind(user, "ClusterRole", "admin").statusCode()).isEqualTo(403);
  }

  @Test
  void escalateOfAName_isForTheRoleOfThatPath() {
    Actor user =
        actor(
            Map.of(
                "verbs", List.of("create", "update", "patch", "get"),
                "apiGroups", List.of("rbac.authorization.k8s.io"),
                "resources", List.of("roles")));
    grant(
        user,
        "escalate",
        Map.of(
            "verbs", List.of("escalate"),
            "apiGroups", List.of("rbac.authorization.k8s.io"),
            "resources", List.of("roles"),
            "resourceNames", List.of("mine")));

    assertThat(role(user, "mine", List.of(rule("get", "secrets"))).statusCode()).isEqualTo(403);
    assertThat(apply(user, "other").statusCode()).isEqualTo(403);
    assertThat(apply(user, "mine").statusCode()).isEqualTo(201);
  }

  private Response apply(Actor actor, String role) {
    return as(actor)
        .contentType("application/apply-patch+yaml")
        .body(
            text(
                Map.of(
                    "apiVersion",
                    "rbac.authorization.k8s.io/v1",
                    "kind",
                    "Role",
                    "metadata",
                    Map.of("name", role),
                    "rules",
                    List.of(rule("get", "secrets")))))
        .patch(actor.rbac("roles/" + role + "?fieldManager=test"));
  }

  @Test
  void labels_doNotMakeARolePartOfAnother() {
    Actor user = actor(rule("get", "pods"));
    Map<String, Object> rules =
        Map.of(
            "verbs", List.of("create", "update", "patch", "get"),
            "apiGroups", List.of("rbac.authorization.k8s.io"),
            "resources", List.of("clusterroles"));
    everywhere(user, rules);

    Response labelled =
        patch(
            user,
            RBAC + "/clusterroles/system:node",
            "{\"metadata\":{\"labels\":{\"rbac.authorization.k8s.io/aggregate-to-view\":\"true\"}}}");
    Response selecting =
        as(user)
            .contentType("application/json")
            .body(
                "{\"metadata\":{\"name\":\"grab\"},\"aggregationRule\":{\"clusterRoleSelectors\":"
                    + "[{\"matchLabels\":{\"kubernetes.io/bootstrapping\":\"rbac-defaults\"}}]}}")
            .post(RBAC + "/clusterroles");

    assertThat(labelled.statusCode()).isEqualTo(403);
    assertThat(labelled.path("message").toString()).contains("not currently held");
    assertThat(selecting.statusCode()).isEqualTo(403);
    assertThat(selecting.path("message").toString())
        .isEqualTo(
            "clusterroles.rbac.authorization.k8s.io \"grab\" is forbidden: must have cluster-admin"
                + " privileges to use the aggregationRule");
  }

  @Test
  void serviceAccounts_areNotTheirTokens() {
    Actor user = actor(rule("create,get,list,delete", "serviceaccounts"));
    Actor one =
        actor(
            Map.of(
                "verbs", List.of("create"),
                "apiGroups", List.of(""),
                "resources", List.of("serviceaccounts/token"),
                "resourceNames", List.of("robot")));
    for (Actor any : List.of(user, one)) {
      for (String name : List.of("robot", "boss")) {
        assertThat(
                administrator
                    .post(any.in("serviceaccounts"), Map.of("metadata", Map.of("name", name)))
                    .statusCode())
            .isEqualTo(201);
      }
    }

    assertOutcome(token(user, "robot"), "create");
    assertThat(token(one, "robot").statusCode()).isEqualTo(201);
    assertOutcome(token(one, "boss"), "create");
    assertOutcome(
        as(user)
            .header("Impersonate-User", "system:serviceaccount:" + user.name() + ":robot")
            .get("/api/v1/nodes"),
        "impersonate-on:serviceaccount:list");
  }

  @Test
  void impersonation_goesOnlyAsFarAsItIsAllowed() {
    Actor user = actor(rule("get", "pods"));
    everywhere(
        user,
        Map.of(
            "verbs", List.of("impersonate"),
            "apiGroups", List.of(""),
            "resources", List.of("users"),
            "resourceNames", List.of("bob")));
    String who = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

    Response bob =
        as(user)
            .header("Impersonate-User", "bob")
            .contentType("application/json")
            .body("{}")
            .post(who);
    assertThat(bob.path("status.userInfo.username").toString()).isEqualTo("bob");
    assertThat(bob.<List<String>>path("status.userInfo.groups"))
        .containsExactly("system:authenticated");
    Response eve = as(user).header("Impersonate-User", "eve").get("/version");
    assertThat(eve.statusCode()).isEqualTo(403);
    assertThat(eve.path("message").toString())
        .isEqualTo(
            "users \"eve\" is forbidden: User \""
                + user.name()
                + "\" cannot impersonate resource \"users\" in API group \"\" at the cluster"
                + " scope");
    Response masters =
        as(user)
            .header("Impersonate-User", "bob")
            .header("Impersonate-Group", "system:masters")
            .get("/api/v1/secrets");
    assertOutcome(masters, "impersonate");
    assertOutcome(
        as(user)
            .header("Impersonate-User", "bob")
            .header("Impersonate-Extra-Scopes", "all")
            .get("/version"),
        "impersonate");
    assertOutcome(
        as(user).header("Impersonate-User", "bob").header("Impersonate-Uid", "0").get("/version"),
        "impersonate");
    // groups alone name nobody
    assertThat(as(user).header("Impersonate-Group", "system:masters").get("/version").statusCode())
        .isGreaterThanOrEqualTo(400);
  }

  @Test
  void reviews_tellNothingOfOthers() {
    Actor user = actor(rule("get", "pods"));
    String base = "/apis/authorization.k8s.io/v1/";
    Map<String, Object> ofAnother =
        Map.of(
            "spec",
            Map.of(
                "user",
                "u0",
                "resourceAttributes",
                Map.of("namespace", "default", "verb", "get", "resource", "secrets")));

    assertOutcome(post(user, base + "subjectaccessreviews", ofAnother), "create");
    assertOutcome(
        post(user, base + "namespaces/default/localsubjectaccessreviews", ofAnother), "create");
    assertOutcome(
        post(
            user,
            "/apis/authentication.k8s.io/v1/tokenreviews",
            Map.of("spec", Map.of("token", "x"))),
        "create");
    Response rules =
        post(
            user, base + "selfsubjectrulesreviews", Map.of("spec", Map.of("namespace", "default")));
    assertThat(rules.statusCode()).isEqualTo(201);
    assertThat(rules.body().asString()).doesNotContain("secrets").doesNotContain("\"pods\"");
    Response own =
        post(
            user,
            base + "selfsubjectrulesreviews",
            Map.of("spec", Map.of("namespace", user.name())));
    assertThat(own.body().asString()).contains("\"pods\"");
    Response anonymous =
        nobody.post(
            base + "selfsubjectrulesreviews", Map.of("spec", Map.of("namespace", "default")));
    assertThat(anonymous.statusCode()).isEqualTo(403);
  }

  @Test
  void paths_areMatchedWhole() {
    Actor user = actor(rule("get", "pods"));
    everywhere(
        user, Map.of("verbs", List.of("get"), "nonResourceURLs", List.of("/metrics/*", "/logs*")));

    assertOutcome(get(user, "/metrics"), "path");
    assertOutcome(get(user, "/metricsx"), "path");
    assertOutcome(get(user, "/metrics/../api/v1/secrets"), "any");
    assertThat(get(user, "/metrics/x").statusCode()).isEqualTo(404);
    assertThat(get(user, "/logsbook").statusCode()).isEqualTo(404);
    Response posted = post(user, "/metrics/x", Map.of());
    assertThat(posted.statusCode()).isEqualTo(403);
    assertThat(posted.path("message").toString())
        .isEqualTo("forbidden: User \"" + user.name() + "\" cannot post path \"/metrics/x\"");
  }

  @Test
  void bindingOfAMissingRole_isNamedInTheRefusal() {
    Actor user = actor(rule("get", "pods"));
    for (String name : List.of("gone", "lost")) {
      assertThat(
              administrator
                  .post(
                      user.rbac("rolebindings"),
                      Map.of(
                          "metadata", Map.of("name", name),
                          "roleRef", ref("Role", name),
                          "subjects", List.of(subject(user.name()))))
                  .statusCode())
          .isEqualTo(201);
    }

    String message = get(user, user.in("secrets")).path("message").toString();

    assertThat(message)
        .startsWith(
            "secrets is forbidden: User \""
                + user.name()
                + "\" cannot list resource \"secrets\" in API group \"\" in the namespace \""
                + user.name()
                + "\": RBAC: [role")
        .contains(
            "role.rbac.authorization.k8s.io \"gone\" not found",
            "role.rbac.authorization.k8s.io \"lost\" not found");
  }

  /** Bindings come and go on many connections at once; each is felt by the next request. */
  @Test
  void decisions_neverLagBehindAnswers() throws Exception {
    int threads = 6;
    List<Actor> actors = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      actors.add(actor(rule("get", "pods")));
    }
    try (HttpClient own = HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build();
        HttpClient other =
            HttpClient.newBuilder().sslContext(server.kubeconfig().asNobody()).build();
        ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<Integer>>> running = new ArrayList<>();
      for (Actor actor : actors) {
        running.add(pool.submit(() -> rounds(own, other, actor)));
      }
      for (Future<List<Integer>> one : running) {
        assertThat(one.get()).containsOnly(200);
      }
    }
  }

  /** The codes; 200 stands for what is as it should be. */
  private List<Integer> rounds(HttpClient own, HttpClient other, Actor actor) throws Exception {
    List<Integer> codes = new ArrayList<>();
    String binding =
        "{\"metadata\":{\"name\":\"b\"},\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\","
            + "\"kind\":\"ClusterRole\",\"name\":\"view\"},\"subjects\":[{\"kind\":\"User\","
            + "\"apiGroup\":\"rbac.authorization.k8s.io\",\"name\":\""
            + actor.name()
            + "\"}]}";
    for (int round = 0; round < 12; round++) {
      HttpRequest create =
          at(actor.rbac("rolebindings"))
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(binding))
              .build();
      HttpRequest read =
          at(actor.in("configmaps")).header("Authorization", "Bearer t-" + actor.name()).build();
      HttpRequest delete = at(actor.rbac("rolebindings/b")).DELETE().build();
      codes.add(code(own, create) == 201 ? 200 : 1);
      codes.add(code(other, read));
      codes.add(code(own, delete));
      codes.add(code(other, read) == 403 ? 200 : 2);
    }
    return codes;
  }

  private HttpRequest.Builder at(String path) {
    return HttpRequest.newBuilder(URI.create(server.address() + path));
  }

  private static int code(HttpClient http, HttpRequest request) throws Exception {
    return http.send(request, BodyHandlers.ofString()).statusCode();
  }

  /** 200, or refused with the verb; {@code path} and {@code any} are other refusals. */
  private static void assertOutcome(Response answer, String expected) {
    if (expected.equals("200")) {
      assertThat(answer.statusCode()).isEqualTo(200);
      return;
    }
    if (expected.equals("any")) {
      assertThat(answer.statusCode()).isIn(400, 403, 404);
      return;
    }
    assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(403);
    assertThat(answer.path("message").toString())
        .contains(expected.equals("path") ? "cannot get path" : "cannot " + expected + " resource");
  }

  private Actor actor(Map<String, Object> rule) {
    Actor actor = new Actor("u" + users.getAndIncrement());
    assertThat(
            administrator
                .post("/api/v1/namespaces", Map.of("metadata", Map.of("name", actor.name())))
                .statusCode())
        .isEqualTo(201);
    grant(actor, "first", rule);
    return actor;
  }

  private void grant(Actor actor, String name, Map<String, Object> rule) {
    Map<String, Object> named = Map.of("name", name);
    assertThat(
            administrator
                .post(actor.rbac("roles"), Map.of("metadata", named, "rules", List.of(rule)))
                .statusCode())
        .isEqualTo(201);
    assertThat(
            administrator
                .post(
                    actor.rbac("rolebindings"),
                    Map.of(
                        "metadata", named,
                        "roleRef", ref("Role", name),
                        "subjects", List.of(subject(actor.name()))))
                .statusCode())
        .isEqualTo(201);
  }

  private void everywhere(Actor actor, Map<String, Object> rule) {
    Map<String, Object> named = Map.of("name", actor.name());
    assertThat(
            administrator
                .post(RBAC + "/clusterroles", Map.of("metadata", named, "rules", List.of(rule)))
                .statusCode())
        .isEqualTo(201);
    assertThat(
            administrator
                .post(
                    RBAC + "/clusterrolebindings",
                    Map.of(
                        "metadata", named,
                        "roleRef", ref("ClusterRole", actor.name()),
                        "subjects", List.of(subject(actor.name()))))
                .statusCode())
        .isEqualTo(201);
  }

  private static Map<String, Object> rule(String verbs, String... resources) {
    return Map.of(
        "verbs", List.of(verbs.split(",")),
        "apiGroups", List.of(""),
        "resources", List.of(resources));
  }

  private static Map<String, Object> ref(String kind, String name) {
    return Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", kind, "name", name);
  }

  private static Map<String, Object> subject(String user) {
    return Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "User", "name", user);
  }

  private io.restassured.specification.RequestSpecification as(Actor actor) {
    return nobody.request().header("Authorization", "Bearer t-" + actor.name());
  }

  private Response get(Actor actor, String path) {
    return as(actor).urlEncodingEnabled(false).get(path);
  }

  private Response post(Actor actor, String path, Map<String, Object> body) {
    return as(actor).contentType("application/json").body(text(body)).post(path);
  }

  private static String text(Map<String, Object> body) {
    return new com.google.gson.Gson().toJson(body);
  }

  private Response patch(Actor actor, String path, String patch) {
    return as(actor).contentType(MERGE).body(patch).patch(path);
  }

  /** The code of a deletion that is done, or the message of one that is refused. */
  private String delete(Actor actor, String path) {
    Response answer = as(actor).delete(path);
    return answer.statusCode() == 403
        ? answer.path("message").toString()
        : Integer.toString(answer.statusCode());
  }

  private Response token(Actor actor, String account) {
    return post(actor, actor.in("serviceaccounts/" + account + "/token"), Map.of("spec", Map.of()));
  }

  private Response role(Actor actor, String name, List<Map<String, Object>> rules) {
    return post(
        actor, actor.rbac("roles"), Map.of("metadata", Map.of("name", name), "rules", rules));
  }

  private Response bind(Actor actor, String kind, String role) {
    return post(
        actor,
        actor.rbac("rolebindings"),
        Map.of(
            "metadata", Map.of("name", "b-" + role),
            "roleRef", ref(kind, role),
            "subjects", List.of(subject("u0"))));
  }

  private void configMap(Actor actor, String name) {
    assertThat(
            administrator
                .post(actor.in("configmaps"), Map.of("metadata", Map.of("name", name)))
                .statusCode())
        .isEqualTo(201);
  }

  private void pod(Actor actor) {
    Response created =
        administrator.post(
            actor.in("pods"),
            Map.of(
                "metadata", Map.of("name", "p"),
                "spec", Map.of("containers", List.of(Map.of("name", "c", "image", "good")))));
    assertThat(created.statusCode()).as(created.asString()).isEqualTo(201);
  }
}
