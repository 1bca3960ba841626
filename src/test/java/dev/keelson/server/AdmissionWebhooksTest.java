package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.AdmissionScope;
import dev.keelson.registry.Collection;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.subresource.Subresources;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.request.AuditAnnotations;
import dev.keelson.request.Deadline;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.WebhookServer;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Admission webhooks behind real HTTPS servers. */
@Timeout(120)
class AdmissionWebhooksTest {

  private static final UserInfo USER =
      new UserInfo("jane", "7", List.of("devs"), Map.of("team", List.of("a")));

  private final Vertx vertx = Vertx.vertx();
  private final List<MapNode> reviews = new CopyOnWriteArrayList<>();
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final Map<String, String> annotations = new TreeMap<>();
  private final List<String> shown = new CopyOnWriteArrayList<>();

  /** Answers the request of a review with the fields of a response. */
  private volatile UnaryOperator<MapNode> responses = request -> allowed();

  private final WebhookServer hook = new WebhookServer("hook.default.svc", this::answer);
  private OpenedResources opened;
  private ComposedServer server;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    Path kubeconfig = directory.resolve("hooks.kubeconfig");
    Files.writeString(
        kubeconfig,
        "{kind: Config, users: [{name: \"127.0.0.1:"
            + hook.port()
            + "\", user: {token: secret}}]}");
    Path configuration = directory.resolve("admission.yaml");
    Files.writeString(
        configuration,
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: AdmissionConfiguration
        plugins:
        - name: ValidatingAdmissionWebhook
          configuration:
            apiVersion: apiserver.config.k8s.io/v1
            kind: WebhookAdmissionConfiguration
            kubeConfigFile: hooks.kubeconfig
        """);
    opened =
        OpenedResources.open(
            CustomTypesContract.options(
                List.of(
                    "--data-dir=" + directory.resolve("data"),
                    "--secure-port=0",
                    "--admission-control-config-file=" + configuration)),
            InstantSource.system());
    server = ComposedServer.of(opened, vertx);
    assertThat(server.server().ready(6443, Duration.ZERO)).contains("ready");
  }

  @AfterEach
  void stop() throws Exception {
    hook.close();
    int running = server.server().stop();
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    assertThat(running).isZero();
  }

  private void answer(HttpExchange exchange, byte[] body) throws IOException {
    shown.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    MapNode review = (MapNode) ObjectReader.untypedJson(body);
    MapNode request = review.map("request");
    if (request.map("userInfo").text("username").equals(USER.name())) {
      reviews.add(review);
    } else {
      // the controllers of the server write as well
      String allowed = json(allowed().with("uid", Node.text(request.text("uid"))));
      WebhookServer.respond(
          exchange, 200, json(review.without("request").with("response", tree(allowed))));
      return;
    }
    MapNode response = responses.apply(request).with("uid", Node.text(request.text("uid")));
    WebhookServer.respond(
        exchange, 200, json(review.without("request").with("response", response)));
  }

  private static MapNode allowed() {
    return MapNode.of("allowed", Node.Bool.TRUE);
  }

  private static MapNode patching(String patch) {
    return allowed()
        .with("patchType", Node.text("JSONPatch"))
        .with(
            "patch",
            Node.text(
                Base64.getEncoder()
                    .encodeToString(patch.replace('\'', '"').getBytes(StandardCharsets.UTF_8))));
  }

  private static String json(MapNode node) {
    return new String(ObjectWriter.json(node), StandardCharsets.UTF_8);
  }

  private static MapNode tree(String json) {
    return (MapNode)
        ObjectReader.untypedJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private Collection collection(String version, String resource, String namespace) {
    ResourceDefinition definition =
        server
            .catalog()
            .current()
            .find(GroupVersion.parse(version).resource(resource))
            .orElseThrow();
    return new Collection(definition, namespace);
  }

  private ApiObject object(Collection collection, String json) {
    ResourceDefinition definition = collection.definition();
    return new ApiObject(
            ObjectReader.json(
                    json.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
                    definition.schema(),
                    FieldValidation.STRICT)
                .root())
        .withType(definition.gvk().apiVersion(), definition.kind());
  }

  private WriteOptions options(boolean dryRun) {
    AuditAnnotations audit =
        new AuditAnnotations() {
          @Override
          public void annotate(String key, String value) {
            annotations.put(key, value);
          }

          @Override
          public boolean showsBodies() {
            return true;
          }
        };
    return new WriteOptions(
        dryRun,
        "me",
        USER,
        warnings::add,
        () -> {},
        new AdmissionScope(
            true, tree("{'fieldManager':'me'}"), audit, Deadline.in(Duration.ofSeconds(20))));
  }

  private ApiObject create(Collection collection, String json) {
    return server
        .registry()
        .served(server.registry().create(collection, object(collection, json), options(false)));
  }

  private Collection maps() {
    return collection("v1", "configmaps", "default");
  }

  private ApiObject createMap(String name) {
    return create(maps(), "{'metadata':{'name':'" + name + "'}}");
  }

  private ApiException refused(String name) {
    return catchThrowableOfType(ApiException.class, () -> createMap(name));
  }

  /** A webhook on creates of config maps, with more fields. */
  private String webhook(String name, String fields) {
    return """
    {'name':'NAME','admissionReviewVersions':['v1'],'sideEffects':'None',
     'clientConfig':{'url':'URL/path','caBundle':'CA'},
     'rules':[{'apiGroups':[''],'apiVersions':['v1'],'resources':['configmaps'],
               'operations':['CREATE']}]FIELDS}
    """
        .replace("NAME", name)
        .replace("URL", hook.url())
        .replace(
            "CA",
            Base64.getEncoder().encodeToString(hook.pem().getBytes(StandardCharsets.US_ASCII)))
        .replace("FIELDS", fields.isEmpty() ? "" : "," + fields);
  }

  private void register(String type, String name, String... webhooks) {
    Collection configurations =
        collection("admissionregistration.k8s.io/v1", type + "webhookconfigurations", "");
    ApiObject unused =
        create(
            configurations,
            "{'metadata':{'name':'" + name + "'},'webhooks':[" + String.join(",", webhooks) + "]}");
  }

  @Test
  void review_hasEveryField() {
    register("validating", "v", webhook("a.b.c", ""));

    ApiObject unused = createMap("one");

    assertThat(reviews).hasSize(1);
    MapNode review = reviews.getFirst();
    assertThat(review.text("apiVersion")).isEqualTo("admission.k8s.io/v1");
    MapNode request = review.map("request");
    assertThat(request.text("uid")).hasSize(36);
    assertThat(request.map("object").map("metadata").text("uid")).isNotEmpty();
    assertThat(request.without("uid").without("object"))
        .isEqualTo(
            tree(
                """
                {'kind':{'group':'','version':'v1','kind':'ConfigMap'},
                 'resource':{'group':'','version':'v1','resource':'configmaps'},
                 'requestKind':{'group':'','version':'v1','kind':'ConfigMap'},
                 'requestResource':{'group':'','version':'v1','resource':'configmaps'},
                 'name':'one','namespace':'default','operation':'CREATE',
                 'userInfo':{'username':'jane','uid':'7','groups':['devs'],'extra':{'team':['a']}},
                 'oldObject':null,'dryRun':false,
                 'options':{'kind':'CreateOptions','apiVersion':'meta.k8s.io/v1',
                            'fieldManager':'me'}}
                """));
  }

  @Test
  void configuration_worksFromTheNextRequest_untilItIsDeleted() {
    responses = request -> MapNode.of("allowed", Node.Bool.FALSE);
    register("validating", "v", webhook("a.b.c", ""));
    assertThat(refused("one").code()).isEqualTo(400);

    assertThat(
            server
                .registry()
                .delete(
                    collection(
                        "admissionregistration.k8s.io/v1", "validatingwebhookconfigurations", ""),
                    "v",
                    DeleteQuery.UNCONDITIONAL,
                    options(false))
                .gone())
        .isTrue();

    assertThat(createMap("one").meta().name()).isEqualTo("one");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|400||admission webhook \"a.b.c\" denied the request without explanation",
        "{'message':'no'}|400||admission webhook \"a.b.c\" denied the request: no",
        "{'reason':'Forbidden'}|400|Forbidden|admission webhook \"a.b.c\" denied the request:"
            + " Forbidden",
        "{'code':200,'message':'x'}|400||admission webhook \"a.b.c\" denied the request: x",
        "{'code':402,'reason':'Pay','message':'x'}|402|Pay|admission webhook \"a.b.c\" denied the"
            + " request: x",
      })
  void denial_hasTheStatusOfTheWebhook(String status, int code, String reason, String message) {
    responses = request -> MapNode.of("allowed", Node.Bool.FALSE).with("status", tree(status));
    register("validating", "v", webhook("a.b.c", ""));

    ApiException refusal = refused("one");

    assertThat(refusal.text()).isEqualTo(message);
    assertThat(refusal.code()).isEqualTo(code);
    assertThat(refusal.word()).isEqualTo(reason == null ? "" : reason);
  }

  @Test
  void patch_isApplied_andPrunedBySchema() {
    responses =
        request ->
            patching(
                "[{'op':'add','path':'/data','value':{'a':'b'}},"
                    + "{'op':'add','path':'/unknown','value':1}]");
    register("mutating", "m", webhook("a.b.c", ""));

    ApiObject created = createMap("one");

    assertThat(created.root().map("data")).isEqualTo(tree("{'a':'b'}"));
    assertThat(created.root().has("unknown")).isFalse();
    assertThat(annotations)
        .containsEntry(
            "mutation.webhook.admission.k8s.io/round_0_index_0",
            "{\"configuration\":\"m\",\"webhook\":\"a.b.c\",\"mutated\":true}")
        .containsKey("patch.webhook.admission.k8s.io/round_0_index_0");
  }

  @Test
  void warningsAndAnnotations_reachTheRequest() {
    responses =
        request ->
            allowed()
                .with("warnings", Node.texts(List.of("careful")))
                .with("auditAnnotations", MapNode.of("k", Node.text("v")));
    register("validating", "v", webhook("a.b.c", ""));

    ApiObject unused = createMap("one");

    assertThat(warnings).contains("careful");
    assertThat(annotations).containsEntry("a.b.c/k", "v");
  }

  @Test
  void mutatingWebhooks_areCalledInOrder_andReinvokedOnce() {
    List<String> called = new CopyOnWriteArrayList<>();
    responses =
        request -> {
          MapNode data = request.map("object").map("data");
          called.add(Integer.toString(data.size()));
          return data.isEmpty()
              ? patching("[{'op':'add','path':'/data','value':{'a':'b'}}]")
              : data.size() == 1
                  ? patching("[{'op':'add','path':'/data/c','value':'d'}]")
                  : allowed();
        };
    register("mutating", "m2", webhook("second.b.c", ""));
    register("mutating", "m1", webhook("first.b.c", "'reinvocationPolicy':'IfNeeded'"));

    ApiObject created = createMap("one");

    assertThat(called).containsExactly("0", "1", "2");
    assertThat(created.root().map("data")).isEqualTo(tree("{'a':'b','c':'d'}"));
    assertThat(annotations)
        .containsEntry(
            "mutation.webhook.admission.k8s.io/round_1_index_0",
            "{\"configuration\":\"m1\",\"webhook\":\"first.b.c\",\"mutated\":false}");
  }

  @Test
  void validatingWebhooks_areCalledSideBySide_andTheirRefusalsJoined() {
    CountDownLatch both = new CountDownLatch(2);
    responses =
        request -> {
          both.countDown();
          try {
            assertThat(both.await(30, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return MapNode.of("allowed", Node.Bool.FALSE);
        };
    register("validating", "v", webhook("a.b.c", ""), webhook("d.e.f", ""));

    assertThat(refused("one"))
        .hasMessage(
            "[admission webhook \"a.b.c\" denied the request without explanation,"
                + " admission webhook \"d.e.f\" denied the request without explanation]");
  }

  @Test
  void dryRun_meetsWebhooksWithoutSideEffectsOnly() {
    register("validating", "v", webhook("a.b.c", ""));

    ApiObject unused =
        server
            .registry()
            .served(
                server
                    .registry()
                    .create(maps(), object(maps(), "{'metadata':{'name':'one'}}"), options(true)));

    assertThat(reviews.getFirst().map("request").get("dryRun")).isEqualTo(Node.Bool.TRUE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "garbage|failed to call webhook: couldn't get version/kind; json parse error: ",
        "uid|received invalid webhook response: expected response.uid=\"",
        "absent|received invalid webhook response: webhook response was absent",
        "untyped|received invalid webhook response: expected webhook response of"
            + " admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=",
        "status|failed to call webhook: an error on the server (\"",
        "empty|failed to call webhook: 0-length response with status code: 200 and content type:",
        "huge|failed to call webhook: Post \"https://127.0.0.1:",
        "reset|failed to call webhook: Post \"https://127.0.0.1:",
        "hang|failed to call webhook: Post \"https://127.0.0.1:",
        "patch|received invalid webhook response: webhook returned response.patch but not",
        "type|unsupported patch type \"Other\"",
        "base64|failed to call webhook: illegal base64 data at input byte 3",
        "undecodable|received undecodable patch in webhook response: ",
        "list|received undecodable patch in webhook response: json: cannot unmarshal",
        "boolean|failed to call webhook: json: cannot unmarshal string into Go struct field"
            + " AdmissionResponse.response.allowed of type bool",
      })
  void failure_isToldWithItsCause_orIgnored(String lie, String message) {
    CountDownLatch end = new CountDownLatch(1);
    hook.handle((exchange, body) -> lie(lie, exchange, body, end));
    register("mutating", "m", webhook("a.b.c", "'timeoutSeconds':" + (lie.equals("hang") ? 1 : 9)));

    ApiException failure = refused("one");

    assertThat(failure.reason()).isEqualTo(Reason.INTERNAL_ERROR);
    assertThat(failure.text())
        .startsWith("Internal error occurred: failed calling webhook \"a.b.c\": " + message);
    register("mutating", "i", webhook("i.b.c", "'failurePolicy':'Ignore','timeoutSeconds':1"));
    server
        .registry()
        .delete(
            collection("admissionregistration.k8s.io/v1", "mutatingwebhookconfigurations", ""),
            "m",
            DeleteQuery.UNCONDITIONAL,
            options(false));
    assertThat(createMap("two").meta().name()).isEqualTo("two");
    assertThat(annotations)
        .containsEntry("failed-open.mutation.webhook.admission.k8s.io/round_0_index_0", "i.b.c");
    end.countDown();
  }

  private static void lie(String lie, HttpExchange exchange, byte[] body, CountDownLatch end)
      throws IOException {
    MapNode review = (MapNode) ObjectReader.untypedJson(body);
    MapNode typed = review.without("request");
    Node uid = Node.text(review.map("request").text("uid"));
    switch (lie) {
      case "garbage" -> WebhookServer.respond(exchange, 200, "{not json");
      case "uid" ->
          WebhookServer.respond(
              exchange, 200, json(typed.with("response", allowed().with("uid", Node.text("x")))));
      case "absent" -> WebhookServer.respond(exchange, 200, json(typed));
      case "untyped" ->
          WebhookServer.respond(
              exchange, 200, json(MapNode.of("response", allowed().with("uid", uid))));
      case "status" ->
          WebhookServer.respond(
              exchange, 500, "text/plain", "boom".getBytes(StandardCharsets.US_ASCII));
      case "empty" -> WebhookServer.respond(exchange, 200, "");
      case "patch" ->
          WebhookServer.respond(
              exchange,
              200,
              json(typed.with("response", patching("[]").without("patchType").with("uid", uid))));
      case "type" -> lieAbout(exchange, typed, uid, withPatch("[{}]", "Other"));
      case "base64" ->
          lieAbout(
              exchange, typed, uid, withPatch("[]", "JSONPatch").with("patch", Node.text("W3s!")));
      case "undecodable" -> lieAbout(exchange, typed, uid, withPatch("[{", "JSONPatch"));
      case "list" -> lieAbout(exchange, typed, uid, withPatch("{}", "JSONPatch"));
      case "boolean" -> lieAbout(exchange, typed, uid, MapNode.of("allowed", Node.text("yes")));
      case "huge" -> {
        exchange.sendResponseHeaders(200, 0);
        byte[] block = new byte[1 << 20];
        for (int i = 0; i < 100; i++) {
          exchange.getResponseBody().write(block);
        }
      }
      case "hang" -> {
        try {
          boolean unused = end.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      default -> throw new IOException("closes the connection");
    }
  }

  private static MapNode withPatch(String patch, String type) {
    return patching(patch).with("patchType", Node.text(type));
  }

  private static void lieAbout(HttpExchange exchange, MapNode typed, Node uid, MapNode response)
      throws IOException {
    WebhookServer.respond(exchange, 200, json(typed.with("response", response.with("uid", uid))));
  }

  @Test
  void patch_mayHaveLineBreaksInItsBase64() {
    responses =
        request -> {
          MapNode response = patching("[{'op':'add','path':'/data','value':{'a':'b'}}]");
          String patch = response.text("patch");
          return response.with(
              "patch", Node.text(patch.substring(0, 8) + "\r\n" + patch.substring(8)));
        };
    register("mutating", "m", webhook("a.b.c", ""));

    assertThat(createMap("one").root().map("data")).isEqualTo(tree("{'a':'b'}"));
  }

  @Test
  void brokenPatch_isAnInternalError() {
    responses = request -> patching("[{'op':'remove','path':'/missing'}]");
    register("mutating", "m", webhook("a.b.c", ""));

    assertThat(refused("one").reason()).isEqualTo(Reason.INTERNAL_ERROR);
  }

  @Test
  void selectorsAndConditions_select() {
    register(
        "validating",
        "v",
        webhook("a.b.c", "'objectSelector':{'matchLabels':{'hook':'yes'}}"),
        webhook(
            "d.e.f", "'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'other'}}"),
        webhook(
            "g.h.i",
            "'matchConditions':[{'name':'two','expression':'object.metadata.name == \\'two\\''}]"
                .replace("\\'", "\\u0027")));

    ApiObject unused = createMap("one");
    assertThat(reviews).isEmpty();

    ApiObject labelled = create(maps(), "{'metadata':{'name':'two','labels':{'hook':'yes'}}}");
    assertThat(labelled.meta().name()).isEqualTo("two");
    assertThat(reviews).hasSize(2);
  }

  @Test
  void equivalentMatch_convertsToTheVersionOfTheRule() {
    String rule =
        "'rules':[{'apiGroups':['autoscaling'],'apiVersions':['v1'],"
            + "'resources':['horizontalpodautoscalers'],'operations':['*']}]";
    String base = webhook("a.b.c", "");
    String equivalent =
        base.substring(0, base.indexOf("'rules'")) + "'matchPolicy':'Equivalent'," + rule + "}";
    String exact =
        base.substring(0, base.indexOf("'rules'")).replace("a.b.c", "d.e.f")
            + "'matchPolicy':'Exact',"
            + rule
            + "}";
    register("mutating", "m", equivalent, exact);
    responses =
        request ->
            patching("[{'op':'add','path':'/spec/targetCPUUtilizationPercentage','value':42}]");

    ApiObject created =
        create(
            collection("autoscaling/v2", "horizontalpodautoscalers", "default"),
            "{'metadata':{'name':'h'},'spec':{'maxReplicas':3,"
                + "'scaleTargetRef':{'kind':'Deployment','name':'d','apiVersion':'apps/v1'}}}");

    assertThat(reviews).hasSize(1);
    MapNode request = reviews.getFirst().map("request");
    assertThat(request.map("kind").text("version")).isEqualTo("v1");
    assertThat(request.map("requestKind").text("version")).isEqualTo("v2");
    assertThat(request.map("object").text("apiVersion")).isEqualTo("autoscaling/v1");
    assertThat(
            created
                .root()
                .map("spec")
                .maps("metrics")
                .getFirst()
                .map("resource")
                .map("target")
                .get("averageUtilization"))
        .isEqualTo(new Node.Int(42));
  }

  @Test
  void webhooksForEverything_canBeRemoved_andSeeSubresourcesAndDeletes() {
    String base = webhook("a.b.c", "");
    String all =
        base.substring(0, base.indexOf("'rules'"))
            + "'rules':[{'apiGroups':['*'],'apiVersions':['*'],'resources':['*/*'],"
            + "'operations':['*']}]}";
    register("validating", "v", all);
    register("mutating", "m", all);
    assertThat(reviews).isEmpty();

    ApiObject unused =
        create(
            collection("apps/v1", "deployments", "default"),
            "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},"
                + "'template':{'metadata':{'labels':{'a':'b'}},"
                + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
    Collection deployments = collection("apps/v1", "deployments", "default");
    Subresources actions =
        Subresources.of(server.registry(), codec(), server.catalog(), InstantSource.system());
    ApiObject scale =
        server
            .registry()
            .served(actions.scales().get(deployments, "d"))
            .with("spec", MapNode.of("replicas", new Node.Int(2)));
    reviews.clear();
    assertThat(actions.scales().replace(deployments, "d", scale, options(false))).isNotNull();
    assertThat(reviews).hasSize(2);
    for (MapNode review : reviews) {
      MapNode request = review.map("request");
      assertThat(request.text("subResource")).isEqualTo("scale");
      assertThat(request.map("kind").text("kind")).isEqualTo("Scale");
      assertThat(request.map("resource").text("resource")).isEqualTo("deployments");
      assertThat(request.map("oldObject").text("kind")).isEqualTo("Scale");
    }

    reviews.clear();
    assertThat(
            server
                .registry()
                .delete(deployments, "d", DeleteQuery.UNCONDITIONAL, options(false))
                .gone())
        .isTrue();
    assertThat(reviews).hasSize(2);
    assertThat(reviews.getFirst().map("request").get("object")).isEqualTo(Node.Null.NULL);
    assertThat(reviews.getFirst().map("request").map("options").text("kind"))
        .isEqualTo("DeleteOptions");
  }

  private dev.keelson.registry.ObjectCodec codec() {
    return new SchemaModule().codec(server.catalog(), opened.options(), () -> null);
  }

  @Test
  void credentials_areThoseOfTheHostAndThePlugin() {
    register("validating", "v", webhook("a.b.c", ""));
    ApiObject first = createMap("one");
    assertThat(first.meta().name()).isEqualTo("one");
    assertThat(shown).isNotEmpty().containsOnly("Bearer secret");

    shown.clear();
    register("mutating", "m", webhook("a.b.c", ""));
    ApiObject second = createMap("two");
    assertThat(second.meta().name()).isEqualTo("two");
    assertThat(shown).contains("null", "Bearer secret");
  }

  @Test
  void configuration_worksOnAnotherServerOfTheStore(@TempDir Path other) throws Exception {
    OpenedResources own =
        OpenedResources.open(
            CustomTypesContract.options(List.of("--data-dir=" + other, "--secure-port=0")),
            InstantSource.system());
    own.store().close();
    ComposedServer second =
        ComposedServer.of(
            new OpenedResources(
                own.options(), own.certificates(), new Shared(opened.store()), own.clock()),
            vertx);
    assertThat(second.server().ready(6444, Duration.ZERO)).contains("ready");
    responses = request -> MapNode.of("allowed", Node.Bool.FALSE);
    register("validating", "v", webhook("a.b.c", ""));

    AtomicInteger number = new AtomicInteger();
    Eventually.assertEventually(
        () ->
            assertThat(
                    catchThrowableOfType(
                        ApiException.class,
                        () ->
                            second
                                .registry()
                                .create(
                                    maps(),
                                    object(
                                        maps(),
                                        "{'metadata':{'name':'s"
                                            + number.incrementAndGet()
                                            + "'}}"),
                                    options(false))))
                .hasMessageContaining("denied the request"));
    assertThat(second.server().stop()).isZero();
  }

  /** A store that the second server does not close. */
  private static final class Shared extends ForwardingStore {
    Shared(RevisionedStore store) {
      super(store);
    }

    @Override
    public void close() {
      // the first server closes it
    }
  }

  @Test
  void connections_areReused() {
    register(
        "validating", "v", webhook("a.b.c", "'objectSelector':{'matchLabels':{'hook':'yes'}}"));

    List<String> names = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ApiObject created =
          create(maps(), "{'metadata':{'name':'m" + i + "','labels':{'hook':'yes'}}}");
      names.add(created.meta().name());
    }

    assertThat(names).hasSize(5);
    assertThat(hook.connections()).isEqualTo(1);
  }
}
