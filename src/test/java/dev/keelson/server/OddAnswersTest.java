package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.testing.Eventually;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests for resources that clients rarely send, answered as kube-apiserver does. */
@Timeout(120)
class OddAnswersTest {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

  private static final String ACCOUNT = "/api/v1/namespaces/default/serviceaccounts/default";

  private static final Vertx VERTX = Vertx.vertx();
  private static ComposedServer server;

  /** What a client sees. */
  private record Answer(int code, String reason, String message, MapNode body) {}

  @BeforeAll
  static void start(@TempDir Path directory) {
    OpenedResources opened =
        OpenedResources.open(
            CustomTypesContract.options(List.of("--data-dir=" + directory, "--secure-port=0")),
            InstantSource.system());
    server = ComposedServer.of(opened, VERTX);
    assertThat(server.server().ready(6443, Duration.ZERO)).contains("ready");
    Eventually.assertEventually(
        () -> assertThat(ask("GET", "/api/v1/namespaces/default", "", "").code()).isEqualTo(200));
  }

  @AfterAll
  static void stop() throws Exception {
    int running = server.server().stop();
    Void unused = VERTX.close().toCompletionStage().toCompletableFuture().get();
    assertThat(running).isZero();
  }

  private static Answer ask(String method, String path, String query, String body) {
    return ask(method, path, query, "application/json", body);
  }

  private static Answer ask(String method, String path, String query, String accept, String body) {
    ApiRequest request =
        new ApiRequest(
            method,
            path,
            Query.parse(query),
            Map.of("accept", List.of(accept)),
            body.getBytes(StandardCharsets.UTF_8),
            List.of(),
            "127.0.0.1");
    RequestContext context = new RequestContext(new UserInfo("u", "", List.of(), Map.of()), "id");
    ApiResponse response =
        server
            .api()
            .objects()
            .answer(
                new Exchange(
                    request,
                    RequestInfoResolver.parse(method, path, request.query().firsts()),
                    context));
    Node node = ObjectReader.untypedJson(response.payload().toByteArray());
    MapNode object = (MapNode) node;
    return new Answer(response.status(), object.text("reason"), object.text("message"), object);
  }

