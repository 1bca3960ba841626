package dev.keelson.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.ErrorResponses;
import dev.keelson.request.RequestInfo;
import dev.keelson.testing.RawConnection;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetSocket;
import io.vertx.ext.web.Router;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How bodies that outlive their handler end, over sockets. */
@Timeout(60)
class BodyEndsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String[] GET = {"GET / HTTP/1.1", "Host: a"};

  private final Vertx vertx = Vertx.vertx();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private ApiResponse answer = new ApiResponse(200, List.of(), Body.Payload.EMPTY);

  /** Runs requests and sends their responses. */
  private Executor sender = threads;

  private URI uri;

  @BeforeEach
  void listen() throws Exception {
    RequestReceiver receiver =
        new RequestReceiver(
            vertx,
            threads,
            routing -> {
              Call call = Call.of(routing);
              sender.execute(
                  () ->
                      call.send(
                          call.run(new RequestInfo.NonResource("/", "get"), exchange -> answer)));
            },
            exchange -> ApiResponse.of(404, "text/plain", new byte[0]),
            new ErrorResponses(
                (request, code, status) -> ApiResponse.of(code, "text/plain", new byte[0])),
            new RequestReceiver.Times(PATIENCE, PATIENCE, PATIENCE),
            Delegation.NONE,
            chain -> chain,
            InstantSource.system(),
            ForwardedAddresses.OF_TLS,
            RequestReceiver.Traffic.UNLIMITED);
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
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    threads.close();
  }

  private static void fail() {
    throw new IllegalStateException("kaboom");
  }

  private void assertCut(Consumer<Body.Channel> begin) throws Exception {
    CompletableFuture<Void> gone = new CompletableFuture<>();
    answer =
        new ApiResponse(
            200,
            List.of(),
            new Body.LongRunning() {
              @Override
              public void start(Body.Channel channel) {
                channel.onGone(() -> gone.complete(null));
                begin.accept(channel);
              }

              @Override
              public void abandon() {}
            });
    try (RawConnection connection = RawConnection.plain(uri)) {
      assertThat(connection.ask("", GET).status()).isEqualTo(200);

      byte[] rest = connection.in().readAllBytes();

      assertThat(new String(rest, StandardCharsets.UTF_8)).doesNotEndWith("0\r\n\r\n");
      Void unused = gone.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void defectAtTheBeginOfALongRunningBody_cutsTheConnection() throws Exception {
    assertCut(channel -> fail());
  }

  @Test
  void defectOfALaterStep_cutsTheConnection() throws Exception {
    assertCut(channel -> channel.wake(BodyEndsTest::fail));
    assertCut(channel -> channel.execute(BodyEndsTest::fail));
    assertCut(channel -> channel.after(Duration.ofMillis(1), BodyEndsTest::fail));
  }

  @Test
  void upgradedBody_isToldWhenItsConnectionIsClosed() throws Exception {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    CompletableFuture<Void> taken = new CompletableFuture<>();
    answer =
        new ApiResponse(
            101,
            List.of(
                new ApiResponse.Header("Connection", "Upgrade"),
                new ApiResponse.Header("Upgrade", "it")),
            new Body.Upgraded() {
              @Override
              public void take(NetSocket connection) {
                NetSocket unused = connection.resume();
                taken.complete(null);
              }

              @Override
              public void ended() {
                ended.complete(null);
              }

              @Override
              public void abandon() {}
            });

    try (RawConnection connection = RawConnection.plain(uri)) {
      assertThat(
              connection
                  .ask("", "GET / HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: it")
                  .status())
          .isEqualTo(101);
      Void unused = taken.get(30, TimeUnit.SECONDS);
      assertThat(ended).isNotDone();
    }

    Void unused = ended.get(30, TimeUnit.SECONDS);
  }

  @Test
  void streamedBody_isAbandonedAtTheEndOfItsRequest() throws Exception {
    CompletableFuture<Void> abandoned = new CompletableFuture<>();
    answer =
        new ApiResponse(
            200,
            List.of(),
            new Body.Streamed() {
              @Override
              public void writeTo(Body.Sink sink) throws InterruptedException {
                sink.write(Body.Payload.of("foo".getBytes(StandardCharsets.UTF_8)));
              }

              @Override
              public void abandon() {
                abandoned.complete(null);
              }
            });

    try (RawConnection connection = RawConnection.plain(uri)) {
      assertThat(connection.ask("", GET).status()).isEqualTo(200);
      Void unused = abandoned.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void streamedBody_sentOnTheEventLoop_doesNotBlockIt() throws Exception {
    sender = Runnable::run;
    answer =
        new ApiResponse(
            200,
            List.of(),
            new Body.Streamed() {
              @Override
              public void writeTo(Body.Sink sink) throws InterruptedException {
                assertThat(Context.isOnEventLoopThread()).isFalse();
                for (int i = 0; i < 100; i++) {
                  sink.write(Body.Payload.of(new byte[64 * 1024]));
                }
              }
            });

    try (RawConnection connection = RawConnection.plain(uri)) {
      assertThat(connection.ask("", "GET / HTTP/1.1", "Host: a", "Connection: close").status())
          .isEqualTo(200);
      byte[] rest = connection.in().readAllBytes();

      assertThat(rest).hasSizeGreaterThan(100 * 64 * 1024);
      assertThat(new String(rest, rest.length - 5, 5, StandardCharsets.US_ASCII))
          .isEqualTo("0\r\n\r\n");
    }
  }

  @Test
  void streamedBody_isCutAtTheDeadlineOfItsRequest() throws Exception {
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    answer =
        new ApiResponse(
            200,
            List.of(),
            new Body.Streamed() {
              @Override
              public void writeTo(Body.Sink sink) throws InterruptedException {
                try {
                  while (true) {
                    sink.write(Body.Payload.of(new byte[1024]));
                  }
                } catch (Body.ClientGoneException e) {
                  ended.complete(e);
                  throw e;
                }
              }
            });

    try (RawConnection connection = RawConnection.plain(uri)) {
      assertThat(connection.ask("", "GET /?timeout=500ms HTTP/1.1", "Host: a").status())
          .isEqualTo(200);
      // the client does not read until then
      assertThat(ended.get(30, TimeUnit.SECONDS)).isInstanceOf(Body.ClientGoneException.class);
      byte[] rest = readUntilCut(connection);

      assertThat(new String(rest, StandardCharsets.ISO_8859_1)).doesNotEndWith("0\r\n\r\n");
    }
  }

  private static byte[] readUntilCut(RawConnection connection) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] part = new byte[1 << 16];
    try {
      for (int n = connection.in().read(part); n >= 0; n = connection.in().read(part)) {
        all.reset();
        all.write(part, 0, n);
      }
    } catch (SocketException reset) {
      // a connection that is reset is cut as well
    }
    return all.toByteArray();
  }
}
