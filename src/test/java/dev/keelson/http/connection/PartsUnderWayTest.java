package dev.keelson.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.Exchange;
import dev.keelson.http.connection.limit.BodyBudget;
import dev.keelson.request.RequestInfo;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Large streamed bodies, one or many at once, over sockets. */
@Timeout(60)
class PartsUnderWayTest {

  private static final int PARTS = 5;

  private final Vertx vertx = Vertx.vertx();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private int port;

  /** Bodies begin when all requests are there. */
  private CountDownLatch ready = new CountDownLatch(1);

  @BeforeEach
  void listen() throws Exception {
    RequestReceiver receiver =
        new RequestReceiver(
            vertx,
            threads,
            this::receive,
            exchange -> ApiResponse.of(404, "text/plain", new byte[0]),
            new ErrorResponses(
                (request, code, status) -> ApiResponse.of(code, "text/plain", new byte[0])),
            new RequestReceiver.Times(
                Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(60)),
            Delegation.NONE,
            chain -> chain,
            InstantSource.system(),
            ForwardedAddresses.OF_TLS,
            RequestReceiver.Traffic.UNLIMITED,
            BodyBudget.ofMemory());
    Router router = Router.router(vertx);
    router.route().handler(routing -> receiver.handle(routing, () -> {}));
    port =
        await(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1")).actualPort();
  }

  @AfterEach
  void stop() throws Exception {
    await(vertx.close());
    threads.close();
  }

  @ParameterizedTest
  @CsvSource({"HTTP_1_1, 1", "HTTP_1_1, 12", "HTTP_2, 1", "HTTP_2, 12"})
  void everyBodyIsWhole(HttpVersion version, int clients) throws Exception {
    ready = new CountDownLatch(clients);
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(version)
                .setHttp2ClearTextUpgrade(false)
                .setMaxPoolSize(clients));
    List<Future<Buffer>> bodies = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      bodies.add(
          client
              .request(HttpMethod.GET, port, "127.0.0.1", "/" + i)
              .compose(request -> request.send().compose(HttpClientResponse::body)));
    }

    for (int i = 0; i < clients; i++) {
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      for (int part = 0; part < PARTS; part++) {
        for (Body.Payload.Slice slice : part(i, part).slices()) {
          expected.write(slice.array(), slice.offset(), slice.length());
        }
      }
      byte[] body = await(bodies.get(i)).getBytes();
      assertThat(Arrays.mismatch(body, expected.toByteArray())).as("body %d", i).isEqualTo(-1);
    }
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private void receive(RoutingContext routing) {
    Call call = Call.of(routing);
    threads.execute(
        () -> call.send(call.run(new RequestInfo.NonResource("/", "get"), this::stream)));
  }

  private ApiResponse stream(Exchange exchange) {
    int client = Integer.parseInt(exchange.request().path().substring(1));
    Body.Streamed body =
        sink -> {
          ready.countDown();
          ready.await();
          for (int part = 0; part < PARTS; part++) {
            sink.write(part(client, part));
          }
        };
    return ApiResponse.of(200, "text/plain", body);
  }

  /** Slices of different lengths, which do not end where pieces do; no two parts are alike. */
  private static Body.Payload part(int client, int part) {
    List<Body.Payload.Slice> slices = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      byte[] bytes = new byte[5_000 + 97 * i];
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = (byte) (at * 31 + i * 7 + client * 13 + part);
      }
      slices.add(new Body.Payload.Slice(bytes, 1, bytes.length - 1));
    }
    return new Body.Payload(slices);
  }
}
