package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.PostgresProcess;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WebhookServer;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets, ConfigMaps and tokens in requests of every kind, good and bad, of a server with every
 * back end of the audit under the policy that docs/audit.md recommends. None of it may be in any.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(300)
class PlantedSecretsIT {

  private static final String SECRET = "planted-in-an-object";
  private static final String ENCODED =
      Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));

  private static final String DEFAULT = "/api/v1/namespaces/default/";
  private static final String JSON = "application/json";
  private static final String YAML = "application/yaml";
  private static final String MERGE = "application/merge-patch+json";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";
  private static final String JSON_PATCH = "application/json-patch+json";
  private static final String APPLY = "application/apply-patch+yaml";

  private static final String SINK = "/apis/auditregistration.k8s.io/v1alpha1/auditsinks";

  private final Queue<String> posted = new ConcurrentLinkedQueue<>();
  private final Queue<String> sunk = new ConcurrentLinkedQueue<>();

  /** What no back end may hold. */
  private final List<String> planted =
      new ArrayList<>(List.of(SECRET, ENCODED, hex(SECRET), hex(ENCODED)));

  /** The status of the answer to each request, by audit id. */
  private final Map<String, Integer> asked = new LinkedHashMap<>();

  /** Each request is sent, whatever the answer to another is. */
  private final SoftAssertions answers = new SoftAssertions();

  private PostgresProcess postgres;
  private WebhookServer webhook;
  private WebhookServer receiver;
  private Path log;
  private KeelsonProcess server;
  private RestClient admin;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Assumptions.assumeTrue(PostgresProcess.isInstalled(), "PostgreSQL is not installed");
    postgres = PostgresProcess.start();
    webhook = new WebhookServer("webhook", (exchange, body) -> take(posted, exchange, body));
    receiver = new WebhookServer("receiver", (exchange, body) -> take(sunk, exchange, body));
    log = directory.resolve("log/audit.log");
    Path policy = Files.writeString(directory.resolve("policy.yaml"), recommended());
    Path config = Files.writeString(directory.resolve("webhook.yaml"), kubeconfig());
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--audit-policy-file=" + policy,
                "--audit-log-path=" + log,
                "--audit-webhook-config-file=" + config,
                "--audit-webhook-batch-max-wait=100ms",
                "--audit-trail=" + postgres.url(),
                "--feature-gates=DynamicAuditing=true",
                "--audit-dynamic-configuration"));
    admin = RestClient.administrator(server);
    kubectl =
        new Kubectl(server.kubeconfigFile(), Files.createDirectory(directory.resolve("home")));
    String sink =
        """
        {"metadata": {"name": "security"},
         "spec": {
           "policy": {"level": "Metadata", "stages": ["ResponseStarted", "ResponseComplete"]},
           "webhook": {"clientConfig": {"url": "%s/events", "caBundle": "%s"}}}}
        """
            .formatted(receiver.url(), base64(receiver.pem()));
    assertThat(admin.post(SINK, sink).statusCode()).isEqualTo(201);
  }

  private String kubeconfig() {
    return """
    current-context: c
    contexts: [{name: c, context: {cluster: c}}]
    clusters: [{name: c, cluster: {server: "%s/events", certificate-authority-data: %s}}]
    """
        .formatted(webhook.url(), base64(webhook.pem()));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void take(Queue<String> taken, HttpExchange exchange, byte[] body)
      throws IOException {
    taken.add(new String(body, StandardCharsets.UTF_8));
    WebhookServer.respond(exchange, 200, "text/plain", new byte[0]);
  }

  @AfterAll
  void stop() {
    Stream.<AutoCloseable>of(server, webhook, receiver, postgres)
        .forEach(
            each -> {
              try {
                each.close();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
  }

  @Test
  void secrets_areInNoBackEnd() throws IOException {
    writes("secrets", "data", ENCODED);
    writes("configmaps", "data", SECRET);
    reads("secrets");
    reads("configmaps");
    failures("secrets", ENCODED);
    failures("configmaps", SECRET);
    failuresOfSecrets();
    tokens();
    applied("secret");
    applied("configmap");
    removals("secrets");
    removals("configmaps");
    // what the policy does let through shows that the search would find it
    String seen = "a-name-that-may-be-seen";
    ask(201, "POST", DEFAULT + "resourcequotas", JSON, "{'metadata':{'name':'" + seen + "'}}");
    answers.assertAll();
    // a sink that goes sends what it has
    assertThat(admin.delete(SINK + "/security").statusCode()).isEqualTo(200);
    assertThat(admin.get(DEFAULT + "configmaps/none").statusCode()).isEqualTo(404);

    assertEventually(() -> assertThat(String.join("", posted)).contains(asked.keySet()));
    assertEventually(() -> assertThat(String.join("", sunk)).contains(asked.keySet()));
    assertEventually(() -> assertThat(postgres.dump()).contains(asked.keySet()));
    Map<String, String> backEnds =
        Map.of(
            "log", Files.readString(log),
            "webhook", String.join("", posted),
            "sink", String.join("", sunk),
            "trail", postgres.dump(),
            "spool", text(server.dataDirectory().resolve("audit-spool")),
            "log of the server", server.log());
    assertThat(backEnds.get("log")).contains(asked.keySet());
    for (String backEnd : List.of("log", "webhook", "sink", "trail")) {
      assertThat(backEnds.get(backEnd)).as(backEnd).contains(seen);
    }
    backEnds.forEach(
        (name, text) ->
            planted.forEach(
                secret ->
                    assertThat(text.contains(secret))
                        .as("%s in the %s: %s", secret, name, around(text, secret))
                        .isFalse()));
  }

  private void writes(String resource, String field, String value) {
    String path = DEFAULT + resource;
    String one = path + "/s";
    String body = object("s", field, value);
    ask(201, "POST", path, JSON, body);
    ask(201, "POST", path, YAML, "metadata: {name: yaml}\n" + field + ": {k: " + value + "}\n");
    ask(200, "PUT", one, JSON, body);
    ask(200, "PATCH", one, MERGE, "{'" + field + "':{'merged':'" + value + "'}}");
    ask(200, "PATCH", one, STRATEGIC, "{'" + field + "':{'strategic':'" + value + "'}}");
    ask(200, "PATCH", one, JSON_PATCH, added("/" + field + "/patched", value));
    String kind = resource.equals("secrets") ? "Secret" : "ConfigMap";
    String applied =
        "apiVersion: v1\nkind: "
            + kind
            + "\nmetadata: {name: s}\n"
            + field
            + ": {applied: "
            + value
            + "}\n";
    ask(200, "PATCH", one + "?fieldManager=one", APPLY, applied);
    ask(201, "PATCH", path + "/a?fieldManager=one", APPLY, applied.replace("name: s", "name: a"));
    ask(
        409,
        "PATCH",
        one + "?fieldManager=two",
        APPLY,
        applied.replace("applied", "merged").replace(value, base64(SECRET + "-2")));
    String annotated =
        "{'metadata':{'annotations':{'kubectl.kubernetes.io/last-applied-configuration':'"
            + value
            + "'}}}";
    ask(200, "PATCH", one, MERGE, annotated);
    ask(201, "POST", path + "?dryRun=All", JSON, object("dry", field, value));
  }

  private void reads(String resource) {
    String path = DEFAULT + resource;
    String partial = "application/json;g=meta.k8s.io;v=v1;as=PartialObjectMetadata";
    for (String where : List.of(path, "/api/v1/" + resource, path + "?watch=1&timeoutSeconds=1")) {
      read(where, JSON);
      read(where, "application/json;g=meta.k8s.io;v=v1;as=Table");
      read(where, where.contains("watch") ? partial : partial + "List");
    }
    ask(200, "GET", path + "/s", JSON, "");
  }

  private void read(String path, String accept) {
    String id = next();
    Response answer = admin.request().header("Audit-ID", id).header("Accept", accept).get(path);
    answers.assertThat(answer.statusCode()).as(path + " as " + accept).isEqualTo(200);
    asked.put(id, answer.statusCode());
  }

  /** Requests that fail before there is an object, and those that fail by what the object says. */
  private void failures(String resource, String value) {
    String path = DEFAULT + resource;
    String one = path + "/s";
    ask(409, "POST", path, JSON, object("s", "data", value));
    ask(422, "POST", path, JSON, object("Not-A-Name", "data", value));
    ask(422, "POST", path, JSON, object("bad-key", "data", value).replace("'k'", "'a key'"));
    ask(400, "POST", path, JSON, "{'metadata':{'name':'cut'},'data':{'k':'" + value);
    ask(400, "POST", path, JSON, "{'metadata':{'name':'text'},'data':'" + value + "'}");
    ask(400, "POST", path, JSON, "{'metadata':{'name':'deep'},'data':{'k':{'k':'" + value + "'}}}");
    ask(400, "POST", path, JSON, "{'metadata':{'name':'list'},'data':['" + value + "']}");
    ask(400, "POST", path, JSON, "{'metadata':{'name':'bool'},'immutable':'" + value + "'}");
    ask(400, "POST", path, JSON, value);
    ask(400, "POST", path, YAML, "metadata: {name: x}\ndata:\n\tk: " + value + "\n");
    ask(400, "POST", path, YAML, "data: {k: " + value + "\n");
    ask(400, "POST", path + "?fieldValidation=Strict", JSON, object("strict", "more", value));
    ask(406, "POST", path, "text/plain", value);
    ask(400, "PUT", one, JSON, object("other", "data", value));
    ask(
        409,
        "PUT",
        one,
        JSON,
        object("s", "data", value).replace("{'name'", "{'resourceVersion':'1','name'"));
    ask(422, "PATCH", one, JSON_PATCH, "[{'op':'test','path':'/data/k','value':'" + value + "x'}]");
    ask(400, "PATCH", one, JSON_PATCH, "[{'op':'add','path':'/data/k','value':'" + value);
    ask(422, "PATCH", one, JSON_PATCH, added("/data/k/in/a/text", value));
    ask(400, "PATCH", one, MERGE, "{'data':{'k':'" + value);
    ask(422, "PATCH", one, MERGE, "{'data':'" + value + "'}");
    ask(422, "PATCH", one, STRATEGIC, "{'data':'" + value + "'}");
    ask(400, "PATCH", one + "?fieldManager=one", APPLY, "data: {k: " + value + "}");
    ask(400, "PATCH", one + "?fieldManager=one", APPLY, "data: {k: " + value);
    ask(404, "PATCH", path + "/none", MERGE, "{'data':{'k':'" + value + "'}}");
    ask(400, "PUT", one, JSON, value);
    ask(404, "POST", "/api/v1/namespaces/none/" + resource, JSON, object("s", "data", value));
    ask(413, "POST", path, JSON, object("large", "data", value.repeat(200_000)));
    String frozen = object("frozen", "data", value).replaceFirst("\\{", "{'immutable':true,");
    ask(201, "POST", path, JSON, frozen);
    ask(422, "PATCH", path + "/frozen", MERGE, "{'data':{'more':'" + value + "'}}");
    ask(422, "PATCH", one, MERGE, "{'metadata':{'annotations':{'not a key':'" + value + "'}}}");
  }

  private void failuresOfSecrets() {
    String path = DEFAULT + "secrets";
    ask(400, "POST", path, JSON, object("clear", "data", SECRET));
    ask(201, "POST", path, JSON, object("string", "stringData", SECRET));
    for (String type :
        List.of(
            "kubernetes.io/dockerconfigjson",
            "kubernetes.io/dockercfg",
            "kubernetes.io/tls",
            "kubernetes.io/ssh-auth",
            "kubernetes.io/basic-auth",
            "kubernetes.io/service-account-token")) {
      String typed =
          object("typed", "data", ENCODED).replaceFirst("\\{", "{'type':'" + type + "',");
      ask(422, "POST", path, JSON, typed.replace("'k'", "'." + type.substring(14) + "'"));
    }
    ask(
        422,
        "PATCH",
        path + "/s",
        MERGE,
        "{'type':'" + SECRET + "','data':{'k':'" + ENCODED + "'}}");
  }

  private void tokens() {
    String reviews = "/apis/authentication.k8s.io/v1/tokenreviews";
    String requests = DEFAULT + "serviceaccounts/default/token";
    Response issued = ask(201, "POST", requests, JSON, "{'spec':{}}");
    String token = issued.path("status.token");
    // each part: a message may have quoted one
    planted.addAll(List.of(token.split("\\.")).subList(1, 3));
    Response review = ask(201, "POST", reviews, JSON, "{'spec':{'token':'" + token + "'}}");
    assertThat(review.<Boolean>path("status.authenticated")).isTrue();
    ask(201, "POST", reviews, JSON, "{'spec':{'token':'" + token + "x'}}");
    ask(201, "POST", reviews, JSON, "{'spec':{'token':'" + SECRET + "'}}");
    ask(400, "POST", reviews, JSON, "{'spec':{'token':['" + token + "']}}");
    ask(400, "POST", reviews, JSON, "{'spec':'" + token + "'}");
    ask(422, "POST", requests, JSON, "{'spec':{'expirationSeconds':1}}");
    ask(400, "POST", requests, JSON, "{'spec':{'expirationSeconds':'" + SECRET + "'}}");
    for (String shown : List.of(token, token + "x", SECRET)) {
      String id = next();
      Response answer =
          RestClient.nobody(server)
              .request()
              .header("Audit-ID", id)
              .header("Authorization", "Bearer " + shown)
              .get(DEFAULT + "secrets");
      assertThat(answer.statusCode()).isEqualTo(shown.equals(token) ? 200 : 401);
      asked.put(id, answer.statusCode());
    }
  }

  /** kubectl keeps all of the object in an annotation. */
  private void applied(String kind) {
    String manifest =
        """
        {"apiVersion": "v1", "kind": "%s", "metadata": {"name": "by-kubectl", "labels": {"a": "1"}},
         "data": {"k": "%s"}}
        """
            .formatted(kind.equals("secret") ? "Secret" : "ConfigMap", ENCODED);
    assertThat(kubectl.runWithInput(manifest, "apply", "-f", "-")).contains("created");
    String changed = manifest.replace("\"1\"", "\"2\"");
    assertThat(kubectl.runWithInput(changed, "apply", "-f", "-")).contains("configured");
    assertThat(kubectl.run("get", kind, "by-kubectl", "-o", "yaml")).contains("last-applied");
  }

  private void removals(String resource) {
    String path = DEFAULT + resource;
    ask(200, "DELETE", path + "/s", JSON, "{'propagationPolicy':'Background'}");
    ask(400, "DELETE", path + "/yaml", JSON, "{'propagationPolicy':{'k':'" + ENCODED + "'}}");
    ask(200, "DELETE", path, JSON, "");
  }

  /** The begin of a body that cannot be read, as messages show it. */
  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8), 0, 16);
  }

  private static String object(String name, String field, String value) {
    return "{'metadata':{'name':'" + name + "'},'" + field + "':{'k':'" + value + "'}}";
  }

  private static String added(String path, String value) {
    return "[{'op':'add','path':'" + path + "','value':'" + value + "'}]";
  }

  /** Sends a request that is answered with this status. Quotes are single in the body. */
  private Response ask(int status, String method, String path, String type, String body) {
    String id = next();
    Response answer =
        admin
            .request()
            .header("Audit-ID", id)
            .contentType(type)
            .body(body.replace('\'', '"'))
            .request(method, path);
    answers
        .assertThat(answer.statusCode())
        .as("%s %s %s %s%n%s", method, path, type, abbreviated(body), answer.asString())
        .isEqualTo(status);
    asked.put(id, status);
    return answer;
  }

  private static String abbreviated(String text) {
    return text.substring(0, Math.min(text.length(), 200));
  }

  private String next() {
    return "request-" + (1000 + asked.size());
  }

  private static String around(String text, String found) {
    int at = text.indexOf(found);
    return at < 0
        ? ""
        : text.substring(Math.max(0, at - 800), Math.min(text.length(), at + found.length() + 200));
  }

  private static String text(Path root) {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all.toString();
  }

  /** The policy of docs/audit.md, which is the first YAML block there. */
  private static String recommended() throws IOException {
    String document = Files.readString(Path.of("docs", "audit.md"));
    int begin = document.indexOf("```yaml\n") + "```yaml\n".length();
    return document.substring(begin, document.indexOf("```", begin));
  }
}
