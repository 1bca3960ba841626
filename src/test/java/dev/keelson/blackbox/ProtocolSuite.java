package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RawConnection;
import dev.keelson.testing.RestClient;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What does not depend on the resource: formats, errors, parameters, limits. */
@Timeout(120)
abstract class ProtocolSuite {

  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private final KeelsonProcess server;
  private final RestClient client;
  private final String name = "protocol-" + COUNT.incrementAndGet();

  ProtocolSuite(KeelsonProcess server) {
    this.server = server;
    client = RestClient.administrator(server);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/nowhere",
        "/api/v2/pods",
        "/api/v1/unheard",
        "/apis/unheard/v1/pods",
        "/apis/apps/v2/deployments",
        "/api/v1/namespaces/default/unheard/x",
        "/api/v1/namespaces/default/nodes",
        "/api/v1/namespaces/default/pods/x/status/more",
        "/api/v1/pods/x"
      })
  void unknownPaths_areNotFound(String path) {
    expectStatus(
        client.get(path), 404, "NotFound", "the server could not find the requested resource");
  }

  /** Source: {@code TestNotFound} of apiserver: nothing can be said of such a request. */
  @ParameterizedTest
  @ValueSource(strings = {"/api/v1/watch", "/apis/apps/v1/watch/", "/api/v1/proxy"})
  void pathThatEndsWhereItsResourceShouldBe_isAnInternalError(String path) {
    expectStatus(
        client.get(path),
        500,
        "InternalError",
        "Internal Server Error: \""
            + path
            + "\": failed to create RequestInfo: unable to determine kind and namespace from url, "
            + path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/healthz", "/livez/ping", "/readyz", "/version", "/metrics", "/openapi/v2", "/"})
  void pathsOfNoResource_answerHead_andNoOtherMethodThanGet(String path) {
    Response head = client.request().head(path);

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.asString()).isEmpty();
    expectStatus(
        client.request().post(path),
        405,
        "MethodNotAllowed",
        "the server does not allow this method on the requested resource");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/v1/pods", "/version", "/apis"})
  void timeout_thatIsNoDuration_isABadRequest(String path) {
    expectStatus(
        client.get(path + "?timeout=invalid"),
        400,
        "BadRequest",
        "invalid timeout specified in the request URL - time: invalid duration \"invalid\"");
    assertThat(client.get(path + "?timeout=10m").statusCode()).isEqualTo(200);
    assertThat(client.get(path + "?timeout=0s").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({"HTTP_1_1,/healthz,200", "HTTP_2,/healthz,200", "HTTP_2,/api/v1/pods,405"})
  void head_isAnsweredWithoutABody(HttpClient.Version version, String path, int code)
      throws Exception {
    try (HttpClient http =
        HttpClient.newBuilder().version(version).sslContext(server.kubeconfig().asUser()).build()) {
      HttpRequest head = HttpRequest.newBuilder(server.address().resolve(path)).HEAD().build();

      HttpResponse<String> answer = http.send(head, HttpResponse.BodyHandlers.ofString());
      HttpResponse<String> next = http.send(head, HttpResponse.BodyHandlers.ofString());

      assertThat(answer.version()).isEqualTo(version);
      assertThat(answer.statusCode()).isEqualTo(code);
      assertThat(answer.body()).isEmpty();
      assertThat(next.statusCode()).isEqualTo(code);
    }
  }

  @Test
  void root_namesThePaths() {
    assertThat(client.get("/").jsonPath().getList("paths", String.class))
        .isSorted()
        .contains("/api", "/api/v1", "/apis/", "/apis/apps/v1", "/livez/ping", "/openapi/v3");
  }

  @ParameterizedTest
  @CsvSource({
    "/api, APIVersions",
    "/apis, APIGroupList",
    "/apis/apps, APIGroup",
    "/apis/apps/v1, APIResourceList",
    "/api, APIGroupDiscoveryList",
    "/apis, APIGroupDiscoveryList"
  })
  void discovery_comesInEveryFormat(String path, String kind) {
    String as =
        kind.equals("APIGroupDiscoveryList") ? ";g=apidiscovery.k8s.io;v=v2;as=" + kind : "";

    Response yaml = client.request().header("Accept", "application/yaml" + as).get(path);
    Response protobuf =
        client.request().header("Accept", "application/vnd.kubernetes.protobuf" + as).get(path);

    assertThat(yaml.contentType()).isEqualTo("application/yaml" + as);
    assertThat(yaml.asString()).contains("kind: " + kind + "\n");
    assertThat(protobuf.contentType()).isEqualTo("application/vnd.kubernetes.protobuf" + as);
    assertThat(new String(protobuf.asByteArray(), StandardCharsets.ISO_8859_1))
        .startsWith("k8s\0")
        .contains(kind);
  }

  @Test
  void answers_carryWhatEveryAnswerCarries() {
    Response answer = client.get("/api/v1/namespaces/default");

    assertThat(answer.header("Cache-Control")).isEqualTo("no-cache, private");
    assertThat(answer.header("Audit-Id")).isNotEmpty();
    assertThat(answer.contentType()).isEqualTo("application/json");
    assertThat(client.get("/api/v1/namespaces/none").header("Audit-Id")).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          application/json                                           | application/json
          application/yaml                                           | application/yaml
          */*                                                        | application/json
          application/*                                              | application/json
          application/yaml, application/json;q=0.5                   | application/yaml
          application/json;q=0.1,application/yaml;q=0.9              | application/yaml
          application/vnd.unheard, application/yaml                  | application/yaml
          APPLICATION/JSON                                           | application/json
          """)
  void accept_choosesTheBestThatIsOffered(String accept, String expected) {
    Response answer = client.request().header("Accept", accept).get("/api/v1/namespaces/default");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.contentType()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/html", "application/xml", "application/json;q=0"})
  void accept_ofNothingThatIsOffered_is406WithAStatusInJson(String accept) {
    Response answer = client.request().header("Accept", accept).get(MAPS);

    JsonPath status = expectStatus(answer, 406, "NotAcceptable", "");
    assertThat(status.getString("message"))
        .startsWith("only the following media types are accepted: application/json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/xml", "nonsense"})
  void contentType_thatIsNotUnderstood_is406(String type) {
    Response answer =
        client
            .request()
            .header("Content-Type", type)
            .body("x".getBytes(StandardCharsets.UTF_8))
            .post(MAPS);

    JsonPath status = expectStatus(answer, 406, "NotAcceptable", "");
    assertThat(status.getString("message"))
        .startsWith(
            "the body of the request was in an unknown format - accepted media types include: ");
  }

  @Test
  void contentType_withParameters_isUnderstood() {
    client
        .request()
        .header("Content-Type", "application/json; charset=utf-8")
        .body(map())
        .post(MAPS)
        .then()
        .statusCode(201);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "42",
        "\"x\"",
        "{\"metadata\":{\"name\":\"a\"}} x",
        "{\"metadata\":7}",
        "{\"metadata\":{\"name\":7}}",
        "{\"data\":{\"a\":1}}",
        "{\"metadata\":{\"name\":\"a\"},}"
      })
  void bodies_thatAreNoObject_are400(String body) {
    expectStatus(client.post(MAPS, body), 400, "BadRequest", "");
  }

  @Test
  void body_ofNull_isAnEmptyObject() {
    expectStatus(client.post(MAPS, "null"), 422, "Invalid", "");
  }

  @Test
  void bodies_ofDeepNesting_are400() {
    String deep = "{\"a\":".repeat(20000) + "1" + "}".repeat(20000);

    expectStatus(
        client.post(
            "/apis/apps/v1/namespaces/default/controllerrevisions",
            "{\"metadata\":{\"name\":\"deep\"},\"revision\":1,\"data\":" + deep + "}"),
        400,
        "BadRequest",
        "");
  }

  @Test
  void bodies_aboveThreeMebibytes_are413() {
    String large = "x".repeat(3 * 1024 * 1024);

    expectStatus(
        client.post(MAPS, Map.of("metadata", Map.of("name", name), "data", Map.of("k", large))),
        413,
        "RequestEntityTooLarge",
        "Request entity too large: limit is 3145728");
    assertThat(client.get("/api/v1/namespaces/default").statusCode()).isEqualTo(200);
  }

  @Test
  void values_aboveTheLimitOfTheStore_areRefusedWithAReason() {
    String large = "x".repeat(2 * 1024 * 1024);

    Response answer =
        client.post(MAPS, Map.of("metadata", Map.of("name", name), "data", Map.of("k", large)));

    assertThat(answer.statusCode()).as(answer.asString()).isIn(413, 422);
    assertThat(answer.jsonPath().getString("message"))
        .containsPattern("larger than|Too long: may not be more than");
    assertThat(client.get(MAPS + "/" + name).statusCode()).isEqualTo(404);
  }

  /** Source: {@code TestObjectSizeResponses} of Kubernetes' integration tests. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "100_000 | etcdserver: request is too large",
        "130_000 | trying to send message larger than max",
        "190_000 | Request entity too large: limit is 3145728"
      })
  void finalizersBeyondALimit_areRefusedInTheWordsOfKubernetes(String count, String words) {
    int finalizers = Integer.parseInt(count.replace("_", ""));
    List<String> many = Collections.nCopies(finalizers, "example.com/long");

    Response answer =
        client.post(MAPS, Map.of("metadata", Map.of("name", name, "finalizers", many)));

    assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(413);
    assertThat(answer.jsonPath().getString("message")).contains(words);
  }

  @Test
  void pretty_indents() {
    String plain = client.get("/api/v1/namespaces/default").asString();
    String pretty =
        client.request().queryParam("pretty", "true").get("/api/v1/namespaces/default").asString();
    String byCurl =
        client
            .request()
            .header("User-Agent", "curl/8.0")
            .get("/api/v1/namespaces/default")
            .asString();
    String list = client.request().queryParam("pretty", "1").get("/api/v1/namespaces").asString();

    assertThat(plain).startsWith("{\"kind\":\"Namespace\",\"apiVersion\":\"v1\",\"metadata\":{");
    assertThat(pretty).startsWith("{\n  \"kind\": \"Namespace\",\n  \"apiVersion\": \"v1\",\n");
    assertThat(byCurl).isEqualTo(pretty);
    assertThat(list).startsWith("{\n  \"kind\": \"NamespaceList\",\n  \"apiVersion\": \"v1\",\n");
    assertThat(JsonPath.from(pretty).getMap("$")).isEqualTo(JsonPath.from(plain).getMap("$"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          labelSelector   | a in (        | unable to parse requirement: found '', expected: ',', ')' or identifier
          labelSelector   | a==b==c       | found '==', expected: ',' or 'end of string'
          fieldSelector   | x             | invalid selector: 'x'; can't understand 'x'
          fieldSelector   | data.x=1      | "data.x" is not a known field selector: only "metadata.name", "metadata.namespace"
          """)
  void selectors_thatAreNone_are400(String parameter, String value, String message) {
    JsonPath status =
        expectStatus(
            client.request().queryParam(parameter, value).get(MAPS), 400, "BadRequest", "");

    assertThat(status.getString("message")).startsWith(message);
  }

  @ParameterizedTest
  @CsvSource({
    "POST, fieldValidation, Odd, CreateOptions",
    "PUT, fieldValidation, Odd, UpdateOptions"
  })
  void parameters_withValuesThatAreNone_areInvalid(
      String method, String parameter, String value, String kind) {
    String path = method.equals("POST") ? MAPS : MAPS + "/" + name;

    Response answer = client.json(map()).queryParam(parameter, value).request(method, path);

    JsonPath status = expectStatus(answer, 422, "Invalid", "");
    assertThat(status.getString("message"))
        .startsWith(kind + ".meta.k8s.io \"\" is invalid: " + parameter + ": ")
        .contains("Unsupported value: \"" + value + "\": supported values: ");
    assertThat(status.getList("details.causes.reason")).containsExactly("FieldValueNotSupported");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE"})
  void dryRun_withAnotherValueThanAll_isABadRequest(String method) {
    String path = method.equals("POST") ? MAPS : MAPS + "/" + name;

    Response answer = client.json(map()).queryParam("dryRun", "some").request(method, path);

    expectStatus(
        answer,
        400,
        "BadRequest",
        "dryRun: Unsupported value: \"some\": supported values: \"All\"");
  }

  @Test
  void get_ofAStateThatDoesNotCome_timesOut_andOfNone_isABadRequest() {
    client.post(MAPS, map()).then().statusCode(201);

    client
        .request()
        .queryParam("resourceVersion", "9000000000")
        .get(MAPS + "/" + name)
        .then()
        .statusCode(504);
    client
        .request()
        .queryParam("resourceVersion", "some")
        .get(MAPS + "/" + name)
        .then()
        .statusCode(400);
    client.get(MAPS + "/" + name + "?resourceVersion=0").then().statusCode(200);
  }

  @Test
  void deleteOptions_thatContradictEachOther_areInvalid() {
    client.post(MAPS, map()).then().statusCode(201);

    Response both =
        client.delete(
            MAPS + "/" + name, Map.of("orphanDependents", true, "propagationPolicy", "Background"));
    Response unknown =
        client.request().queryParam("propagationPolicy", "Odd").delete(MAPS + "/" + name);

    expectStatus(both, 422, "Invalid", "");
    expectStatus(unknown, 422, "Invalid", "");
    client.get(MAPS + "/" + name).then().statusCode(200);
    client
        .delete(
            MAPS + "/" + name,
            Map.of("apiVersion", "v1", "kind", "DeleteOptions", "gracePeriodSeconds", 0))
        .then()
        .statusCode(200);
  }

  @Test
  void finalizers_holdAnObjectUntilTheyAreGone() {
    Map<String, Object> held =
        Map.of("metadata", Map.of("name", name, "finalizers", List.of("example.org/hold")));
    client.post(MAPS, held).then().statusCode(201);

    JsonPath answer = client.delete(MAPS + "/" + name).then().statusCode(200).extract().jsonPath();
    JsonPath marked = client.get(MAPS + "/" + name).then().statusCode(200).extract().jsonPath();

    // what is held is answered with the object as it is now
    assertThat(answer.getString("kind")).isEqualTo("ConfigMap");
    assertThat(answer.getMap("metadata")).isEqualTo(marked.getMap("metadata"));
    assertThat(marked.getString("metadata.deletionTimestamp")).isNotNull();
    client.put(MAPS + "/" + name, Map.of("metadata", Map.of("name", name))).then().statusCode(200);
    client.get(MAPS + "/" + name).then().statusCode(404);
  }

  @Test
  void nobody_isAnonymous_butAWrongTokenIsRefused() {
    RestClient nobody = RestClient.nobody(server);
    Response wrong =
        nobody.request().header("Authorization", "Bearer wrong").get("/api/v1/namespaces");

    expectStatus(wrong, 401, "Unauthorized", "Unauthorized");
    // everyone may do everything as long as --authorization-mode is AlwaysAllow, its default
    assertThat(nobody.post(MAPS, map()).statusCode()).isEqualTo(201);
  }

  @Test
  void escapes_inPathsAndQueries_areDecoded() {
    client.post(MAPS, map()).then().statusCode(201);

    assertThat(
            client
                .request()
                .urlEncodingEnabled(false)
                .get("/api/v1/namespaces/default/config%6Daps/" + name)
                .statusCode())
        .isEqualTo(200);
    assertThat(
            client
                .request()
                .urlEncodingEnabled(false)
                .get(MAPS + "?fieldSelector=metadata.name%3D" + name)
                .jsonPath()
                .getList("items"))
        .hasSize(1);
  }

  @Test
  void versionsOfOneResource_shareOneObject() {
    String body =
        "{\"metadata\":{\"name\":\""
            + name
            + "\"},\"spec\":{\"selector\":{\"matchLabels\":{\"a\":\"b\"}},"
            + "\"template\":{\"metadata\":{\"labels\":{\"a\":\"b\"}},\"spec\":{\"containers\":"
            + "[{\"name\":\"c\",\"image\":\"i\"}]}}}}";
    String old = "/apis/extensions/v1beta1/namespaces/default/deployments";
    String current = "/apis/apps/v1/namespaces/default/deployments";

    JsonPath created = client.post(old, body).then().statusCode(201).extract().jsonPath();
    JsonPath read = client.get(current + "/" + name).then().statusCode(200).extract().jsonPath();

    assertThat(created.getString("apiVersion")).isEqualTo("extensions/v1beta1");
    assertThat(read.getString("apiVersion")).isEqualTo("apps/v1");
    assertThat(read.getString("metadata.uid")).isEqualTo(created.getString("metadata.uid"));
    assertThat(client.post(current, body).statusCode()).isEqualTo(409);
    client.delete(current + "/" + name).then().statusCode(200);
    client.get(old + "/" + name).then().statusCode(404);
  }

  /** RFC 6455: the handshake is over before there is anything to tell. */
  @Test
  void watchOverWebSocket_answersTheHandshakeAtOnce_andThenSendsEvents() throws Exception {
    String now =
        client
            .get(MAPS + "?limit=1")
            .then()
            .statusCode(200)
            .extract()
            .path("metadata.resourceVersion");
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    try (HttpClient http =
        HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build()) {
      WebSocket socket =
          http.newWebSocketBuilder()
              .buildAsync(
                  URI.create(
                      server.address().toString().replace("https", "wss")
                          + MAPS
                          + "?watch=true&fieldSelector=metadata.name="
                          + name
                          + "&resourceVersion="
                          + now),
                  new WebSocket.Listener() {
                    @Override
                    public @Nullable CompletionStage<?> onText(
                        WebSocket from, CharSequence part, boolean last) {
                      told.add(part.toString());
                      return WebSocket.Listener.super.onText(from, part, last);
                    }
                  })
              .get(30, TimeUnit.SECONDS);
      client.post(MAPS, map()).then().statusCode(201);

      JsonPath event = JsonPath.from(told.poll(30, TimeUnit.SECONDS));
      assertThat(event.getString("type")).isEqualTo("ADDED");
      assertThat(event.getString("object.metadata.name")).isEqualTo(name);
      socket.abort();
    }
  }

  /** Source: {@code TestWatchProtocolSelection} of apiserver. */
  @ParameterizedTest
  @CsvSource({"Upgrade, 101", "'keep-alive, Upgrade', 101", "upgrade, 101", "Keep-Alive, 200"})
  void watch_isAWebSocket_ifTheConnectionIsToBeUpgraded(String connection, int status)
      throws Exception {
    String head =
        """
        GET %s?watch=true&timeoutSeconds=1 HTTP/1.1\r
        Host: keelson\r
        Connection: %s\r
        Upgrade: websocket\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Version: 13\r
        \r
        """
            .formatted(MAPS, connection);
    try (RawConnection raw =
        RawConnection.tls(server.address(), server.kubeconfig().asUser(), "http/1.1")) {
      raw.out().write(head.getBytes(StandardCharsets.US_ASCII));
      raw.out().flush();

      assertThat(new String(raw.in().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 " + status);
    }
  }

  @Test
  void refusedWebSocket_leavesTheConnectionForTheNextRequest() throws Exception {
    try (RawConnection connection =
        RawConnection.tls(server.address(), server.kubeconfig().asUser(), "http/1.1")) {
      for (int i = 0; i < 2; i++) {
        RawConnection.Response answer =
            connection.ask(
                "",
                "GET /api/v1/unheard?watch=true HTTP/1.1",
                "Host: localhost",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");
        assertThat(answer.status()).isEqualTo(404);
      }
    }
  }

  @Test
  void strangersBody_isNotWaitedFor() throws Exception {
    try (RawConnection connection =
        RawConnection.tls(server.address(), server.kubeconfig().asNobody(), "http/1.1")) {
      RawConnection.Response answer =
          connection.ask(
              "{\"kind\":",
              "POST /api/v1/namespaces/default/configmaps HTTP/1.1",
              "Host: localhost",
              "Authorization: Bearer wrong",
              "Content-Type: application/json",
              "Content-Length: 3145728");

      assertThat(answer.status()).isEqualTo(401);
      // the rest of the body does not come, so the connection is of no use
      assertThat(connection.in().read()).isEqualTo(-1);
    }
  }

  @Test
  void bodyThatStalls_endsWithTheTimeoutOfTheRequest() throws Exception {
    try (RawConnection connection =
        RawConnection.tls(server.address(), server.kubeconfig().asUser(), "http/1.1")) {
      RawConnection.Response answer =
          connection.ask(
              "{\"kind\":".repeat(20_000),
              "POST /api/v1/namespaces/default/configmaps?timeout=1s HTTP/1.1",
              "Host: localhost",
              "Content-Type: application/json",
              "Content-Length: 3145728");

      assertThat(answer.status()).isEqualTo(504);
      assertThat(answer.body()).contains("request did not complete within the allotted timeout");
      assertThat(connection.in().read()).isEqualTo(-1);
    }
  }

  @Test
  void bodyThatIsTooLarge_isRefusedBeforeItIsSent() throws Exception {
    try (RawConnection connection =
        RawConnection.tls(server.address(), server.kubeconfig().asUser(), "http/1.1")) {
      RawConnection.Response answer =
          connection.ask(
              "",
              "POST /api/v1/namespaces/default/configmaps HTTP/1.1",
              "Host: localhost",
              "Content-Type: application/json",
              "Content-Length: 3145729");

      assertThat(answer.status()).isEqualTo(413);
      assertThat(connection.in().read()).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // by a wrong token, a verb that is none, a wrong format, its size
    "Bearer wrong, POST, /api/v1/namespaces/default/configmaps, application/json, 2, 401",
    "'', POST, /api/v1/nowhere, application/json, 2, 404",
    "'', DELETE, /apis, application/json, 2, 405",
    "'', POST, /version, application/json, 2, 405",
    "'', GET, /api/v1/namespaces, application/json, 2, 200",
    "'', POST, /api/v1/namespaces/default/configmaps, text/plain, 2, 406",
    "'', POST, /api/v1/namespaces/default/configmaps, application/json, 3145729, 413",
    "'', POST, /api/v1/namespaces/default/configmaps/%zz, application/json, 2, 400"
  })
  void requestThatIsAnsweredFromItsHead_isNotAskedForItsBody(
      String token, String method, String path, String type, int length, int status)
      throws Exception {
    try (RawConnection connection =
        RawConnection.tls(server.address(), server.kubeconfig().asNobody(), "http/1.1")) {
      RawConnection.Response answer =
          connection.ask(
              "",
              method + " " + path + " HTTP/1.1",
              "Host: localhost",
              "Content-Type: " + type,
              token.isEmpty() ? "X-None: 1" : "Authorization: " + token,
              "Expect: 100-continue",
              "Content-Length: " + length);

      assertThat(answer.status()).isEqualTo(status);
      // whether the body still comes cannot be known (RFC 9110, section 10.1.1)
      assertThat(answer.head()).containsIgnoringCase("\r\nconnection: close\r\n");
      assertThat(connection.in().read()).isEqualTo(-1);
    }
  }

  @Test
  void bodyIsAskedFor_whenItIsRead() throws Exception {
    String body = "{\"metadata\":{\"name\":\"" + name + "\"}}";
    try (RawConnection connection =
        RawConnection.tls(server.address(), server.kubeconfig().asUser(), "http/1.1")) {
      String[] head = {
        "POST " + MAPS + " HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        "Expect: 100-continue",
        "Content-Length: " + body.length()
      };
      assertThat(connection.ask("", head).status()).isEqualTo(100);
      connection.out().write(body.getBytes(StandardCharsets.US_ASCII));
      connection.out().flush();
      assertThat(connection.answer().status()).isEqualTo(201);

      // the connection is of use, also for a client that does not wait
      connection
          .out()
          .write(
              (String.join("\r\n", head) + "\r\n\r\n" + body).getBytes(StandardCharsets.US_ASCII));
      connection.out().flush();
      RawConnection.Response next = connection.answer();
      assertThat((next.status() == 100 ? connection.answer() : next).status()).isEqualTo(409);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP_1_1", "HTTP_2"})
  void clientThatExpects100_sendsItsBody(String version) throws Exception {
    try (HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.valueOf(version))
            .sslContext(server.kubeconfig().asUser())
            .build()) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(server.address().resolve(MAPS))
                  .expectContinue(true)
                  .header("Content-Type", "application/json")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          "{\"metadata\":{\"name\":\"" + name + "\"}}"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(201);
      assertThat(answer.version()).hasToString(version);
    }
  }

  private Map<String, Object> map() {
    return Map.of("metadata", Map.of("name", name));
  }

  private static JsonPath expectStatus(Response answer, int code, String reason, String message) {
    assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(code);
    assertThat(answer.contentType()).isEqualTo("application/json");
    JsonPath status = answer.jsonPath();
    assertThat(status.getString("kind")).isEqualTo("Status");
    assertThat(status.getString("apiVersion")).isEqualTo("v1");
    assertThat(status.getString("status")).isEqualTo("Failure");
    assertThat(status.getString("reason")).isEqualTo(reason);
    assertThat(status.getInt("code")).isEqualTo(code);
    if (!message.isEmpty()) {
      assertThat(status.getString("message")).isEqualTo(message);
    }
    return status;
  }
}
