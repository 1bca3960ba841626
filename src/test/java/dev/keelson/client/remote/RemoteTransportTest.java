package dev.keelson.client.remote;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.client.rest.ApiTransport.Answer;
import dev.keelson.client.rest.ApiTransport.EventStream;
import dev.keelson.client.rest.ApiTransport.Request;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestAuthority.Period;
import dev.keelson.testing.TestIdentity;
import dev.keelson.webhook.ServerTrust;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The transport against a server that speaks HTTP/2 or only HTTP/1.1. */
final class RemoteTransportTest {

  private static final TestAuthority AUTHORITY = TestAuthority.root("servers", Period.now());

  private final List<String> answers = new CopyOnWriteArrayList<>();
  private Vertx vertx;
  private int port;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void stop() throws Exception {
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private RemoteTransport serving(HttpVersion version, Consumer<HttpServerRequest> handler)
      throws Exception {
    return serving(version, handler, new AtomicBoolean());
  }

  /** A transport to a new server; {@code renewed} is set when credentials were rejected. */
  private RemoteTransport serving(
      HttpVersion version, Consumer<HttpServerRequest> handler, AtomicBoolean renewed)
      throws Exception {
    TestIdentity identity = AUTHORITY.serverNamed("localhost");
    HttpServer server =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setSsl(true)
                    .setUseAlpn(true)
                    .setAlpnVersions(List.of(version))
                    .setKeyCertOptions(
                        new PemKeyCertOptions()
                            .setCertValue(Buffer.buffer(identity.certificatePem()))
                            .setKeyValue(Buffer.buffer(identity.keyPem()))))
            .requestHandler(handler::accept)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(60, TimeUnit.SECONDS);
    port = server.actualPort();
    return transport("localhost", renewed);
  }

  private RemoteTransport transport(String serverName, AtomicBoolean renewed) throws IOException {
    HttpClient client =
        HttpClients.open(vertx, ServerTrust.manager(AUTHORITY.pem(), serverName, flaw -> {}), null);
    return new RemoteTransport(
        new RemoteTransport.Route() {
          @Override
          public ApiServer now() {
            return new ApiServer(
                client,
                "127.0.0.1",
                port,
                serverName,
                "/base",
                Map.of("Authorization", renewed.get() ? "Bearer new" : "Bearer old"));
          }

          @Override
          public boolean rejected(ApiServer rejecting) {
            return renewed.compareAndSet(false, true);
          }
        },
        "tests/1",
        (method, host, code) -> answers.add(method + " " + code));
  }

