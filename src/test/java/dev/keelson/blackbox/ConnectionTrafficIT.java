package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.Eventually;
import dev.keelson.testing.FaultProxy;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.net.PemTrustOptions;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code --max-connection-bytes-per-sec} and {@code --goaway-chance} do to connections. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class ConnectionTrafficIT {

  private static final int BYTES_PER_SECOND = 40_000;

  /** What comes at once: a tenth of a second, one piece more, and one message of a WebSocket. */
  private static final int AT_ONCE = 2 * BYTES_PER_SECOND / 10 + 12_000;

  private static final int BYTES = 100_000;
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  /** The chance that none of so many requests closes its connection is below one in a million. */
  private static final int REQUESTS = 1500;

  private KeelsonProcess server;
  private RestClient admin;
  private Vertx vertx;

  @BeforeAll
  void start(@TempDir Path directory) {
    server =
        KeelsonProcess.start(
            directory,
            List.of(
                "--authorization-mode=AlwaysAllow",
                "--max-connection-bytes-per-sec=" + BYTES_PER_SECOND,
                "--sqlite-synchronous=OFF",
                KeelsonProcess.FEW_CONTROLLERS));
    admin = RestClient.administrator(server);
    for (int i = 0; i < BYTES / 10_000 + 1; i++) {
      String map =
          "{\"metadata\": {\"name\": \"m%d\"}, \"data\": {\"x\": \"%s\"}}"
              .formatted(i, "x".repeat(10_000));
      assertThat(admin.post(MAPS, map).statusCode()).isEqualTo(201);
    }
  }

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private HttpClient client(HttpVersion version) {
    return vertx
        .httpClientBuilder()
        .with(
            new HttpClientOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setProtocolVersion(version)
                .setTrustOptions(trust()))
        .with(new PoolOptions().setHttp1MaxSize(1).setHttp2MaxSize(1))
        .build();
  }

  private PemTrustOptions trust() {
    return new PemTrustOptions()
        .addCertPath(server.dataDirectory().resolve("pki").resolve("ca.crt").toString());
  }

  private RequestOptions request(String path) {
    URI address = server.address();
    return new RequestOptions()
        .setMethod(HttpMethod.GET)
        .setHost(address.getHost())
        .setPort(address.getPort())
        .setURI(path);
  }

  /** The time until so many bytes have come, in nanoseconds. */
  private static final class Meter {
    private final long begin = System.nanoTime();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong enough = new AtomicLong();

    void count(int length) {
      if (bytes.addAndGet(length) >= BYTES) {
        boolean unused = enough.compareAndSet(0, System.nanoTime() - begin);
      }
    }

    void assertLimited() {
      Eventually.assertEventually(() -> assertThat(enough).doesNotHaveValue(0));
      assertThat(enough.get())
          .as("nanoseconds for %s bytes", BYTES)
          .isGreaterThan((BYTES - AT_ONCE) * 1_000_000_000L / BYTES_PER_SECOND);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void watch_getsTheBytesOfItsConnection(HttpVersion version) throws Exception {
    HttpClient client = client(version);
    Meter meter = new Meter();

    HttpClientResponse watch =
        await(client.request(request(MAPS + "?watch=1")).compose(request -> request.send()));
    watch.handler(bytes -> meter.count(bytes.length()));

    assertThat(watch.statusCode()).isEqualTo(200);
    meter.assertLimited();
  }

  @Test
  void watchOverWebSocket_getsTheBytesOfItsConnection() throws Exception {
    WebSocketClient client =
        vertx.createWebSocketClient(
            new WebSocketClientOptions().setSsl(true).setTrustOptions(trust()));
    URI address = server.address();
    Meter meter = new Meter();

    WebSocket watch =
        await(
            client.connect(
                new WebSocketConnectOptions()
                    .setHost(address.getHost())
                    .setPort(address.getPort())
                    .setSsl(true)
                    .setURI(MAPS + "?watch=1")));
    watch.textMessageHandler(text -> meter.count(text.length()));

    meter.assertLimited();
  }

  @Test
  void otherRequestsOfTheConnection_areNotLimited() throws Exception {
    HttpClient client = client(HttpVersion.HTTP_2);
    Meter meter = new Meter();
    AtomicBoolean listed = new AtomicBoolean();
    HttpClientResponse watch =
        await(client.request(request(MAPS + "?watch=1")).compose(request -> request.send()));
    watch.handler(
        bytes -> {
          if (!listed.get()) {
            meter.count(bytes.length());
          }
        });

    long length =
        await(
                client
                    .request(request(MAPS))
                    .compose(request -> request.send())
                    .compose(HttpClientResponse::body))
            .length();
    listed.set(true);

    assertThat(length).isGreaterThan(BYTES);
    assertThat(meter.bytes.get()).as("what the watch got until then").isLessThan(BYTES);
  }

  @Test
  void clientOfHttp2_isToldToReconnect_andLosesNothing(@TempDir Path directory) throws Exception {
    try (KeelsonProcess spreading =
            KeelsonProcess.start(
                directory,
                List.of(
                    "--authorization-mode=AlwaysAllow",
                    "--goaway-chance=0.02",
                    KeelsonProcess.FEW_CONTROLLERS));
        FaultProxy proxy = FaultProxy.to(spreading.address().getPort());
        java.net.http.HttpClient client =
            java.net.http.HttpClient.newBuilder()
                .sslContext(spreading.kubeconfig().asUser())
                .build()) {
      URI address = proxy.endpoint("https");
      HttpResponse<Stream<String>> watch =
          client.send(
              HttpRequest.newBuilder(
                      address.resolve(
                          MAPS + "?watch=1&timeoutSeconds=60&fieldSelector=metadata.name=later"))
                  .build(),
              BodyHandlers.ofLines());

      HttpRequest version = HttpRequest.newBuilder(address.resolve("/version")).build();
      int sent = 0;
      while (proxy.connections() < 2 && sent < REQUESTS) {
        sent++;
        assertThat(client.send(version, BodyHandlers.discarding()).statusCode()).isEqualTo(200);
      }

      assertThat(proxy.connections()).isGreaterThanOrEqualTo(2);
      String later = "{\"metadata\": {\"name\": \"later\"}}";
      assertThat(RestClient.administrator(spreading).post(MAPS, later).statusCode()).isEqualTo(201);
      // the first connection is open as long as its watch
      assertThat(watch.body().findFirst().orElseThrow()).contains("\"ADDED\"");
      client.shutdownNow();
    }
  }
}
