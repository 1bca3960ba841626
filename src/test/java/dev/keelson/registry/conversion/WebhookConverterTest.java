package dev.keelson.registry.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Reason;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResource;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.TreeJson;
import dev.keelson.testing.WebhookServer;
import dev.keelson.webhook.UnresolvableServiceException;
import dev.keelson.webhook.WebhookClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * As the tables of apiextensions-apiserver's webhook_converter_test.go and its integration tests.
 */
@Timeout(60)
class WebhookConverterTest {

  private static final UUID UID = UUID.fromString("00000000-0000-0000-0000-00000000000a");
  private static final GroupVersion V2 = new GroupVersion("stable.example.com", "v2");
  private static final String PREFIX = "conversion webhook for stable.example.com/v1, Kind=Foo";

  private final WebhookServer server = new WebhookServer("hook.one.svc", (_, _) -> {});
  private final WebhookClient client =
      new WebhookClient(
          (_, _, _) -> java.net.InetSocketAddress.createUnresolved("127.0.0.1", server.port()));
  private final List<ConversionMetrics.Call> calls = new ArrayList<>();
  private final WebhookConverter converter =
      new WebhookConverter(() -> client, () -> UID, calls::add);

  @AfterEach
  void close() throws UnresolvableServiceException {
    client.close();
    server.close();
  }

  private CustomResource resource(String... reviewVersions) {
    MapNode clientConfig =
        CustomTypes.tree("{'service':{'namespace':'one','name':'hook','path':'/convert'}}")
            .with(
                "caBundle",
                Node.text(
                    Base64.getEncoder()
                        .encodeToString(server.pem().getBytes(StandardCharsets.US_ASCII))));
    MapNode webhook =
        MapNode.of("clientConfig", clientConfig)
            .with("conversionReviewVersions", Node.texts(List.of(reviewVersions)));
    MapNode spec =
        MapNode.of(
            "conversion", MapNode.of("strategy", Node.text("Webhook")).with("webhook", webhook));
    return new CustomResource("foos.stable.example.com", "u", () -> MapNode.of("spec", spec));
  }

  /** Answers with converted objects that a function makes of those that were sent. */
  private void convertBy(String version, Function<MapNode, Node> conversion) {
    server.handle(
        (exchange, body) -> {
          MapNode review = (MapNode) TreeJson.read(body);
          List<Node> converted =
              review.map("request").maps("objects").stream().map(conversion).toList();
          MapNode response =
              MapNode.of("uid", Node.text(review.map("request").text("uid")))
                  .with("result", MapNode.of("status", Node.text("Success")))
                  .with("convertedObjects", new Node.Items(converted));
          MapNode answer =
              MapNode.of("apiVersion", Node.text("apiextensions.k8s.io/" + version))
                  .with("kind", Node.text("ConversionReview"))
                  .with("response", response);
          WebhookServer.respond(
              exchange, 200, new String(TreeJson.write(answer), StandardCharsets.UTF_8));
        });
  }

  private void answer(String json) {
    server.handle((exchange, _) -> WebhookServer.respond(exchange, 200, json.replace('\'', '"')));
  }

  private static MapNode foo(String name) {
    return CustomTypes.tree(
        "{'apiVersion':'stable.example.com/v1','kind':'Foo','metadata':{'name':'"
            + name
            + "','namespace':'n','uid':'u','labels':{'a':'b'}},'spec':{'host':'h'}}");
  }

  private static MapNode toV2(MapNode object) {
    return object.with("apiVersion", Node.text("stable.example.com/v2"));
  }

