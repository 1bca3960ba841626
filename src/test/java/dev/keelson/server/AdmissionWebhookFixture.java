package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Verb;
import dev.keelson.http.health.Metrics;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.AdmissionScope;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.WriteOptions;
import dev.keelson.request.AuditAnnotations;
import dev.keelson.request.Deadline;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.testing.WebhookServer;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server in this process, and a webhook behind a real HTTPS server. */
@Timeout(120)
abstract class AdmissionWebhookFixture {

  static final UserInfo USER =
      new UserInfo("jane", "7", List.of("devs"), Map.of("team", List.of("a")));

  final Vertx vertx = Vertx.vertx();
  final List<MapNode> reviews = new CopyOnWriteArrayList<>();
  final List<String> warnings = new CopyOnWriteArrayList<>();
  final Map<String, String> annotations = new TreeMap<>();
  final List<String> shown = new CopyOnWriteArrayList<>();

  /** Flags beside those of every test. */
  List<String> flags() {
    return List.of();
  }

  /** How long a request may take. */
  Duration requestTime = Duration.ofSeconds(20);

  /** Answers the request of a review with the fields of a response. */
  volatile UnaryOperator<MapNode> responses = request -> allowed();

  final WebhookServer hook = new WebhookServer("hook.default.svc", this::answer);
  OpenedResources opened;
  ComposedServer server;

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
                Stream.concat(
                        Stream.of(
                            "--data-dir=" + directory.resolve("data"),
                            "--secure-port=0",
                            "--admission-control-config-file=" + configuration),
                        flags().stream())
                    .toList()),
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

  void answer(HttpExchange exchange, byte[] body) throws IOException {
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

  static MapNode allowed() {
    return MapNode.of("allowed", Node.Bool.TRUE);
  }

  static MapNode patching(String patch) {
    return allowed()
        .with("patchType", Node.text("JSONPatch"))
        .with(
            "patch",
            Node.text(
                Base64.getEncoder()
                    .encodeToString(patch.replace('\'', '"').getBytes(StandardCharsets.UTF_8))));
  }

  static String json(MapNode node) {
    return new String(ObjectWriter.json(node), StandardCharsets.UTF_8);
  }

  static MapNode tree(String json) {
    return (MapNode)
        ObjectReader.untypedJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  Collection collection(String version, String resource, String namespace) {
    ResourceDefinition definition =
        server
            .catalog()
            .current()
            .find(GroupVersion.parse(version).resource(resource))
            .orElseThrow();
    return new Collection(definition, namespace);
  }

  ApiObject object(Collection collection, String json) {
    ResourceDefinition definition = collection.definition();
    return new ApiObject(
            ObjectReader.json(
                    json.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
                    definition.schema(),
                    FieldValidation.STRICT)
                .root())
        .withType(definition.gvk().apiVersion(), definition.kind());
  }

  WriteOptions options(boolean dryRun) {
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
            Verb.UPDATE, true, tree("{'fieldManager':'me'}"), audit, Deadline.in(requestTime)));
  }

  ApiObject create(Collection collection, String json) {
    return server
        .registry()
        .served(server.registry().create(collection, object(collection, json), options(false)));
  }

  Collection maps() {
    return collection("v1", "configmaps", "default");
  }

  ApiObject createMap(String name) {
    return create(maps(), "{'metadata':{'name':'" + name + "'}}");
  }

  ApiException refused(String name) {
    return catchThrowableOfType(ApiException.class, () -> createMap(name));
  }

  /** A webhook on creates of config maps, with more fields. */
  String webhook(String name, String fields) {
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

  void register(String type, String name, String... webhooks) {
    Collection configurations =
        collection("admissionregistration.k8s.io/v1", type + "webhookconfigurations", "");
    ApiObject unused =
        create(
            configurations,
            "{'metadata':{'name':'" + name + "'},'webhooks':[" + String.join(",", webhooks) + "]}");
  }

  ObjectCodec codec() {
    return new SchemaModule()
        .codec(
            server.catalog(),
            new SchemaModule().schemas(),
            opened.options(),
            () -> null,
            new Metrics());
  }
}
