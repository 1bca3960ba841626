package dev.keelson.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.Exchange;
import dev.keelson.http.connection.limit.BodyBudget;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.RawConnection;
import dev.keelson.work.Turn;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bodies that come too slowly, over sockets; the period is half a second. */
@Timeout(60)
class SlowBodiesTest {

  private static final Duration PERIOD = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The bytes that an empty request of {@link RawConnection#ask} is: the first of a body. */
  private static final int FIRST = 4;

  private final Vertx vertx = Vertx.vertx();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ErrorResponses errors =
      new ErrorResponses(
          (request, code, status) ->
              ApiResponse.of(
                  code,
                  "text/plain",
                  (status.text("reason") + " " + status.text("message"))
                      .getBytes(StandardCharsets.UTF_8)));
  private BodyBudget budget = BodyBudget.ofMemory();
  private final CompletableFuture<Reason> computed = new CompletableFuture<>();
  private URI uri;

  @BeforeEach
  void listen() throws Exception {
    listen(PERIOD);
  }

  private void listen(Duration period) throws Exception {
    RequestReceiver receiver =
        new RequestReceiver(
            vertx,
            threads,
            this::read,
            exchange -> ApiResponse.of(404, "text/plain", new byte[0]),
            errors,
            new RequestReceiver.Times(PATIENCE, PATIENCE, period),
            Delegation.NONE,
            chain -> chain,
            InstantSource.system(),
            ForwardedAddresses.OF_TLS,
            RequestReceiver.Traffic.UNLIMITED,
            budget);
    Router router = Router.router(vertx);
    router.route().handler(routing -> receiver.handle(routing, () -> {}));
    int port =
        vertx
            .createHttpServer()
            .requestHandler(router)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get()
            .actualPort();
    uri = URI.create("http://127.0.0.1:" + port);
  }

  @AfterEach
  void stop() throws Exception {
    boolean unfinished = computed.complete(Reason.UNKNOWN);
    assertThat(unfinished).isEqualTo(computed.join() == Reason.UNKNOWN);
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    threads.close();
  }

  /** Answers with the length of the body, of the user that the head names. */
  private void read(RoutingContext routing) {
    Call call = Call.of(routing);
    Runnable task =
        () -> call.send(call.run(new RequestInfo.NonResource("/", "post"), this::length));
    if (!routing.request().method().equals(HttpMethod.DELETE)) {
      threads.execute(task);
      return;
    }
    // the end of a request that has only a head comes after its thread has looked for the body
    Thread thread = Thread.startVirtualThread(task);
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TERMINATED) {
      Thread.onSpinWait();
    }
  }

  private ApiResponse length(Exchange exchange) {
    String user = exchange.request().header("X-User");
    exchange
        .context()
        .identify(new UserInfo(user.isEmpty() ? "me" : user, "", List.of(), Map.of()));
    if (exchange.request().method().equals("PATCH")) {
      return ApiResponse.of(200, "text/plain", (Body.Streamed) this::computeForEver);
    }
    try {
      String length = Integer.toString(exchange.request().body().length);
      return ApiResponse.of(200, "text/plain", length.getBytes(StandardCharsets.UTF_8));
    } catch (ApiException e) {
      return errors.answer(exchange.request(), e);
    }
  }

  /** A response whose rest takes for ever to compute. */
  private void computeForEver(Body.Sink sink) throws InterruptedException {
    sink.write(Body.Payload.of("begin".getBytes(StandardCharsets.US_ASCII)));
    try {
      while (!computed.isDone()) {
        Turn.pass();
      }
    } catch (ApiException e) {
      boolean first = computed.complete(e.reason());
      assertThat(first).isTrue();
    }
  }

