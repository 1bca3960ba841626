package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.testing.WebhookServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Admission webhooks that fail or lie, behind real HTTPS servers. */
class AdmissionWebhookFaultsTest extends AdmissionWebhookFixture {

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

  @ParameterizedTest
  @CsvSource({"2,10,2", "10,3,3"})
  void webhook_isToldTheTimeThatIsLeft(int requestSeconds, int timeoutSeconds, int told) {
    List<String> queries = new CopyOnWriteArrayList<>();
    WebhookServer.Handler allows = hook.handler();
    hook.handle(
        (exchange, body) -> {
          queries.add(exchange.getRequestURI().getQuery());
          allows.handle(exchange, body);
        });
    requestTime = Duration.ofSeconds(requestSeconds);
    register("validating", "v", webhook("a.b.c", "'timeoutSeconds':" + timeoutSeconds));
    ApiObject unused = createMap("one");

    assertThat(queries).contains("timeout=" + told + "s");
  }

  @ParameterizedTest
  @CsvSource({"mutating", "validating"})
  void requestWhoseTimeIsUp_endsWithTheWebhook(String type) {
    CountDownLatch end = new CountDownLatch(1);
    WebhookServer.Handler hangs = (exchange, body) -> lie("hang", exchange, body, end);
    hook.handle(hangs);
    register(type, "v", webhook("a.b.c", "'timeoutSeconds':30"));
    requestTime = Duration.ofSeconds(1);
    long begin = System.nanoTime();

    ApiException failure = refused("one");

    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
    assertThat(failure.text())
        .startsWith("Internal error occurred: failed calling webhook \"a.b.c\": failed to call")
        .contains("?timeout=1s\": context deadline exceeded");
    end.countDown();
  }

  @Test
  void requestWhoseTimeIsUp_skipsLaterMutatingWebhooks_evenIfFailuresAreIgnored() {
    CountDownLatch end = new CountDownLatch(1);
    List<String> paths = new CopyOnWriteArrayList<>();
    WebhookServer.Handler allows = hook.handler();
    hook.handle(
        (exchange, body) -> {
          if (!new String(body, StandardCharsets.UTF_8).contains("\"jane\"")) {
            // the controllers of the server write as well
            allows.handle(exchange, body);
            return;
          }
          paths.add(exchange.getRequestURI().getPath());
          lie("hang", exchange, body, end);
        });
    register(
        "mutating",
        "m",
        webhook("a.b.c", "'timeoutSeconds':30,'failurePolicy':'Ignore'"),
        webhook("d.e.f", "'timeoutSeconds':30,'failurePolicy':'Ignore'"));
    requestTime = Duration.ofSeconds(1);

    ApiException failure = refused("one");

    assertThat(failure.reason()).isEqualTo(Reason.TIMEOUT);
    assertThat(failure.text())
        .isEqualTo("Timeout: request did not complete within requested timeout");
    assertThat(paths).hasSize(1);
    end.countDown();
  }
}