  private void assertFails(String message, String... versions) {
    assertThatThrownBy(() -> converter.convert(resource(versions), V2, List.of(foo("a"))))
        .asInstanceOf(type(ApiException.class))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN))
        .extracting(ApiException::text)
        .isEqualTo(message);
  }

  private void assertRejected(Function<MapNode, Node> conversion, String message) {
    convertBy("v1", conversion);
    assertFails(PREFIX + message, "v1");
  }

  @ParameterizedTest
  @CsvSource({"v1", "v1beta1"})
  void objects_areSentInTheFirstKnownVersion(String version) {
    StringBuilder sent = new StringBuilder();
    convertBy(version, WebhookConverterTest::toV2);
    WebhookServer.Handler answering = server.handler();
    server.handle(
        (exchange, body) -> {
          sent.append(exchange.getRequestURI()).append(' ');
          sent.append(new String(body, StandardCharsets.UTF_8));
          answering.handle(exchange, body);
        });

    List<MapNode> converted =
        converter.convert(resource("v7", version, "v1"), V2, List.of(foo("a"), foo("b")));

    assertThat(converted).containsExactly(toV2(foo("a")), toV2(foo("b")));
    assertThat(sent.toString())
        .startsWith(
            ("/convert?timeout=30s {'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/"
                    + version
                    + "','request':{'uid':'"
                    + UID
                    + "','desiredAPIVersion':'stable.example.com/v2','objects':[{")
                .replace('\'', '"'));
    assertThat(server.requests()).isEqualTo(1);
    assertThat(failures()).containsExactly("foos.stable.example.com v1 v2 null");
  }

  @Test
  void noKnownVersion_fails() {
    assertFails("no supported conversion review versions", "v2");
    assertThat(calls).as("no webhook was called").isEmpty();
  }

  /** Source: {@code webhook_converter.go} of apiextensions-apiserver. */
  @Test
  void failedCalls_areRecordedByTheirStep() {
    server.handle((exchange, _) -> WebhookServer.respond(exchange, 500, "no"));
    assertThatThrownBy(() -> converter.convert(resource("v1"), V2, List.of(foo("a"))))
        .isInstanceOf(ApiException.class);
    answer("garbage");
    assertThatThrownBy(() -> converter.convert(resource("v1"), V2, List.of(foo("a"))))
        .isInstanceOf(ApiException.class);
    answer("{'response':{'result':{'status':'Success'},'convertedObjects':[]}}");
    assertFails(PREFIX + " returned 0 objects, expected 1", "v1beta1");
    convertBy("v1", object -> object);
    assertThatThrownBy(() -> converter.convert(resource("v1"), V2, List.of(foo("a"))))
        .isInstanceOf(ApiException.class);

    assertThat(failures())
        .containsExactly(
            "foos.stable.example.com v1 v2 CALL",
            "foos.stable.example.com v1 v2 MALFORMED_RESPONSE",
            "foos.stable.example.com v1 v2 PARTIAL_RESPONSE",
            "foos.stable.example.com v1 v2 INVALID_CONVERTED_OBJECT");
  }

  private List<String> failures() {
    return calls.stream()
        .map(
            call ->
                String.join(
                    " ", call.definition(), call.from(), call.to(), String.valueOf(call.failure())))
        .toList();
  }

  @Test
  void response_isVerified() {
    String ok = "'uid':'" + UID + "','result':{'status':'Success'},'convertedObjects':[]";
    answer("{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview'}");
    assertFails(PREFIX + " failed: no response provided", "v1");
    answer("{'response':{" + ok + "}}");
    assertFails(
        PREFIX
            + " failed: expected webhook response of apiextensions.k8s.io/v1,"
            + " Kind=ConversionReview, got /, Kind=",
        "v1");
    assertFails(PREFIX + " returned 0 objects, expected 1", "v1beta1");
    answer(
        "{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview','response':{'uid':'x'}}");
    assertFails(PREFIX + " failed: expected response.uid=\"" + UID + "\", got \"x\"", "v1");
    assertFails(PREFIX + " failed: response.result.status was '', not 'Success'", "v1beta1");
    answer(
        "{'response':{'uid':'x','result':{'status':'Failure','message':'some failure message'}}}");
    assertFails(PREFIX + " failed: some failure message", "v1beta1");
    answer("{'response':{'result':{'status':'failure'}}}");
    assertFails(PREFIX + " failed: response.result.status was 'failure', not 'Success'", "v1beta1");
    answer("garbage");
    assertThatThrownBy(() -> converter.convert(resource("v1"), V2, List.of(foo("a"))))
        .hasMessageStartingWith(PREFIX + " failed: couldn't get version/kind; json parse error: ");
  }

  @Test
  void convertedObject_keepsItsTypeAndIdentity() {
    assertRejected(
        object -> object,
        " returned invalid object at index 0: invalid groupVersion (expected"
            + " stable.example.com/v2, received stable.example.com/v1)");
    assertRejected(
        object -> toV2(object).with("kind", Node.text("Bar")),
        " returned invalid object at index 0: invalid kind (expected Foo, received Bar)");
    assertRejected(
        object -> toV2(object).withAt(List.of("metadata", "name"), Node.text("b")),
        " returned invalid object: must have the same name: a != b");
    assertRejected(
        object -> toV2(object).withAt(List.of("metadata", "namespace"), Node.text("m")),
        " returned invalid object: must have the same namespace: n != m");
    assertRejected(
        object -> toV2(object).withAt(List.of("metadata", "uid"), Node.text("v")),
        " returned invalid object: must have the same UID: u != v");
  }

  @Test
  void metadata_isCheckedAndRestored() {
    assertRejected(
        object -> toV2(object).withAt(List.of("metadata", "labels"), new Node.Int(1)),
        " returned invalid metadata: invalid metadata.labels of type int64 in converted object");
    assertRejected(
        object -> toV2(object).withAt(List.of("metadata", "labels", "a"), new Node.Int(1)),
        " returned invalid metadata: metadata.labels[a] must be a string, but is int64 in"
            + " converted object");
    assertRejected(
        object -> toV2(object).withAt(List.of("metadata", "labels", "a"), Node.text(".")),
        " returned invalid metadata: metadata.labels: Invalid value: \".\": a valid label must be"
            + " an empty string or consist of alphanumeric characters, '-', '_' or '.', and must"
            + " start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or"
            + " '12345', regex used for validation is"
            + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");

    convertBy(
        "v1",
        object ->
            toV2(object)
                .withAt(List.of("metadata", "generation"), new Node.Int(7))
                .withAt(List.of("metadata", "annotations"), CustomTypes.tree("{'x':'y'}"))
                .with(
                    "metadata",
                    toV2(object)
                        .map("metadata")
                        .with("generation", new Node.Int(7))
                        .with("finalizers", Node.texts(List.of("f")))
                        .without("labels")
                        .with("annotations", CustomTypes.tree("{'x':'y'}"))));
    MapNode converted = converter.convert(resource("v1"), V2, List.of(foo("a"))).getFirst();

    assertThat(converted.map("metadata"))
        .isEqualTo(
            CustomTypes.tree("{'name':'a','namespace':'n','uid':'u','annotations':{'x':'y'}}"));
  }

  @Test
  void oneOfSeveralObjects_isNamedByItsIndex() {
    convertBy(
        "v1",
        object ->
            object.map("metadata").text("name").equals("b")
                ? toV2(object).withAt(List.of("metadata", "name"), Node.text("c"))
                : toV2(object));

    assertThatThrownBy(() -> converter.convert(resource("v1"), V2, List.of(foo("a"), foo("b"))))
        .hasMessage(
            PREFIX
                + " returned invalid converted object at index 1: must have the same name: b != c");
  }

  @Test
  void failedCall_isNamedWithItsUrl() {
    server.handle(
        (exchange, _) ->
            WebhookServer.respond(
                exchange, 500, "text/plain", "broken".getBytes(StandardCharsets.UTF_8)));
    assertFails(
        PREFIX
            + " failed: an error on the server (\"broken\") has prevented the request from"
            + " succeeding",
        "v1");
    server.handle(
        (_, _) -> {
          throw new IOException("close the connection");
        });
    assertFails(
        PREFIX + " failed: Post \"https://hook.one.svc:443/convert?timeout=30s\": EOF", "v1");
  }
}
