package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.KmsPlugin;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.TraceCollector;
import dev.keelson.testing.TraceCollector.Collected;
import dev.keelson.testing.WebhookServer;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Traces of a server, as a collector, a webhook and an extension server get them. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class TracingIT {

  /** The exit code after SIGTERM. */
  private static final int TERMINATED = 143;

  /** The header by the path of the request, as another process got it. */
  private final Map<String, String> received = new ConcurrentHashMap<>();

  private TraceCollector collector;
  private WebhookServer others;
  private KeelsonProcess server;
  private RestClient rest;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    collector = new TraceCollector();
    others = new WebhookServer("localhost", this::answer);
    Path tokens = Files.writeString(directory.resolve("tokens.csv"), "of-ann,ann,7,\"dev\"\n");
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--authorization-mode=RBAC",
                "--token-auth-file=" + tokens,
                KeelsonProcess.FEW_CONTROLLERS,
                "--tracing-config-file=" + configuration(directory, collector.endpoint(), 0)));
    rest = RestClient.administrator(server);
    for (String kind : List.of("mutating", "validating")) {
      register(kind);
    }
    registerExtension();
  }

  @AfterAll
  void stop() throws InterruptedException {
    server.close();
    others.close();
    collector.close();
  }

  private static Path configuration(Path directory, String endpoint, int rate) throws IOException {
    return Files.writeString(
        directory.resolve("tracing-" + rate + ".yaml"),
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: TracingConfiguration
        endpoint: %s
        samplingRatePerMillion: %d
        """
            .formatted(endpoint, rate));
  }

  private void answer(HttpExchange exchange, byte[] body) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String parent = exchange.getRequestHeaders().getFirst("traceparent");
    if (parent != null) {
      received.put(path, parent);
    }
    if (path.startsWith("/mutating") || path.startsWith("/validating")) {
      String review = new String(body, StandardCharsets.UTF_8);
      int at = review.indexOf("\"uid\":\"") + 7;
      WebhookServer.respond(
          exchange,
          200,
          """
          {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",
           "response":{"uid":"%s","allowed":true}}
          """
              .formatted(review.substring(at, review.indexOf('"', at))));
    } else {
      WebhookServer.respond(
          exchange,
          200,
          """
          {"kind":"APIResourceList","apiVersion":"v1","groupVersion":"ext.example.com/v1",
           "resources":[]}
          """);
    }
  }

  private void register(String kind) {
    String kindName =
        (kind.equals("mutating") ? "Mutating" : "Validating") + "WebhookConfiguration";
    assertThat(
            rest.post(
                    "/apis/admissionregistration.k8s.io/v1/" + kind + "webhookconfigurations",
                    """
                    {"apiVersion":"admissionregistration.k8s.io/v1","kind":"%s",
                     "metadata":{"name":"%s"},
                     "webhooks":[{"name":"%s.example.com","admissionReviewVersions":["v1"],
                       "sideEffects":"None",
                       "clientConfig":{"url":"%s/%s","caBundle":"%s"},
                       "rules":[{"apiGroups":[""],"apiVersions":["v1"],
                         "operations":["CREATE"],"resources":["configmaps"]}]}]}
                    """
                        .formatted(
                            kindName,
                            kind,
                            kind,
                            others.url(),
                            kind,
                            Base64.getEncoder()
                                .encodeToString(others.pem().getBytes(StandardCharsets.UTF_8))))
                .statusCode())
        .isEqualTo(201);
  }

  private void registerExtension() {
    assertThat(
            rest.post(
                    "/api/v1/namespaces/default/services",
                    """
                    {"apiVersion":"v1","kind":"Service","metadata":{"name":"ext"},
                     "spec":{"type":"ExternalName","externalName":"localhost"}}
                    """)
                .statusCode())
        .isEqualTo(201);
    assertThat(
            rest.post(
                    "/apis/apiregistration.k8s.io/v1/apiservices",
                    """
                    {"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService",
                     "metadata":{"name":"v1.ext.example.com"},
                     "spec":{"group":"ext.example.com","version":"v1",
                       "groupPriorityMinimum":100,"versionPriority":10,
                       "insecureSkipTLSVerify":true,
                       "service":{"name":"ext","namespace":"default","port":%d}}}
                    """
                        .formatted(others.port()))
                .statusCode())
        .isEqualTo(201);
  }

  private static String hex(int bytes) {
    byte[] id = new byte[bytes];
    ThreadLocalRandom.current().nextBytes(id);
    id[0] |= 1;
    return HexFormat.of().formatHex(id);
  }

  /** Waits until the span of the request has come: it ends last. */
  private List<Collected> trace(String trace) {
    assertEventually(() -> assertThat(request(trace)).isPresent());
    return collector.spansOf(trace);
  }

  private Optional<Collected> request(String trace) {
    return collector.spansOf(trace).stream()
        .filter(span -> span.kind() == SpanKind.SPAN_KIND_SERVER)
        .findFirst();
  }

  private static Collected named(List<Collected> spans, String name) {
    assertThat(spans).extracting(Collected::name).contains(name);
    return spans.stream().filter(span -> span.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void sampledRequestOfAnAdministrator_isASpanForEachLayer() {
    String trace = hex(16);
    String caller = hex(8);

    Response created =
        rest.request()
            .header("traceparent", "00-" + trace + "-" + caller + "-01")
            .header("Audit-ID", "audit-of-" + trace)
            .contentType("application/json")
            .body("{\"metadata\":{\"name\":\"traced\"},\"data\":{\"a\":\"b\"}}")
            .post("/api/v1/namespaces/default/configmaps");

    assertThat(created.statusCode()).isEqualTo(201);
    List<Collected> spans = trace(trace);
    Collected root = named(spans, "POST /api/v1/namespaces/{:namespace}/configmaps");
    assertThat(root.parent()).isEqualTo(caller);
    assertThat(root.resource())
        .containsEntry("service.name", "apiserver")
        .hasEntrySatisfying("service.instance.id", id -> assertThat(id).startsWith("apiserver-"));
    assertThat(root.attributes())
        .containsEntry("http.request.method", "POST")
        .containsEntry("http.response.status_code", "201")
        .containsEntry("http.target", "/api/v1/namespaces/default/configmaps")
        .containsEntry("audit-id", "audit-of-" + trace);
    assertThat(named(spans, "authentication").parent()).isEqualTo(root.id());
    Collected verb = named(spans, "Create");
    assertThat(verb.parent()).isEqualTo(root.id());
    assertThat(verb.attributes())
        .containsEntry("url", "/api/v1/namespaces/default/configmaps")
        .containsEntry("client", "127.0.0.1")
        .containsEntry("accept", "*/*")
        .containsEntry("protocol", "HTTP/1.1")
        .containsKey("user-agent");
    assertThat(verb.events())
        .containsExactly(
            "limitedReadBody succeeded",
            "About to convert to expected version",
            "Conversion done",
            "About to store object in database",
            "Write to database call succeeded",
            "About to write a response",
            "Writing http response done");
    assertThat(named(spans, "authorization").parent()).isEqualTo(root.id());
    Collected mutating = named(spans, "MutatingAdmission");
    Collected call = named(spans, "Call mutating webhook");
    assertThat(call.parent()).isEqualTo(mutating.id());
    assertThat(call.attributes())
        .containsEntry("configuration", "mutating")
        .containsEntry("webhook", "mutating.example.com")
        .containsEntry("operation", "CREATE");
    assertThat(named(spans, "Call validating webhook").parent())
        .isEqualTo(named(spans, "ValidatingAdmission").id());
    Collected store =
        spans.stream()
            .filter(span -> span.name().matches("Create (etcd3|sqlite)"))
            .findFirst()
            .orElseThrow();
    assertThat(store.attributes())
        .containsEntry("resource", "configmaps")
        .containsEntry("type", "*core.ConfigMap")
        .hasEntrySatisfying("key", key -> assertThat(key).isEqualTo("/configmaps/default/traced"));
    assertThat(named(spans, "SerializeObject").attributes())
        .containsEntry("mediaType", "application/json")
        .containsEntry("method", "POST")
        .containsEntry("protocol", "HTTP/1.1")
        .containsEntry("url", "/api/v1/namespaces/default/configmaps")
        .containsEntry("audit-id", "audit-of-" + trace);
    assertThat(spans)
        .allSatisfy(
            span -> {
              assertThat(span.begin()).isGreaterThanOrEqualTo(root.begin() - 1_000_000);
              assertThat(span.end()).isGreaterThanOrEqualTo(span.begin());
              assertThat(span.failed()).isFalse();
            });
    assertThat(received.get("/mutating")).isEqualTo(parentOf(spans, trace, call));
  }

  /** The header that the HTTP request below a span has. */
  private static String parentOf(List<Collected> spans, String trace, Collected above) {
    Collected http =
        spans.stream()
            .filter(span -> span.parent().equals(above.id()))
            .filter(span -> span.kind() == SpanKind.SPAN_KIND_CLIENT)
            .findFirst()
            .orElseThrow();
    return "00-" + trace + "-" + http.id() + "-01";
  }

  @Test
  void requestForAnExtensionServer_passesTheTraceOn() {
    String trace = hex(16);
    assertEventually(
        () ->
            assertThat(rest.get("/apis/ext.example.com/v1").body().asString())
                .contains("ext.example.com/v1"));

    Response answer =
        rest.request()
            .header("traceparent", "00-" + trace + "-" + hex(8) + "-01")
            .header("baggage", "tenant=blue")
            .get("/apis/ext.example.com/v1/things");

    assertThat(answer.statusCode()).isEqualTo(200);
    List<Collected> spans = trace(trace);
    Collected root = request(trace).orElseThrow();
    Collected passed = named(spans, "HTTP GET");
    assertThat(passed.parent()).isEqualTo(root.id());
    assertThat(received.get("/apis/ext.example.com/v1/things"))
        .isEqualTo("00-" + trace + "-" + passed.id() + "-01");
  }

  @Test
  void refusedRequest_hasItsStatus_andIsNoFailureOfTheServer() {
    String trace = hex(16);
    rest.request()
        .header("traceparent", "00-" + trace + "-" + hex(8) + "-01")
        .get("/api/v1/namespaces/default/configmaps/absent")
        .then()
        .statusCode(404);

    assertThat(trace(trace)).isNotEmpty();
    assertThat(request(trace).orElseThrow().attributes())
        .containsEntry("http.response.status_code", "404");
    assertThat(request(trace).orElseThrow().failed()).isFalse();
  }

  @Test
  void sampledRequestOfAnOrdinaryUser_isNotSampledForThat() {
    String theirs = hex(16);
    String ours = hex(16);
    RestClient nobody = RestClient.nobody(server);
    nobody
        .request()
        .header("Authorization", "Bearer of-ann")
        .header("traceparent", "00-" + theirs + "-" + hex(8) + "-01")
        .get("/api/v1/namespaces/default/configmaps");

    rest.request()
        .header("traceparent", "00-" + ours + "-" + hex(8) + "-01")
        .get("/api/v1/namespaces/default/configmaps");

    // ours ended later, so theirs would have come before
    assertThat(trace(ours)).isNotEmpty();
    assertThat(collector.spansOf(theirs)).isEmpty();
    assertThat(collector.spans()).noneMatch(span -> span.links().contains(theirs));
  }

  @Test
  void unsampledRequest_withRateZero_leavesNoSpan() {
    String unsampled = hex(16);
    String sampled = hex(16);
    rest.request()
        .header("traceparent", "00-" + unsampled + "-" + hex(8) + "-00")
        .get("/api/v1/namespaces/default/configmaps");

    rest.request()
        .header("traceparent", "00-" + sampled + "-" + hex(8) + "-01")
        .get("/api/v1/namespaces/default/configmaps");

    assertThat(trace(sampled)).isNotEmpty();
    assertThat(collector.spansOf(unsampled)).isEmpty();
  }

  @Test
  void rateOfAMillion_samplesEveryRequest_andLinksThoseOfOthers(@TempDir Path directory)
      throws IOException, InterruptedException {
    String theirs = hex(16);
    try (TraceCollector all = new TraceCollector()) {
      Path tokens = Files.writeString(directory.resolve("tokens.csv"), "of-ann,ann,7\n");
      try (KeelsonProcess every =
          KeelsonProcess.start(
              directory.resolve("data"),
              List.of(
                  "--token-auth-file=" + tokens,
                  KeelsonProcess.FEW_CONTROLLERS,
                  "--tracing-config-file="
                      + configuration(directory, "dns:///" + all.endpoint(), 1_000_000)))) {
        RestClient.nobody(every)
            .request()
            .header("Authorization", "Bearer of-ann")
            .header("User-Agent", "ann/1")
            .header("traceparent", "00-" + theirs + "-" + hex(8) + "-00")
            .get("/api/v1/namespaces/default/pods/x");
        // what has not been sent is sent at the end
        assertThat(every.stop()).isEqualTo(TERMINATED);
      }
      Collected root =
          all.spans().stream()
              .filter(span -> "ann/1".equals(span.attributes().get("user_agent.original")))
              .findFirst()
              .orElseThrow();
      assertThat(root.name()).isEqualTo("GET /api/v1/namespaces/{:namespace}/pods/{:name}");
      assertThat(root.trace()).isNotEqualTo(theirs);
      assertThat(root.parent()).isEmpty();
      assertThat(root.links()).containsExactly(theirs);
    }
  }

  @Test
  void etcdAndKeyManagement_haveTheirSpansBelowThatOfTheStore(@TempDir Path directory)
      throws Exception {
    KmsPlugin plugin = new KmsPlugin(directory.resolve("kms.sock"));
    Path encryption =
        Files.writeString(
            directory.resolve("encryption.yaml"),
            """
            apiVersion: apiserver.config.k8s.io/v1
            kind: EncryptionConfiguration
            resources:
            - resources: [secrets]
              providers:
              - kms: {apiVersion: v2, name: demo, endpoint: '%s'}
            """
                .formatted(plugin.endpoint()));
    plugin.start();
    try (plugin;
        EtcdProcess etcd = EtcdProcess.create().start();
        KeelsonProcess onEtcd =
            KeelsonProcess.start(
                directory.resolve("data"),
                List.of(
                    KeelsonProcess.FEW_CONTROLLERS,
                    "--etcd-servers=" + etcd.endpoint(),
                    "--encryption-provider-config=" + encryption,
                    "--tracing-config-file="
                        + configuration(directory, collector.endpoint(), 0)))) {
      String trace = hex(16);
      RestClient.administrator(onEtcd)
          .request()
          .header("traceparent", "00-" + trace + "-" + hex(8) + "-01")
          .contentType("application/json")
          .body("{\"metadata\":{\"name\":\"s\"},\"stringData\":{\"a\":\"b\"}}")
          .post("/api/v1/namespaces/default/secrets")
          .then()
          .statusCode(201);

      List<Collected> spans = trace(trace);
      Collected verb = named(spans, "Create");
      Collected envelope = named(spans, "TransformToStorage with envelopeTransformer");
      assertThat(envelope.parent()).isEqualTo(verb.id());
      assertThat(envelope.attributes()).containsEntry("transformer.provider.name", "demo");
      Collected store = named(spans, "Create etcd3");
      assertThat(store.attributes()).containsEntry("key", "/secrets/default/s");
      Collected rpc = named(spans, "etcdserverpb.KV/Txn");
      assertThat(rpc.parent()).isEqualTo(store.id());
      assertThat(rpc.kind()).isEqualTo(SpanKind.SPAN_KIND_CLIENT);
      assertThat(rpc.attributes()).containsEntry("rpc.system", "grpc");
      assertThat(rpc.events()).containsExactly("message", "message");
      assertThat(envelope.events())
          .containsExactly(
              "About to encrypt data using DEK",
              "Data encryption succeeded",
              "About to encode encrypted object",
              "Encoded encrypted object");
      assertThat(store.events())
          .containsExactly(
              "About to Encode",
              "Encode succeeded",
              "TransformToStorage succeeded",
              "Txn call succeeded",
              "decode succeeded");
      assertReadsAndAPatch(RestClient.administrator(onEtcd));
    }
  }

  /** What Kubernetes' test/integration/apiserver/tracing expects. */
  private void assertReadsAndAPatch(RestClient client) {
    String secrets = "/api/v1/namespaces/default/secrets";
    assertEventually(
        () -> {
          // a read at the same time as another one may share its request
          List<Collected> get = traced(client, "GET", secrets + "/s", "");
          assertThat(named(get, "etcdserverpb.KV/Range").parent())
              .isEqualTo(named(get, "Get").id());
        });

    Collected encoded = named(traced(client, "GET", secrets, ""), "SerializeObject");
    assertThat(encoded.attributes())
        .containsEntry("mediaType", "application/json")
        .containsEntry("url", secrets)
        .containsEntry("method", "GET")
        .hasEntrySatisfying(
            "encoder", encoder -> assertThat(encoder).startsWith("{\"encodeGV\":\"v1\","));
    assertThat(encoded.events())
        .containsExactly("About to start writing response", "Write call succeeded");

    List<Collected> patch =
        traced(client, "PATCH", secrets + "/s", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
    assertThat(named(patch, "Patch").events())
        .containsExactly(
            "limitedReadBody succeeded",
            "Recorded the audit event",
            "About to apply patch",
            "About to check admission control",
            "Object stored in database",
            "About to write a response",
            "Writing http response done");
    assertThat(named(patch, "GuaranteedUpdate etcd3").events())
        .containsExactly(
            "initial value restored",
            "About to Encode",
            "Encode succeeded",
            "TransformToStorage succeeded",
            "Transaction prepared",
            "Txn call completed",
            "Transaction committed",
            "decode succeeded");
  }

  private List<Collected> traced(RestClient client, String method, String path, String patch) {
    String trace = hex(16);
    RequestSpecification request =
        client.request().header("traceparent", "00-" + trace + "-" + hex(8) + "-01");
    RequestSpecification sent =
        patch.isEmpty() ? request : request.contentType("application/merge-patch+json").body(patch);
    sent.request(method, path).then().statusCode(200);
    return trace(trace);
  }
}
