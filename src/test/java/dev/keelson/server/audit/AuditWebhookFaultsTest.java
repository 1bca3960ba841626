package dev.keelson.server.audit;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.audit.Acceptance;
import dev.keelson.testing.FaultProxy;
import dev.keelson.testing.WebhookServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The webhook of the flags, which is busy, breaks connections or is somebody else. */
@Timeout(60)
class AuditWebhookFaultsTest {

  @TempDir Path directory;

  private final List<String> posts = new CopyOnWriteArrayList<>();
  private final AtomicInteger asked = new AtomicInteger();
  private final WebhookServer webhook = new WebhookServer("webhook", this::take);
  private final FaultProxy proxy = FaultProxy.to(webhook.port());

  private void take(HttpExchange exchange, byte[] body) throws IOException {
    posts.add(new String(body, StandardCharsets.UTF_8));
    WebhookServer.respond(exchange, 200, "text/plain", new byte[0]);
  }

  @AfterEach
  void stop() {
    proxy.close();
    webhook.close();
  }

  private AuditUnderFlags start(WebhookServer trusted, String... flags) throws IOException {
    URI address = proxy.endpoint("https");
    String ca = Base64.getEncoder().encodeToString(trusted.pem().getBytes(StandardCharsets.UTF_8));
    Path config =
        Files.writeString(
            directory.resolve("webhook.yaml"),
            """
            current-context: c
            contexts: [{name: c, context: {cluster: c}}]
            clusters: [{name: c, cluster: {server: "%s/events", certificate-authority-data: %s}}]
            """
                .formatted(address, ca));
    List<String> all = new ArrayList<>(List.of(flags));
    all.add("--audit-webhook-config-file=" + config);
    return new AuditUnderFlags(directory.resolve("data"), Duration.ZERO, all);
  }

  /** With a pause between attempts in which nobody would wait. */
  @ParameterizedTest
  @ValueSource(ints = {429, 500, 503})
  void busyWebhook_isAskedAgainWhenItSays(int status) throws IOException {
    webhook.handle(
        (exchange, body) -> {
          if (asked.getAndIncrement() < 2) {
            exchange.getResponseHeaders().set("Retry-After", "0");
            WebhookServer.respond(exchange, status, "text/plain", new byte[0]);
          } else {
            take(exchange, body);
          }
        });
    try (AuditUnderFlags audit =
        start(
            webhook,
            "--audit-webhook-mode=blocking-strict",
            "--audit-webhook-initial-backoff=1h")) {
      assertThat(audit.request("e")).isEqualTo(Acceptance.ACCEPTED);
      assertThat(posts).hasSize(1);
      assertThat(webhook.requests()).isEqualTo(3);
      assertThat(audit.lost("webhook")).isZero();
    }
  }

  @Test
  void webhookThatIsBusyForLonger_isAskedAgainAfterThePause() throws IOException {
    webhook.handle(
        (exchange, body) -> {
          if (asked.getAndIncrement() == 0) {
            exchange.getResponseHeaders().set("Retry-After", "3600");
            WebhookServer.respond(exchange, 429, "text/plain", new byte[0]);
          } else {
            take(exchange, body);
          }
        });
    try (AuditUnderFlags audit =
        start(
            webhook,
            "--audit-webhook-mode=blocking-strict",
            "--audit-webhook-initial-backoff=1ms")) {
      assertThat(audit.request("e")).isEqualTo(Acceptance.ACCEPTED);
      assertThat(posts).hasSize(1);
    }
  }

  @Test
  void connectionThatIsReset_costsNoEvent() throws IOException {
    webhook.handle(
        (exchange, body) -> {
          if (asked.getAndIncrement() % 2 == 0) {
            // after the request, before the answer
            proxy.cut();
          } else {
            take(exchange, body);
          }
        });
    try (AuditUnderFlags audit =
        start(
            webhook,
            "--audit-webhook-mode=blocking-strict",
            "--audit-webhook-initial-backoff=1ms")) {
      for (int i = 0; i < 5; i++) {
        assertThat(audit.request("e" + i)).isEqualTo(Acceptance.ACCEPTED);
      }
      assertThat(posts).hasSize(5);
      assertThat(audit.lost("webhook")).isZero();
    }
  }

  @Test
  void connectionsThatAreRefused_loseEventsThatAreCounted_untilTheyAreNot() throws IOException {
    try (AuditUnderFlags audit =
        start(
            webhook,
            "--audit-webhook-batch-max-wait=0s",
            "--audit-webhook-batch-throttle-enable=false",
            "--audit-webhook-initial-backoff=1ms")) {
      proxy.refuse();
      assertThat(audit.request("lost")).isEqualTo(Acceptance.ACCEPTED);
      assertEventually(() -> assertThat(audit.lost("webhook")).isEqualTo(1));
      proxy.admit();
      assertThat(audit.request("sent")).isEqualTo(Acceptance.ACCEPTED);

      assertEventually(() -> assertThat(posts).hasSize(1));
      assertThat(posts.getFirst()).contains("\"auditID\":\"sent\"");
      assertThat(audit.lost("webhook")).isEqualTo(1);
    }
  }

  @Test
  void webhookOfAnotherAuthority_getsNothing() throws IOException {
    try (WebhookServer other = new WebhookServer("other", this::take);
        AuditUnderFlags audit =
            start(
                other,
                "--audit-webhook-mode=blocking-strict",
                "--audit-webhook-initial-backoff=1ms")) {
      assertThat(audit.request("e")).isEqualTo(Acceptance.REFUSED);

      assertThat(audit.lost("webhook")).isEqualTo(1);
      assertThat(webhook.requests()).isZero();
      assertThat(posts).isEmpty();
    }
  }
}