  private static Request watch() {
    return Request.of("GET", "/api/v1/pods", Map.of("watch", "true"));
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "nothing" : new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void requestWithALimit_tellsTheServer_andIsGivenUpInTime() throws Exception {
    CompletableFuture<String> asked = new CompletableFuture<>();
    ApiTransport transport =
        serving(
            HttpVersion.HTTP_2,
            request -> {
              // never answered
              asked.complete(String.valueOf(request.getParam("timeout")));
            });
    Request write = Request.of("DELETE", "/api/v1/namespaces/x/pods/y", Map.of());

    // on a slow machine the time may pass before the request leaves
    do {
      assertThatThrownBy(() -> transport.send(write, () -> Duration.ofMillis(300)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no response within PT0.3S");
    } while (!asked.isDone());
    assertThat(asked.join()).isEqualTo("300ms");
  }

  @Test
  void requestThatIsToBeRepeated_asksItsLimitAgain() throws Exception {
    ApiTransport transport =
        serving(
            HttpVersion.HTTP_2,
            request ->
                request.response().setStatusCode(429).putHeader("Retry-After", "0").end("later"));
    AtomicInteger asked = new AtomicInteger();
    Request write = Request.of("DELETE", "/api/v1/namespaces/x/pods/y", Map.of());

    assertThatThrownBy(
            () ->
                transport.send(
                    write,
                    () -> {
                      if (asked.incrementAndGet() == 3) {
                        throw new IOException("too late");
                      }
                      return Duration.ofMinutes(1);
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("too late");
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void request_arrivesWithPathQueryHeadersAndBody(HttpVersion version) throws Exception {
    ApiTransport transport =
        serving(
            version,
            request ->
                request.bodyHandler(
                    body ->
                        request
                            .response()
                            .setStatusCode(201)
                            .end(
                                String.join(
                                    "|",
                                    request.version().name(),
                                    request.method().name(),
                                    request.uri(),
                                    String.valueOf(request.authority()),
                                    request.getHeader("Authorization"),
                                    request.getHeader("User-Agent"),
                                    request.getHeader("Accept"),
                                    request.getHeader("Content-Type"),
                                    body.toString()))));

    Answer answer =
        transport.send(
            new Request(
                "PATCH",
                "/api/v1/pods",
                Map.of("labelSelector", "a in (b, c)&d"),
                "application/merge-patch+json",
                "{}".getBytes(StandardCharsets.UTF_8)));

    assertThat(answer.status()).isEqualTo(201);
    assertThat(text(answer.body()))
        .isEqualTo(
            version
                + "|PATCH|/base/api/v1/pods?labelSelector=a+in+%28b%2C+c%29%26d|127.0.0.1:"
                + port
                + "|Bearer old|tests/1|application/json|application/merge-patch+json|{}");
    assertThat(answers).containsExactly("PATCH 201");
  }

  @Test
  void responseThatAsksForAPause_isFollowedByAnotherRequest() throws Exception {
    AtomicInteger requests = new AtomicInteger();
    ApiTransport transport =
        serving(
            HttpVersion.HTTP_2,
            request -> {
              int number = requests.incrementAndGet();
              request
                  .response()
                  .setStatusCode(number == 1 ? 429 : number == 2 ? 503 : 200)
                  .putHeader("Retry-After", "0")
                  .end();
            });

    assertThat(transport.send(Request.of("GET", "/x", Map.of())).status()).isEqualTo(200);
    assertThat(answers).containsExactly("GET 429", "GET 503", "GET 200");
  }

  @Test
  void errorWithoutAPause_isReturned() throws Exception {
    ApiTransport transport =
        serving(HttpVersion.HTTP_2, request -> request.response().setStatusCode(503).end());

    assertThat(transport.send(Request.of("GET", "/x", Map.of())).status()).isEqualTo(503);
    assertThat(answers).containsExactly("GET 503");
  }

  @Test
  void rejectedCredentials_areRenewedOnce() throws Exception {
    AtomicBoolean renewed = new AtomicBoolean();
    ApiTransport transport =
        serving(
            HttpVersion.HTTP_2,
            request ->
                request
                    .response()
                    .setStatusCode(
                        "Bearer new".equals(request.getHeader("Authorization")) ? 200 : 401)
                    .end(),
            renewed);

    assertThat(transport.send(Request.of("GET", "/x", Map.of())).status()).isEqualTo(200);
    assertThat(answers).containsExactly("GET 401", "GET 200");
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void events_areLines_howeverTheyArrive(HttpVersion version) throws Exception {
    ApiTransport transport =
        serving(
            version,
            request -> {
              HttpServerResponse response = request.response().setChunked(true);
              var unused = response.write("{\"n\":1}\n{\"n\"");
              unused = response.write(":2}\n\n");
              unused = response.end("{\"n\":3}\n");
            });

    try (EventStream events = transport.watch(watch())) {
      assertThat(text(events.next())).isEqualTo("{\"n\":1}");
      assertThat(text(events.next())).isEqualTo("{\"n\":2}");
      assertThat(text(events.next())).isEqualTo("{\"n\":3}");
      assertThat(events.next()).isNull();
    }
  }

  @Test
  void watchThatIsRefused_hasTheErrorOfTheServer() throws Exception {
    ApiTransport transport =
        serving(
            HttpVersion.HTTP_2,
            request ->
                request
                    .response()
                    .setStatusCode(410)
                    .end(
                        "{\"kind\":\"Status\",\"message\":\"too"
                            + " old\",\"reason\":\"Expired\",\"code\":410}"));

    assertThatThrownBy(() -> transport.watch(watch()))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.EXPIRED));
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void connectionThatBreaks_failsTheWatch(HttpVersion version) throws Exception {
    ApiTransport transport =
        serving(
            version,
            request -> {
              HttpServerResponse response = request.response().setChunked(true);
              response.write("{}\n").onComplete(sent -> request.connection().close());
            });

    try (EventStream events = transport.watch(watch())) {
      assertThat(text(events.next())).isEqualTo("{}");
      assertThatThrownBy(events::next).isInstanceOf(IOException.class);
    }
  }

  /** Writes a line in each turn of the event loop, since a turn ends with a flush. */
  private final class Pump {
    private final HttpServerResponse response;
    private final String line;
    private final int lines;
    private final AtomicLong sent;
    private final AtomicBoolean full;
    private boolean ended;

    Pump(HttpServerResponse response, String line, int lines, AtomicLong sent, AtomicBoolean full) {
      this.response = response;
      this.line = line;
      this.lines = lines;
      this.sent = sent;
      this.full = full;
    }

    void run() {
      full.set(!ended && response.writeQueueFull());
      if (ended || full.get()) {
        return;
      }
      if (sent.get() == lines) {
        ended = true;
        var unused = response.end();
        return;
      }
      long number = sent.incrementAndGet();
      response.write(line).onFailure(e -> answers.add("line " + number + ": " + e.getMessage()));
      vertx.runOnContext(next -> run());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void reader_thatIsBehind_stopsTheServer_andLosesNothing(HttpVersion version) throws Exception {
    String line = "x".repeat(32 * 1024 - 1) + "\n";
    // more than the buffers of the kernel have room for
    int lines = 3 * 1024;
    AtomicLong sent = new AtomicLong();
    AtomicBoolean full = new AtomicBoolean();
    ApiTransport transport =
        serving(
            version,
            request -> {
              Pump pump = new Pump(request.response().setChunked(true), line, lines, sent, full);
              HttpServerResponse same = request.response().drainHandler(ready -> pump.run());
              assertThat(same).isSameAs(request.response());
              pump.run();
            });

    try (EventStream events = transport.watch(watch())) {
      assertEventually(() -> assertThat(full).isTrue());
      assertThat(sent.get()).isLessThan(lines);

      for (int i = 0; i < lines; i++) {
        assertThat(events.next()).hasSize(line.length() - 1);
      }
      assertThat(events.next()).isNull();
    }
  }

  @Test
  void slowWatch_doesNotStopOtherRequests() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    ApiTransport transport =
        serving(
            HttpVersion.HTTP_2,
            request -> {
              HttpServerResponse response = request.response();
              if (request.uri().endsWith("/x")) {
                var unused = response.end("done");
                return;
              }
              while (!response.writeQueueFull()) {
                var unused = response.write("y".repeat(64 * 1024));
              }
              full.set(true);
            });

    try (EventStream events = transport.watch(watch())) {
      assertEventually(() -> assertThat(full).isTrue());

      for (int i = 0; i < 20; i++) {
        assertThat(text(transport.send(Request.of("GET", "/x", Map.of())).body()))
            .isEqualTo("done");
      }
      assertThat(events).isNotNull();
    }
  }

  @Test
  void close_endsTheReaderAndTheRequest() throws Exception {
    CompletableFuture<Throwable> gone = new CompletableFuture<>();
    ApiTransport transport =
        serving(
            HttpVersion.HTTP_2,
            request -> {
              HttpServerResponse response = request.response();
              HttpServerResponse same = response.exceptionHandler(gone::complete);
              assertThat(same).isSameAs(response);
              var unused = response.write("{}\n");
            });
    EventStream events = transport.watch(watch());
    assertThat(text(events.next())).isEqualTo("{}");
    CompletableFuture<Object> read = new CompletableFuture<>();
    Thread reader =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    byte[] event = events.next();
                    boolean unused = read.complete(event == null ? "end" : text(event));
                  } catch (IOException | InterruptedException e) {
                    boolean unused = read.completeExceptionally(e);
                  }
                });

    events.close();

    assertThat(read.get(60, TimeUnit.SECONDS)).isEqualTo("end");
    assertThat(gone.get(60, TimeUnit.SECONDS)).isNotNull();
    reader.join();
  }

  @Test
  void interruptedThread_givesTheRequestUp() throws Exception {
    CompletableFuture<Throwable> gone = new CompletableFuture<>();
    CompletableFuture<Void> arrived = new CompletableFuture<>();
    ApiTransport transport =
        serving(
            HttpVersion.HTTP_2,
            request -> {
              HttpServerResponse same = request.response().exceptionHandler(gone::complete);
              boolean unused = arrived.complete(null);
              assertThat(same).isNotNull();
            });
    CompletableFuture<Exception> thrown = new CompletableFuture<>();
    Thread waiting =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    Answer unused = transport.send(Request.of("GET", "/x", Map.of()));
                  } catch (IOException | InterruptedException e) {
                    boolean unused = thrown.complete(e);
                  }
                });
    Void unused = arrived.get(60, TimeUnit.SECONDS);

    waiting.interrupt();

    assertThat(thrown.get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    assertThat(gone.get(60, TimeUnit.SECONDS)).isNotNull();
  }

  @Test
  void serverWithAnotherName_isNotTrusted_andNoServerIsAnError() throws Exception {
    RemoteTransport unused =
        serving(HttpVersion.HTTP_2, request -> request.response().end("secret"));
    ApiTransport other = transport("example.com", new AtomicBoolean());

    assertThatThrownBy(() -> other.send(Request.of("GET", "/x", Map.of())))
        .isInstanceOf(IOException.class);
    assertThat(answers).containsExactly("GET <error>");
  }
}