  @Test
  void responseThatIsStillComputed_endsWithItsClient() throws Exception {
    try (RawConnection connection = RawConnection.plain(uri)) {
      connection
          .out()
          .write(
              "PATCH / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      connection.out().flush();
      byte[] status = connection.in().readNBytes("HTTP/1.1 200".length());
      assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
    }

    assertThat(computed.get(20, TimeUnit.SECONDS)).isEqualTo(Reason.TIMEOUT);
  }

  private static void assertRefused(RawConnection connection, RawConnection.Response answer)
      throws IOException {
    assertThat(answer.status()).isEqualTo(408);
    assertThat(answer.head()).containsIgnoringCase("connection: close");
    assertThat(answer.body()).startsWith("Timeout the request body is sent too slowly");
    assertThat(connection.in().read()).isEqualTo(-1);
  }

  @Test
  void bodyOfADeclaredLength_thatStalls_endsTheConnection() throws IOException {
    try (RawConnection connection = RawConnection.plain(uri)) {
      assertRefused(
          connection, connection.ask("{", "POST / HTTP/1.1", "Host: a", "Content-Length: 1048576"));
    }
  }

  @Test
  void largeBody_thatStallsBeforeItsEnd_endsTheConnection() throws IOException {
    try (RawConnection connection = RawConnection.plain(uri)) {
      assertRefused(
          connection,
          connection.ask(
              " ".repeat(1_048_575), "POST / HTTP/1.1", "Host: a", "Content-Length: 1048576"));
    }
  }

  @Test
  void chunk_thatStalls_endsTheConnection() throws IOException {
    try (RawConnection connection = RawConnection.plain(uri)) {
      assertRefused(
          connection,
          connection.ask(
              "5\r\n{\"a\"", "POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked"));
    }
  }

  @Test
  void bodyThatWasAskedForAndDoesNotCome_endsTheConnection() throws IOException {
    try (RawConnection connection = RawConnection.plain(uri)) {
      RawConnection.Response asked =
          connection.ask(
              "", "POST / HTTP/1.1", "Host: a", "Content-Length: 10", "Expect: 100-continue");

      assertThat(asked.head()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
      assertRefused(connection, connection.answer());
    }
  }

  /** Sends a head and the first bytes of a body; returns the answer when it comes. */
  private static CompletableFuture<RawConnection.Response> beginBody(
      RawConnection connection, int length) throws IOException {
    String head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n";
    connection.out().write(head.getBytes(StandardCharsets.US_ASCII));
    CompletableFuture<RawConnection.Response> answer = new CompletableFuture<>();
    Thread unused =
        Thread.startVirtualThread(
            () -> {
              try {
                boolean first = answer.complete(connection.ask(""));
                assertThat(first).isTrue();
              } catch (IOException e) {
                boolean first = answer.completeExceptionally(e);
                assertThat(first).isTrue();
              }
            });
    return answer;
  }

  /** Waits, but not longer than for the answer. */
  private static void pause(CompletableFuture<RawConnection.Response> answer, Duration time)
      throws Exception {
    try {
      RawConnection.Response unused = answer.get(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      assertThat(e).hasNoCause();
    }
  }

  @Test
  void bodyThatDrips_endsTheConnection() throws Exception {
    try (RawConnection connection = RawConnection.plain(uri)) {
      CompletableFuture<RawConnection.Response> answer = beginBody(connection, 10_000);
      int sent = 0;
      while (!answer.isDone() && sent < 9_000) {
        connection.out().write(' ');
        connection.out().flush();
        sent++;
        pause(answer, Duration.ofMillis(10));
      }

      assertRefused(connection, answer.get());
    }
  }

  @Test
  void bodyThatIsSlowButFastEnough_isRead() throws Exception {
    // long enough for a pause of a loaded machine
    Duration period = Duration.ofSeconds(2);
    listen(period);
    try (RawConnection connection = RawConnection.plain(uri)) {
      int parts = 50;
      int part = 3 * 1024;
      int length = parts * part + FIRST;
      CompletableFuture<RawConnection.Response> answer = beginBody(connection, length);
      long began = System.nanoTime();
      for (int i = 0; i < parts; i++) {
        connection.out().write(new byte[part]);
        connection.out().flush();
        pause(answer, period.dividedBy(20));
      }

      assertThat(answer.get().status()).isEqualTo(200);
      assertThat(answer.get().body()).isEqualTo(Integer.toString(length));
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(period);
    }
  }

  @Test
  void smallBodies_inOneSegment_areReadOneAfterTheOther() throws IOException {
    try (RawConnection connection = RawConnection.plain(uri)) {
      for (int i = 0; i < 100; i++) {
        RawConnection.Response answer =
            connection.ask("{}", "POST / HTTP/1.1", "Host: a", "Content-Length: 2");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("2");
      }
    }
  }

  private static RawConnection.Response write(RawConnection connection, String user, int length)
      throws IOException {
    return connection.ask(
        " ".repeat(length),
        "POST / HTTP/1.1",
        "Host: a",
        "X-User: " + user,
        "Content-Length: " + length);
  }

  private static void assertTooMany(RawConnection.Response answer) {
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.head()).containsIgnoringCase("retry-after: 1");
    assertThat(answer.body()).startsWith("TooManyRequests too many request bodies");
  }

  @Test
  void userWhoStallsBodies_leavesRoomForOthers() throws Exception {
    long mebi = 1024 * 1024;
    budget = new BodyBudget(16 * mebi);
    listen(PATIENCE);
    List<RawConnection> stalled = new ArrayList<>();
    try (RawConnection other = RawConnection.plain(uri)) {
      // the half of all, but for what a request takes that waits for its body
      int[] sent = {RequestBody.MAX_BYTES - 1, RequestBody.MAX_BYTES - 1, 2_020_000};
      for (int length : sent) {
        RawConnection connection = RawConnection.plain(uri);
        stalled.add(connection);
        String head =
            "POST / HTTP/1.1\r\nHost: a\r\nX-User: hostile\r\nContent-Length: 3145728\r\n\r\n";
        connection.out().write(head.getBytes(StandardCharsets.US_ASCII));
        connection.out().write(new byte[length]);
        connection.out().flush();
      }
      Eventually.assertEventually(
          () ->
              assertThat(budget.used())
                  .isEqualTo(IntStream.of(sent).sum() + 3L * BodyBudget.WAITING_BYTES));
      try (RawConnection fourth = RawConnection.plain(uri)) {
        assertTooMany(write(fourth, "hostile", RequestBody.MAX_BYTES));
      }

      for (int i = 0; i < 3; i++) {
        RawConnection.Response written = write(other, "other", RequestBody.MAX_BYTES);
        assertThat(written.status()).as(written.body()).isEqualTo(200);
        assertThat(written.body()).isEqualTo(Integer.toString(RequestBody.MAX_BYTES));
      }
      // what is small and complete is nobody's, or its owner's until it has been answered
      assertThat(write(other, "hostile", 2).status()).isEqualTo(200);
      Eventually.assertEventually(() -> assertThat(budget.owners()).isEqualTo(1));
      // nor does a request without a body need room
      RawConnection.Response deleted =
          other.ask("", "DELETE / HTTP/1.1", "Host: a", "X-User: hostile");
      assertThat(deleted.status()).as(deleted.body()).isEqualTo(200);
      // what is small and not yet complete has a part of its own
      try (RawConnection small = RawConnection.plain(uri)) {
        String head = "POST / HTTP/1.1\r\nHost: a\r\nX-User: hostile\r\nContent-Length: 6\r\n\r\n";
        small.out().write(head.getBytes(StandardCharsets.US_ASCII));
        small.out().flush();
        Eventually.assertEventually(() -> assertThat(budget.owners()).isEqualTo(2));
        assertThat(small.ask("ab").body()).isEqualTo("6");
      }
    } finally {
      for (RawConnection connection : stalled) {
        connection.close();
      }
    }
    Eventually.assertEventually(() -> assertThat(budget.used()).isZero());
    assertThat(budget.owners()).isZero();
  }

  @Test
  void streamWhoseBodyStalls_endsAlone() throws Exception {
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    HttpClientRequest stalled = request(client);
    CompletableFuture<Throwable> reset = new CompletableFuture<>();
    var unused =
        stalled.exceptionHandler(
            e -> {
              boolean ignored = reset.complete(e);
            });
    stalled.setChunked(true);
    var written = stalled.write(Buffer.buffer(" ".repeat(100_000)));
    HttpClientResponse answer =
        stalled.response().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);

    assertThat(written).isNotNull();
    assertThat(answer.statusCode()).isEqualTo(408);
    assertThat(reset.get(20, TimeUnit.SECONDS))
        .isInstanceOfSatisfying(StreamResetException.class, e -> assertThat(e.getCode()).isZero());
    // the connection goes on
    HttpClientRequest next = request(client);
    HttpClientResponse after =
        next.send(Buffer.buffer("{}"))
            .toCompletionStage()
            .toCompletableFuture()
            .get(20, TimeUnit.SECONDS);
    assertThat(after.statusCode()).isEqualTo(200);
    assertThat(next.connection()).isSameAs(stalled.connection());
  }

  private HttpClientRequest request(HttpClient client) throws Exception {
    return client
        .request(HttpMethod.POST, uri.getPort(), "127.0.0.1", "/")
        .toCompletionStage()
        .toCompletableFuture()
        .get(20, TimeUnit.SECONDS);
  }
}
