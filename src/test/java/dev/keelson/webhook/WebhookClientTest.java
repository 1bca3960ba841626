package dev.keelson.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.keelson.testing.Eventually;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestAuthority.Period;
import dev.keelson.testing.TestIdentity;
import dev.keelson.testing.WebhookServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WebhookClientTest {

  private static final byte[] BODY = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
  private static final CallLimits LIMITS = new CallLimits(Duration.ofSeconds(30), 1 << 20, true);
  private static final CallLimits SHORT = new CallLimits(Duration.ofMillis(300), 1 << 20, true);

  private final WebhookServer server =
      new WebhookServer(
          "hook.one.svc",
          (exchange, body) ->
              WebhookServer.respond(
                  exchange,
                  200,
                  exchange.getRequestMethod()
                      + " "
                      + exchange.getRequestURI()
                      + " "
                      + exchange.getRequestHeaders().getFirst("Content-Type")
                      + " "
                      + new String(body, StandardCharsets.UTF_8)));

  private final WebhookClient client = new WebhookClient(this::resolve);

  private InetSocketAddress resolve(String namespace, String name, int port)
      throws UnresolvableServiceException {
    if (name.equals("gone")) {
      throw new UnresolvableServiceException("service \"gone\" not found");
    }
    return InetSocketAddress.createUnresolved(
        name.equals("external") ? "localhost" : "127.0.0.1", server.port());
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private ClientConfig url(String path) {
    return new ClientConfig(server.url() + path, null, server.pem());
  }

  private ClientConfig service(String name) {
    return new ClientConfig("", new ServiceReference("one", name, "/convert", 8443), server.pem());
  }

  private String post(ClientConfig config, CallLimits limits) throws IOException {
    return new String(client.post(config, BODY, limits), StandardCharsets.UTF_8);
  }

  private void assertFails(ClientConfig config, CallLimits limits, String message) {
    assertThatThrownBy(() -> post(config, limits))
        .isInstanceOf(WebhookException.class)
        .message()
        .contains(message);
  }

  @Test
  void url_isPostedTo() throws IOException {
    assertThat(post(url("/a/b"), LIMITS))
        .isEqualTo("POST /a/b?timeout=30s application/json {\"a\":1}");
    assertThat(post(url(""), LIMITS)).startsWith("POST /?timeout=30s ");
    assertThat(post(url("/a b|c%20"), LIMITS)).startsWith("POST /a%20b%7Cc%20?timeout=30s ");
  }

  @Test
  void service_isReachedByItsAddressUnderItsName() throws IOException {
    assertThat(post(service("hook"), LIMITS)).startsWith("POST /convert?timeout=30s ");
  }

  @Test
  void certificateWithACommonNameAlone_isRefused_andTold() {
    TestAuthority authority = TestAuthority.root("old", Period.now());
    TestIdentity identity =
        authority.identity("CN=localhost", Period.now(), KeyPurposeId.id_kp_serverAuth);
    WebhookServer old =
        new WebhookServer(identity, (exchange, _) -> WebhookServer.respond(exchange, 200, "x"));
    List<CertificateFlaw> flaws = new ArrayList<>();
    try (old) {
      WebhookClient strict = new WebhookClient(this::resolve, flaws::add);
      ClientConfig config =
          new ClientConfig("https://localhost:" + old.port(), null, authority.pem());
      try (strict) {
        assertThatThrownBy(() -> strict.post(config, BODY, LIMITS))
            .hasMessage(
                "Post \"https://localhost:"
                    + old.port()
                    + "/?timeout=30s\": tls: failed to verify certificate: x509: certificate relies"
                    + " on legacy Common Name field, use SANs instead")
            .isInstanceOfSatisfying(
                WebhookException.class,
                e -> assertThat(e.certificateFlaw()).isEqualTo(CertificateFlaw.MISSING_SAN));
        assertThat(flaws).containsExactly(CertificateFlaw.MISSING_SAN);
        assertThat(config.host()).isEqualTo("localhost");
      }
    }
  }

  @Test
  void service_withAnotherNameInTheCertificate_fails() {
    WebhookServer other =
        new WebhookServer(
            "other.one.svc", (exchange, _) -> WebhookServer.respond(exchange, 200, "x"));
    try (other) {
      WebhookClient away =
          new WebhookClient(
              (_, _, _) -> InetSocketAddress.createUnresolved("localhost", other.port()));
      ClientConfig config =
          new ClientConfig("", new ServiceReference("one", "hook", "", 443), other.pem());
      try (away) {
        assertThatThrownBy(() -> away.post(config, BODY, LIMITS))
            .hasMessage(
                "Post \"https://hook.one.svc:443/?timeout=30s\": tls: failed to verify"
                    + " certificate: x509: certificate is valid for other.one.svc, not"
                    + " hook.one.svc");
      }
    }
  }

  @Test
  void service_thatIsMissing_isNamed() {
    assertFails(
        service("gone"),
        LIMITS,
        "Post \"https://gone.one.svc:8443/convert?timeout=30s\": service \"gone\" not found");
  }

  @Test
  void certificate_ofNoKnownAuthority_fails() {
    WebhookServer other = new WebhookServer("x", (_, _) -> {});
    other.close();
    assertFails(
        new ClientConfig(server.url(), null, other.pem()),
        LIMITS,
        "tls: failed to verify certificate: x509: certificate signed by unknown authority");
    assertFails(
        new ClientConfig(server.url(), null, ""),
        LIMITS,
        "tls: failed to verify certificate: x509: certificate signed by unknown authority");
    assertFails(
        new ClientConfig(server.url(), null, "no certificate"),
        LIMITS,
        "unable to load root certificates: unable to parse bytes as PEM block");
  }

  @Test
  void nothingListens_isRefused() {
    ClientConfig config = url("");
    String address = "127.0.0.1:" + server.port();
    server.close();
    assertFails(config, LIMITS, "dial tcp " + address + ": connect: connection refused");
  }

  @Test
  void status_isInKubernetesWords() {
    server.handle(
        (exchange, _) ->
            WebhookServer.respond(
                exchange,
                Integer.parseInt(exchange.getRequestURI().getPath().substring(1)),
                "text/plain; charset=utf-8",
                " text \n".getBytes(StandardCharsets.UTF_8)));
    assertFails(url("/404"), LIMITS, "the server could not find the requested resource");
    assertFails(
        url("/500"),
        LIMITS,
        "an error on the server (\"text\") has prevented the request from succeeding");
    assertFails(url("/503"), LIMITS, "the server is currently unable to handle the request");
    assertFails(url("/403"), LIMITS, "text");
    assertFails(
        url("/302"),
        LIMITS,
        "the server responded with the status code 302 but did not return more information");
    assertThatThrownBy(() -> post(url("/429"), LIMITS))
        .asInstanceOf(type(WebhookException.class))
        .extracting(WebhookException::status)
        .isEqualTo(429);
  }

  @Test
  void redirect_isNotFollowed() {
    server.handle(
        (exchange, _) -> {
          exchange.getResponseHeaders().set("Location", server.url() + "/other");
          WebhookServer.respond(exchange, 307, "");
        });
    assertFails(url(""), LIMITS, "the server responded with the status code 307");
    assertThat(server.requests()).isEqualTo(1);
  }

  @Test
  void emptyResponse_fails() {
    server.handle((exchange, _) -> WebhookServer.respond(exchange, 200, ""));
    assertFails(
        url(""),
        LIMITS,
        "0-length response with status code: 200 and content type: application/json");
  }

  @Test
  void longResponse_isCutOff() {
    server.handle(
        (exchange, _) -> WebhookServer.respond(exchange, 200, "text/plain", new byte[2 << 20]));
    assertFails(url(""), LIMITS, "body exceeds capacity: 1048576");
  }

  @Test
  void hangingWebhook_timesOut() {
    CountDownLatch end = new CountDownLatch(1);
    server.handle((_, _) -> await(end));
    assertFails(
        url(""),
        SHORT,
        "context deadline exceeded (Client.Timeout exceeded while awaiting headers)");
    end.countDown();
  }

  @Test
  void bodyThatNeverEnds_timesOut() {
    CountDownLatch end = new CountDownLatch(1);
    server.handle(
        (exchange, _) -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          await(end);
        });
    assertFails(url(""), SHORT, "context deadline exceeded");
    end.countDown();
  }

  @Test
  void interruptedThread_givesUp() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    server.handle(
        (_, _) -> {
          asked.countDown();
          await(end);
        });
    List<Throwable> failures = new ArrayList<>();
    Thread caller =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    post(url(""), LIMITS);
                  } catch (IOException e) {
                    failures.add(e);
                  }
                });
    asked.await();
    caller.interrupt();
    caller.join();
    end.countDown();
    assertThat(failures)
        .singleElement()
        .extracting(Throwable::getMessage)
        .asString()
        .contains("context canceled");
  }

  @Test
  void connections_areReused() throws IOException {
    for (int i = 0; i < 10; i++) {
      post(url("/a" + i), LIMITS);
    }
    assertThat(server.connections()).isEqualTo(1);
    assertThat(client.servers()).isEqualTo(1);
  }

  @Test
  void servers_areBounded() {
    for (int i = 0; i < 210; i++) {
      ClientConfig config =
          new ClientConfig("", new ServiceReference("one", "gone", "", 1 + i), server.pem());
      assertFails(config, LIMITS, "service \"gone\" not found");
    }
    assertThat(client.servers()).isEqualTo(200);
  }

  @Test
  void repeatableCall_isSentAgainOnALostConnection() throws IOException {
    AtomicInteger calls = new AtomicInteger();
    server.handle(
        (exchange, _) -> {
          if (calls.incrementAndGet() == 2) {
            throw new IOException("close the connection");
          }
          WebhookServer.respond(exchange, 200, "ok");
        });
    post(url(""), LIMITS);
    assertThat(post(url(""), LIMITS)).isEqualTo("ok");
    assertThat(calls).hasValue(3);
  }

  @Test
  void busyWebhook_isCalledAgainWhenItAsksFor() throws IOException {
    server.handle(
        (exchange, _) -> {
          if (server.requests() < 3) {
            exchange.getResponseHeaders().set("Retry-After", "0");
            WebhookServer.respond(exchange, server.requests() == 1 ? 429 : 503, "busy");
          } else {
            WebhookServer.respond(exchange, 200, "ok");
          }
        });

    assertThat(post(url(""), new CallLimits(Duration.ofSeconds(30), 100, false))).isEqualTo("ok");
    assertThat(server.requests()).isEqualTo(3);
  }

  @Test
  void busyWebhook_isCalledElevenTimesAtMost() {
    server.handle(
        (exchange, _) -> {
          exchange.getResponseHeaders().set("Retry-After", "0");
          WebhookServer.respond(exchange, 429, "busy");
        });

    assertFails(url(""), LIMITS, "the server has received too many requests");
    assertThat(server.requests()).isEqualTo(11);
  }

  @Test
  void busyWebhook_isNotCalledAfterTheDeadline() {
    server.handle(
        (exchange, _) -> {
          exchange.getResponseHeaders().set("Retry-After", "100");
          WebhookServer.respond(exchange, 429, "busy");
        });

    assertFails(url(""), LIMITS, "context deadline exceeded");
    assertThat(server.requests()).isEqualTo(1);
  }

  @Test
  void callThatIsNotRepeatable_isSentOnce() {
    server.handle(
        (_, _) -> {
          throw new IOException("close the connection");
        });
    assertFails(url(""), new CallLimits(Duration.ofSeconds(30), 100, false), ": EOF");
    assertThat(server.requests()).isEqualTo(1);
  }

  @Test
  void parallelCalls_areBounded() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    server.handle(
        (exchange, _) -> {
          await(end);
          WebhookServer.respond(exchange, 200, "ok");
        });
    List<Future<String>> calls = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 100; i++) {
        calls.add(threads.submit(() -> post(url(""), LIMITS)));
      }
      Eventually.assertEventually(() -> assertThat(server.requests()).isEqualTo(64));
      end.countDown();
      for (Future<String> call : calls) {
        assertThat(call.get()).isEqualTo("ok");
      }
    }
    assertThat(server.requests()).isEqualTo(100);
    assertThat(server.connections()).isLessThanOrEqualTo(64);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
