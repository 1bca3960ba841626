package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.testing.IdentityProvider;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WhoAmI;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two servers, one for each version, and a running service that reviews tokens and fails. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class TokenReviewWebhookIT {

  private static final String UNKNOWN = "{\"status\":{\"authenticated\":false}}";

  private IdentityProvider service;
  private Path kubeconfig;
  private KeelsonProcess older;
  private KeelsonProcess newer;
  private WhoAmI nobody;
  private WhoAmI nobodyOfNewer;

  /** What is answered for a token; null fails. */
  private final Map<String, Supplier<@Nullable String>> answers = new ConcurrentHashMap<>();

  private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    service = new IdentityProvider();
    service.path("/review", this::review);
    kubeconfig =
        Files.writeString(
            directory.resolve("webhook.yaml"),
            service.kubeconfig("/review", service.certificatePem()));
    String webhook = "--authentication-token-webhook-config-file=" + kubeconfig;
    older = KeelsonProcess.start(directory.resolve("older"), List.of(webhook));
    newer =
        KeelsonProcess.start(
            directory.resolve("newer"),
            List.of(
                webhook,
                "--authentication-token-webhook-version=v1",
                "--authentication-token-webhook-cache-ttl=1s",
                "--api-audiences=api,console"));
    nobody = new WhoAmI(older.address(), older.kubeconfig().asNobody());
    nobodyOfNewer = new WhoAmI(newer.address(), newer.kubeconfig().asNobody());
  }

  @AfterAll
  void stop() {
    older.close();
    newer.close();
    service.close();
  }

  @Test
  void knownToken_isTheUser_andTheAnswerHolds() {
    answers.put("known", () -> user("ann", ""));

    WhoAmI.Response who = nobody.bearer("known");

    assertThat(who.user()).isEqualTo("ann");
    assertThat(who.groups()).containsExactly("dev", "system:authenticated");
    assertThat(who.body()).contains("\"uid\":\"7\"", "\"example.org/x\":[\"a\",\"b\"]");
    assertThat(nobody.bearer("known").user()).isEqualTo("ann");
    assertThat(asked.stream().filter(body -> body.contains("\"known\"")))
        .singleElement()
        .asString()
        .contains("\"apiVersion\":\"authentication.k8s.io/v1beta1\"", "\"kind\":\"TokenReview\"");
  }

  @Test
  void unknownToken_is401_andTheAnswerHolds() {
    answers.put("stranger", () -> UNKNOWN);

    assertThat(nobody.bearer("stranger").status()).isEqualTo(401);
    assertThat(nobody.bearer("stranger").status()).isEqualTo(401);

    assertThat(times("stranger")).isEqualTo(1);
  }

  @Test
  void newerVersion_andShortMemory() {
    answers.put("short", () -> user("ann", ""));

    assertThat(nobodyOfNewer.bearer("short").user()).isEqualTo("ann");

    assertThat(asked.stream().filter(body -> body.contains("\"short\"")).findFirst())
        .get()
        .asString()
        .contains(
            "\"apiVersion\":\"authentication.k8s.io/v1\"", "\"audiences\":[\"api\",\"console\"]");
    answers.put("short", () -> UNKNOWN);
    assertEventually(() -> assertThat(nobodyOfNewer.bearer("short").status()).isEqualTo(401));
  }

  @Test
  void audiences_mustMeet() {
    answers.put("ours", () -> user("ann", ",\"audiences\":[\"console\",\"vault\"]"));
    answers.put("theirs", () -> user("ann", ",\"audiences\":[\"vault\"]"));

    assertThat(nobodyOfNewer.bearer("ours").user()).isEqualTo("ann");
    assertThat(nobodyOfNewer.bearer("theirs").status()).isEqualTo(401);

    Response review = tokenReview("theirs", List.of("vault", "safe"));
    assertThat(review.path("status.authenticated").toString()).isEqualTo("true");
    assertThat(review.path("status.audiences").toString()).isEqualTo("[vault]");
    assertThat(tokenReview("theirs", List.of("safe")).<Object>path("status.authenticated"))
        .isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html>busy</html>",
        "[]",
        "{\"status\":\"yes\"}",
        "{\"status\":{\"authenticated\":\"true\",\"user\":{\"username\":\"ann\"}}}",
        "{\"status\":{\"authenticated\":true}}",
        "{\"status\":{\"authenticated\":true,\"user\":{\"username\":7}}}",
        "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"a\",\"groups\":[1]}}}",
        "{\"status\":{\"authenticated\":false,\"error\":\"no\"}}"
      })
  void nonsense_is401_andNothingElseSuffers(String answer) {
    answers.put("nonsense", () -> answer);

    assertThat(nobodyOfNewer.bearer("nonsense").status()).isEqualTo(401);
    assertThat(RestClient.administrator(newer).get("/api").statusCode()).isEqualTo(200);
  }

  @Test
  void failure_is401_isTriedAgain_andIsForgotten() {
    answers.put("failing", () -> null);
    assertThat(nobody.bearer("failing").status()).isEqualTo(401);
    assertThat(times("failing")).isEqualTo(5);

    answers.put("failing", () -> user("ann", ""));
    assertThat(nobody.bearer("failing").user()).isEqualTo("ann");
  }

  @Test
  void connectionThatEndsOnce_isNotNoticed() {
    CountDownLatch first = new CountDownLatch(1);
    answers.put(
        "cut",
        () -> {
          if (first.getCount() == 1) {
            first.countDown();
            throw new UncheckedIOException(new IOException("cut"));
          }
          return user("ann", "");
        });

    assertThat(nobody.bearer("cut").user()).isEqualTo("ann");
  }

  @Test
  void slowAnswer_keepsNobodyElseWaiting() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    answers.put(
        "slow",
        () -> {
          try {
            assertThat(held.await(60, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return user("ann", "");
        });
    answers.put("fast", () -> user("ben", ""));

    CompletableFuture<WhoAmI.Response> slow =
        CompletableFuture.supplyAsync(() -> nobody.bearer("slow"));
    assertEventually(() -> assertThat(times("slow")).isEqualTo(1));
    assertThat(nobody.bearer("fast").user()).isEqualTo("ben");
    assertThat(slow.isDone()).isFalse();
    held.countDown();

    assertThat(slow.get(60, TimeUnit.SECONDS).user()).isEqualTo("ann");
  }

  @Test
  void kubeconfig_isReadAnew_andABadOneIsKeptOut() throws IOException {
    answers.put("reloaded", () -> user("ann", ""));
    try (IdentityProvider other = new IdentityProvider()) {
      Files.writeString(kubeconfig, service.kubeconfig("/review", other.certificatePem()));
      assertEventually(() -> assertThat(nobodyOfNewer.bearer("reloaded").status()).isEqualTo(401));
    }
    Files.writeString(kubeconfig, service.kubeconfig("/review", service.certificatePem()));
    assertEventually(() -> assertThat(nobodyOfNewer.bearer("reloaded").user()).isEqualTo("ann"));

    Files.writeString(kubeconfig, "current-context: nowhere");
    assertEventually(
        () ->
            assertThat(RestClient.administrator(newer).get("/metrics").asString())
                .contains(
                    "keelson_file_reloads_total{"
                        + "flag=\"--authentication-token-webhook-config-file\","
                        + "status=\"failure\"} 1"));
    assertThat(newer.log()).contains("event=file-reload-failed");
    answers.put("kept", () -> user("ann", ""));
    assertThat(nobodyOfNewer.bearer("kept").user()).isEqualTo("ann");
  }

  private Response tokenReview(String token, List<String> audiences) {
    return RestClient.administrator(newer)
        .post(
            "/apis/authentication.k8s.io/v1/tokenreviews",
            Map.of("spec", Map.of("token", token, "audiences", audiences)));
  }

  private @Nullable String review(HttpExchange exchange) {
    String body;
    try {
      body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    asked.add(body);
    if (!"Bearer of-the-server".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      return null;
    }
    return answers.entrySet().stream()
        .filter(entry -> body.contains("\"token\":\"" + entry.getKey() + "\""))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(() -> UNKNOWN)
        .get();
  }

  private long times(String token) {
    return asked.stream().filter(body -> body.contains("\"token\":\"" + token + "\"")).count();
  }

  private static String user(String name, String more) {
    return "{\"status\":{\"authenticated\":true"
        + more
        + ",\"user\":{\"username\":\""
        + name
        + "\",\"uid\":\"7\",\"groups\":[\"dev\"],\"extra\":{\"example.org/x\":[\"a\",\"b\"]}}}}";
  }
}