  @ParameterizedTest
  @CsvSource({
    "GET,    ..,  may not be '..'",
    "GET,    .,   may not be '.'",
    "GET,    a%b, may not contain '%'",
    "DELETE, ..,  may not be '..'",
    "PATCH,  a%b, may not contain '%'",
  })
  void nameThatCannotBeOne_isABadRequest(String method, String name, String why) {
    Answer answer = ask(method, MAPS + "/" + name, "", "{}");

    assertThat(answer.code()).isEqualTo(400);
    assertThat(answer.reason()).isEqualTo("BadRequest");
    assertThat(answer.message())
        .isEqualTo("Name parameter invalid: \"" + name + "\": " + why.replace('"', '\''));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "authorization.k8s.io|selfsubjectaccessreviews|{'resourceAttributes':{'verb':'get',"
            + "'resource':'pods'}}|{'f:spec':{'f:resourceAttributes':{'.':{},'f:resource':{},"
            + "'f:verb':{}}}}",
        "authorization.k8s.io|subjectaccessreviews|{'user':'a','nonResourceAttributes':{'verb':"
            + "'get','path':'/'}}|{'f:spec':{'f:nonResourceAttributes':{'.':{},'f:path':{},"
            + "'f:verb':{}},'f:user':{}}}",
        "authorization.k8s.io|selfsubjectrulesreviews|{'namespace':'default'}|",
        "authentication.k8s.io|tokenreviews|{'token':'x'}|{'f:spec':{'f:token':{}}}",
        "authentication.k8s.io|selfsubjectreviews||",
      })
  void review_hasAnEntryForTheFieldsThatWereSent(
      String group, String resource, @Nullable String spec, @Nullable String fields) {
    Answer answer =
        ask(
            "POST",
            "/apis/" + group + "/v1/" + resource,
            "fieldManager=me",
            spec == null ? "{}" : ("{'spec':" + spec + "}").replace('\'', '"'));

    assertThat(answer.code()).as(answer.message()).isEqualTo(201);
    assertManaged(answer.body(), fields, "");
  }

  @Test
  void tokenRequest_hasAnEntryForTheFieldsThatWereSent() {
    Eventually.assertEventually(
        () -> assertThat(ask("GET", ACCOUNT, "", "").code()).isEqualTo(200));
    Answer answer =
        ask(
            "POST",
            ACCOUNT + "/token",
            "fieldManager=me",
            "{\"spec\":{\"expirationSeconds\":600}}");

    assertThat(answer.code()).as(answer.message()).isEqualTo(201);
    assertManaged(answer.body(), "{'f:spec':{'f:expirationSeconds':{}}}", "token");
  }

  /** Expects one entry of the manager {@code me}, or none. */
  private static void assertManaged(MapNode object, @Nullable String fields, String subresource) {
    List<MapNode> entries = object.map("metadata").maps("managedFields");
    if (fields == null) {
      assertThat(entries).isEmpty();
      return;
    }
    assertThat(entries).hasSize(1);
    assertThat(entries.getFirst().text("manager")).isEqualTo("me");
    assertThat(entries.getFirst().text("operation")).isEqualTo("Update");
    assertThat(entries.getFirst().text("apiVersion")).isEqualTo(object.text("apiVersion"));
    assertThat(entries.getFirst().text("subresource")).isEqualTo(subresource);
    assertThat(entries.getFirst().map("fieldsV1"))
        .isEqualTo(
            ObjectReader.untypedJson(fields.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void unknownFieldValidation_listsTheEmptyWord() {
    Answer answer = ask("POST", MAPS, "fieldValidation=Loud", "{}");

    assertThat(answer.code()).isEqualTo(422);
    assertThat(answer.message())
        .isEqualTo(
            "CreateOptions.meta.k8s.io \"\" is invalid: fieldValidation: Unsupported value:"
                + " \"Loud\": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", " null\n", "{}"})
  void bodyWithoutAnything_needsAName(String body) {
    Answer answer = ask("POST", MAPS, "", body);

    assertThat(answer.code()).isEqualTo(422);
    assertThat(answer.message())
        .isEqualTo(
            "ConfigMap \"\" is invalid: metadata.name: Required value: name or generateName is"
                + " required");
  }

  @ParameterizedTest
  @CsvSource({
    "application/json;as=Table;g=meta.k8s.io;v=v1, 406",
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1, 406",
    "'application/json;as=Table;g=meta.k8s.io;v=v1,application/json', 201",
    "application/json, 201"
  })
  void review_hasNoTableAndNoMetadata(String accept, int code) {
    Answer answer =
        ask(
            "POST",
            REVIEWS,
            "",
            accept,
            "{\"spec\":{\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\"}}}");

    assertThat(answer.code()).isEqualTo(code);
    if (code == 406) {
      assertThat(answer.message()).startsWith("only the following media types are accepted: ");
    }
  }

  @Test
  void everyNamedCheck_passesOnceTheServerHasStarted() {
    Eventually.assertEventually(
        () -> {
          ApiResponse answer = health("/readyz?verbose");
          assertThat(text(answer))
              .startsWith("[+]ping ok\n[+]log ok\n[+]etcd ok\n[+]etcd-readiness ok\n")
              .contains(
                  "[+]informer-sync ok\n"
                      + "[+]poststarthook/start-apiserver-admission-initializer ok\n",
                  "[+]poststarthook/rbac/bootstrap-roles ok\n",
                  "[+]autoregister-completion ok\n")
              .doesNotContain("loopback-serving-certificate")
              .endsWith("[+]shutdown ok\nreadyz check passed\n");
        });
    assertThat(text(health("/livez?verbose")))
        .startsWith("[+]ping ok\n[+]log ok\n[+]loopback-serving-certificate ok\n[+]etcd ok\n");
    assertThat(text(health("/livez/poststarthook/rbac/bootstrap-roles"))).isEqualTo("ok");
    assertThat(text(health("/healthz/etcd"))).isEqualTo("ok");
    assertThat(text(health("/metrics/slis")))
        .contains("kubernetes_healthcheck{name=\"etcd\",type=\"readyz\"} 1\n");
  }

  private static String text(ApiResponse answer) {
    return new String(answer.payload().toByteArray(), StandardCharsets.UTF_8);
  }

  private static ApiResponse health(String uri) {
    int question = uri.indexOf('?');
    String path = question < 0 ? uri : uri.substring(0, question);
    ApiRequest request =
        new ApiRequest(
            "GET",
            path,
            Query.parse(question < 0 ? "" : uri.substring(question + 1)),
            Map.of(),
            new byte[0],
            List.of(),
            "127.0.0.1");
    return server
        .api()
        .health()
        .answer(
            new Exchange(
                request,
                RequestInfoResolver.parse("GET", path, Map.of()),
                new RequestContext(new UserInfo("u", "", List.of(), Map.of()), "id")));
  }

  @Test
  void namespaceOfAClusterScopedObject_isCleared() {
    String roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    String role = "{\"metadata\":{\"name\":\"odd\",\"namespace\":\"default\"}}";

    Answer created = ask("POST", roles, "", role);
    Answer replaced = ask("PUT", roles + "/odd", "", role);

    assertThat(created.code()).isEqualTo(201);
    assertThat(created.body().map("metadata").has("namespace")).isFalse();
    assertThat(replaced.code()).isEqualTo(200);
    assertThat(replaced.body().map("metadata").has("namespace")).isFalse();
  }

  @Test
  void dryRunOfACreateWithAResourceVersion_succeeds() {
    String map = "{\"metadata\":{\"name\":\"odd\",\"resourceVersion\":\"7\"}}";

    assertThat(ask("POST", MAPS, "dryRun=All", map).code()).isEqualTo(201);
    Answer refused = ask("POST", MAPS, "", map);

    assertThat(refused.code()).isEqualTo(500);
    assertThat(refused.message())
        .isEqualTo("resourceVersion should not be set on objects to be created");
  }
}
