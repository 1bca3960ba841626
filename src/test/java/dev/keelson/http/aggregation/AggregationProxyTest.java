package dev.keelson.http.aggregation;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiService.Backend;
import dev.keelson.aggregation.ApiServices;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.connection.ForwardedAddresses;
import dev.keelson.http.connection.RequestReceiver;
import dev.keelson.request.RequestContext;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.GroupPriority;
import dev.keelson.testing.RawConnection;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestAuthority.Period;
import dev.keelson.testing.TestIdentity;
import dev.keelson.value.Cidr;
import dev.keelson.webhook.ServiceResolver;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.ext.web.Router;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The proxy between a client and a server with a certificate for the name of its Service. */
@Timeout(60)
class AggregationProxyTest {

  private static final GroupVersion VERSION = new GroupVersion("shop.example.com", "v1");
  private static final UserInfo USER =
      new UserInfo(
          "änn", "u-1", List.of("dev", "ops"), Map.of("example.com/key", List.of("a", "b")));

  private final Vertx vertx = Vertx.vertx();
  private final TestAuthority authority = TestAuthority.root("authority", Period.now());
  private final TestIdentity certificate = authority.serverNamed("shop.default.svc");
  private final ApiServices services = new ApiServices();
  private final AtomicReference<Consumer<HttpServerRequest>> upstream =
      new AtomicReference<>(request -> request.response().end("hello"));
  private final AtomicInteger served = new AtomicInteger();
  private final AtomicInteger port = new AtomicInteger();
  private final ServiceResolver resolver =
      (namespace, name, any) -> InetSocketAddress.createUnresolved("127.0.0.1", port.get());
  private final RemoteClients clients = new RemoteClients(vertx, () -> null, flaw -> {});
  private final RemoteOpenApi openApi =
      new RemoteOpenApi(services, new RemoteFetch(clients, resolver));
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicBoolean refused = new AtomicBoolean();
  private String bundle;
  private URI front;

  @BeforeEach
  void start() throws Exception {
    bundle = RemoteServer.bundle(authority);
    HttpServer remote =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setSsl(true)
                    .setKeyCertOptions(RemoteServer.keys(certificate))
                    .setPort(0))
            .requestHandler(
                request -> {
                  served.incrementAndGet();
                  upstream.get().accept(request);
                });
    port.set(await(remote.listen()).actualPort());
    front = listen(true);
    register(true, bundle);
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    clients.close();
    Void unused = await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws InterruptedException, ExecutionException {
    return future.toCompletionStage().toCompletableFuture().get();
  }

  private URI listen(boolean rejectsRedirects) throws Exception {
    ErrorResponses errors =
        new ErrorResponses(
            (request, code, status) ->
                ApiResponse.of(
                    code,
                    "application/json",
                    status.text("message").getBytes(StandardCharsets.UTF_8)));
    RequestReceiver receiver =
        new RequestReceiver(
            vertx,
            Executors.newVirtualThreadPerTaskExecutor(),
            routing -> routing.response().setStatusCode(418).end(),
            exchange -> {
              throw new ApiException(Reason.NOT_FOUND, "not remote");
            },
            errors,
            new RequestReceiver.Times(Duration.ofSeconds(30), Duration.ofSeconds(90)),
            new AggregationProxy(
                services, openApi, new Upstreams(clients, resolver, rejectsRedirects)),
            end -> asUser(end, errors),
            InstantSource.system(),
            new ForwardedAddresses(List.of(Cidr.parse("127.0.0.0/8"))),
            RequestReceiver.Traffic.UNLIMITED);
    Router router = Router.router(vertx);
    router.route().handler(routing -> receiver.handle(routing, () -> {}));
    int listening =
        await(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1")).actualPort();
    return URI.create("http://127.0.0.1:" + listening);
  }

  /** In place of the filter chain. */
  private RequestHandler asUser(RequestHandler end, ErrorResponses errors) {
    return exchange -> {
      try {
        if (refused.get()) {
          throw new ApiException(Reason.FORBIDDEN, "refused");
        }
        return end.answer(
            new Exchange(exchange.request(), exchange.info(), new RequestContext(USER, "audit-1")));
      } catch (ApiException e) {
        return errors.answer(exchange.request(), e);
      }
    };
  }

  private void register(boolean available, String caBundle) {
    services.put(
        new ApiService(
            ApiService.nameOf(VERSION),
            "u",
            "1",
            VERSION,
            GroupPriority.CUSTOM,
            "",
            new Backend("default", "shop", 443, caBundle, false),
            available));
    services.publish(version -> ApiServices.Origin.NOT_SERVED);
  }

  private HttpRequest.Builder ask(String path) {
    return HttpRequest.newBuilder(front.resolve("/apis/shop.example.com/v1" + path));
  }

  private HttpResponse<String> sent(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void request_passesWithTheUserAndWithoutCredentials() throws Exception {
    AtomicReference<Map<String, List<String>>> got = new AtomicReference<>(Map.of());
    AtomicReference<String> uri = new AtomicReference<>("");
    upstream.set(
        request -> {
          Map<String, List<String>> headers = new TreeMap<>();
          for (String name : request.headers().names()) {
            headers.put(name.toLowerCase(java.util.Locale.ROOT), request.headers().getAll(name));
          }
          got.set(headers);
          uri.set(request.uri());
          request.response().end();
        });

    HttpResponse<String> answer =
        sent(
            ask("/namespaces/n/widgets/a%20b?limit=5&labelSelector=a%3Db")
                .header("Authorization", "Bearer secret")
                .header("Cookie", "c=secret")
                .header("Impersonate-User", "root")
                .header("X-Remote-User", "root")
                .header("X-Remote-Group", "system:masters")
                .header("X-Remote-Extra-Scopes", "all")
                .header("X-Forwarded-For", "10.0.0.9")
                .header(
                    "Sec-WebSocket-Protocol", "a, base64url.bearer.authorization.k8s.io.c2VjcmV0")
                .header("Accept", "application/json;as=Table")
                .header("X-Custom", "kept"));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(uri.get())
        .isEqualTo(
            "/apis/shop.example.com/v1/namespaces/n/widgets/a%20b?limit=5&labelSelector=a%3Db");
    assertThat(got.get())
        .containsEntry(
            "x-remote-user",
            List.of(
                new String("änn".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1)))
        .containsEntry("x-remote-uid", List.of("u-1"))
        .containsEntry("x-remote-group", List.of("dev", "ops"))
        .containsEntry("x-remote-extra-example.com%2fkey", List.of("a", "b"))
        .containsEntry("x-forwarded-for", List.of("10.0.0.9, 127.0.0.1"))
        .containsEntry("x-forwarded-proto", List.of("https"))
        .containsEntry("accept", List.of("application/json;as=Table"))
        .containsEntry("sec-websocket-protocol", List.of("a"))
        .containsEntry("audit-id", List.of("audit-1"))
        .containsEntry("x-custom", List.of("kept"))
        .doesNotContainKeys("authorization", "cookie", "impersonate-user", "x-remote-extra-scopes");
    assertThat(got.get().toString()).doesNotContain("secret");
  }

  @Test
  void response_passesWithoutHeadersOfTheConnection() throws Exception {
    upstream.set(
        request ->
            request
                .response()
                .setStatusCode(409)
                .putHeader("Content-Type", "application/x-other")
                .putHeader("Connection", "X-Hop")
                .putHeader("X-Hop", "1")
                .putHeader("Keep-Alive", "timeout=5")
                .putHeader("Warning", "299 - \"old\"")
                .putHeader("Audit-Id", "theirs")
                .end("conflict"));

    HttpResponse<String> answer = sent(ask("/widgets"));

    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(answer.body()).isEqualTo("conflict");
    assertThat(answer.headers().map())
        .containsEntry("content-type", List.of("application/x-other"))
        .containsEntry("content-length", List.of("8"))
        .containsEntry("warning", List.of("299 - \"old\""))
        .doesNotContainKeys("x-hop", "keep-alive", "audit-id", "transfer-encoding");
  }

  @Test
  void bodies_passInPartsBothWays() throws Exception {
    upstream.set(
        request -> {
          // the JDK's client reads the response after it has sent the request
          var unused =
              request.body().onSuccess(body -> request.response().setChunked(true).end(body));
        });
    byte[] large = new byte[12 * 1024 * 1024];
    large[large.length - 1] = 7;

    HttpResponse<byte[]> known =
        client.send(
            ask("/widgets").POST(BodyPublishers.ofByteArray(large)).build(),
            BodyHandlers.ofByteArray());
    HttpResponse<byte[]> chunked =
        client.send(
            ask("/widgets")
                .PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)))
                .build(),
            BodyHandlers.ofByteArray());

    assertThat(known.body()).isEqualTo(large);
    assertThat(chunked.body()).isEqualTo(large);
  }

  @Test
  void head_andNotModified_haveNoBody() throws Exception {
    upstream.set(
        request -> {
          if (request.method().name().equals("HEAD")) {
            request.response().putHeader("Content-Length", "5").end();
          } else {
            request.response().setStatusCode(304).putHeader("ETag", "\"x\"").end();
          }
        });

    HttpResponse<String> head = sent(ask("/widgets").HEAD());
    HttpResponse<String> unchanged = sent(ask("/widgets"));

    assertThat(head.headers().firstValue("content-length")).hasValue("5");
    assertThat(unchanged.statusCode()).isEqualTo(304);
    assertThat(unchanged.headers().firstValue("etag")).hasValue("\"x\"");
  }

  @Test
  void unavailable_isRefusedWithoutAsking() throws Exception {
    register(false, bundle);

    HttpResponse<String> answer = sent(ask("/widgets"));

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).isEqualTo("service unavailable");
    assertThat(served).hasValue(0);
  }

  @Test
  void unreachable_saysWhy() throws Exception {
    port.set(1);

    HttpResponse<String> answer = sent(ask("/widgets").POST(BodyPublishers.ofString("{}")));

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).startsWith("error trying to reach service: ").contains("refused");
  }

  @Test
  void certificateOfAnotherAuthority_isRejected() throws Exception {
    register(true, RemoteServer.bundle(TestAuthority.root("authority", Period.now())));

    HttpResponse<String> answer = sent(ask("/widgets"));
    int upgraded = upgrade("GET").status();

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(upgraded).isEqualTo(503);
    assertThat(served).hasValue(0);
  }

  @Test
  void certificateForAnotherName_isRejected() throws Exception {
    services.put(
        new ApiService(
            ApiService.nameOf(VERSION),
            "u",
            "1",
            VERSION,
            GroupPriority.CUSTOM,
            "",
            new Backend("other", "shop", 443, bundle, false),
            true));
    services.publish(version -> ApiServices.Origin.NOT_SERVED);

    HttpResponse<String> answer = sent(ask("/widgets"));
    int upgraded = upgrade("GET").status();

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(upgraded).isEqualTo(503);
    assertThat(served).hasValue(0);
  }

  @Test
  void redirect_isNotFollowed() throws Exception {
    upstream.set(
        request ->
            request
                .response()
                .setStatusCode(302)
                .putHeader("Location", "https://elsewhere.example.com/")
                .end());

    HttpResponse<String> rejected = sent(ask("/widgets"));
    front = listen(false);
    HttpResponse<String> passed = sent(ask("/widgets"));

    assertThat(rejected.statusCode()).isEqualTo(502);
    assertThat(rejected.body())
        .isEqualTo("the backend attempted to redirect this request, which is not permitted");
    assertThat(passed.statusCode()).isEqualTo(302);
    assertThat(passed.headers().firstValue("location")).hasValue("https://elsewhere.example.com/");
    assertThat(served).hasValue(2);
  }

  @Test
  void openApiDocuments_areThoseOfTheServer() throws Exception {
    String path = "/openapi/v3/apis/shop.example.com/v1";
    upstream.set(
        request ->
            request
                .response()
                .putHeader("X-Path", request.uri())
                .end(
                    "/openapi/v3".equals(request.path())
                        ? "{\"paths\":{\"" + path.substring(12) + "\":{}}}"
                        : "{}"));
    openApi.refresh();

    HttpResponse<String> known = sent(HttpRequest.newBuilder(front.resolve(path + "?hash=AB")));
    HttpResponse<String> unknown =
        sent(HttpRequest.newBuilder(front.resolve("/openapi/v3/apis/apps/v1")));

    assertThat(known.statusCode()).isEqualTo(200);
    assertThat(known.headers().firstValue("x-path")).hasValue(path + "?hash=AB");
    assertThat(unknown.statusCode()).isEqualTo(418);
  }

  @Test
  void redirectToANewOpenApiHash_isPassed() throws Exception {
    String path = "/openapi/v3/apis/shop.example.com/v1";
    AtomicReference<String> location = new AtomicReference<>(path + "?hash=NEW");
    upstream.set(
        request -> {
          if (path.equals(request.path())) {
            request.response().setStatusCode(301).putHeader("Location", location.get()).end();
          } else {
            request.response().end("{\"paths\":{\"" + path.substring(12) + "\":{}}}");
          }
        });
    openApi.refresh();

    HttpResponse<String> passed = sent(HttpRequest.newBuilder(front.resolve(path + "?hash=OLD")));
    location.set("https://elsewhere.example.com" + path + "?hash=NEW");
    HttpResponse<String> rejected = sent(HttpRequest.newBuilder(front.resolve(path + "?hash=OLD")));

    assertThat(passed.statusCode()).isEqualTo(301);
    assertThat(passed.headers().firstValue("location")).hasValue(path + "?hash=NEW");
    assertThat(rejected.statusCode()).isEqualTo(502);
  }

  @Test
  void filters_decideBeforeTheServerIsAsked() throws Exception {
    refused.set(true);

    HttpResponse<String> answer =
        sent(ask("/widgets").POST(BodyPublishers.ofByteArray(new byte[100_000])));

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(served).hasValue(0);
  }

  @Test
  void otherGroupVersions_areServedHere() throws Exception {
    HttpResponse<String> other =
        sent(HttpRequest.newBuilder(front.resolve("/apis/shop.example.com/v2/widgets")));
    HttpResponse<String> group =
        sent(HttpRequest.newBuilder(front.resolve("/apis/shop.example.com")));

    assertThat(other.statusCode()).isEqualTo(418);
    assertThat(group.statusCode()).isEqualTo(418);
    assertThat(served).hasValue(0);
  }

  @Test
  void watch_passesEachEventAsItComes_andEndsWithTheClient() throws Exception {
    AtomicReference<HttpServerRequest> open = new AtomicReference<>();
    AtomicBoolean closed = new AtomicBoolean();
    upstream.set(
        request -> {
          open.set(request);
          request.connection().closeHandler(gone -> closed.set(true));
          request.response().setChunked(true);
          request.response().write("first\n");
        });

    try (InputStream in =
        client.send(ask("/widgets?watch=1").build(), BodyHandlers.ofInputStream()).body()) {
      assertThat(in.readNBytes(6)).isEqualTo("first\n".getBytes(StandardCharsets.UTF_8));
      Void unused = await(open.get().response().write("second\n"));
      assertThat(in.readNBytes(7)).isEqualTo("second\n".getBytes(StandardCharsets.UTF_8));
    }

    assertEventually(() -> assertThat(closed).isTrue());
  }

  @Test
  void responseThatBreaksOff_breaksOffForTheClient() throws Exception {
    upstream.set(
        request -> {
          request.response().setChunked(true);
          request.response().write("half").onComplete(written -> request.connection().close());
        });

    InputStream in = client.send(ask("/widgets").build(), BodyHandlers.ofInputStream()).body();

    org.assertj.core.api.Assertions.assertThatThrownBy(in::readAllBytes)
        .isInstanceOf(IOException.class);
  }

  @Test
  void slowClient_holdsTheServerBack() throws Exception {
    AtomicLong written = new AtomicLong();
    AtomicBoolean full = new AtomicBoolean();
    Buffer part = Buffer.buffer(new byte[64 * 1024]);
    upstream.set(
        request -> {
          request.response().setChunked(true).setWriteQueueMaxSize(1);
          write(request, part, written, full);
        });

    try (InputStream in =
        client.send(ask("/widgets").build(), BodyHandlers.ofInputStream()).body()) {
      assertThat(in.read()).isZero();
      // the sockets between hold a few megabytes
      assertEventually(() -> assertThat(full).isTrue());
      long before = written.get();
      assertThat(before).isLessThan(64L * 1024 * 1024);

      in.skipNBytes(before);
      assertEventually(() -> assertThat(written.get()).isGreaterThan(before));
    }
  }

  /** Writes for ever, the next part when the one before has been sent. */
  private static void write(
      HttpServerRequest request, Buffer part, AtomicLong written, AtomicBoolean full) {
    if (!request.response().closed()) {
      request
          .response()
          .write(part)
          .onSuccess(
              sent -> {
                full.set(false);
                written.addAndGet(part.length());
                write(request, part, written, full);
              });
      full.set(request.response().writeQueueFull());
    }
  }

  private RawConnection.Response upgrade(String method) throws IOException {
    try (RawConnection connection = RawConnection.plain(front)) {
      return connection.ask(
          "",
          method + " /apis/shop.example.com/v1/namespaces/n/widgets/w/exec HTTP/1.1",
          "Host: front",
          "Connection: Upgrade",
          "Upgrade: SPDY/3.1",
          "Authorization: Bearer secret");
    }
  }

  /** A server that switches protocols by any method, greets, and sends back what it gets. */
  private void listenForUpgrades(AtomicReference<String> head) throws Exception {
    port.set(
        await(
                vertx
                    .createNetServer(
                        new NetServerOptions()
                            .setSsl(true)
                            .setKeyCertOptions(RemoteServer.keys(certificate)))
                    .connectHandler(
                        socket ->
                            socket.handler(
                                asked -> {
                                  head.set(asked.toString(StandardCharsets.ISO_8859_1));
                                  var unused =
                                      socket.write(
                                          "HTTP/1.1 101 Switching Protocols\r\n"
                                              + "Upgrade: SPDY/3.1\r\nConnection: Upgrade\r\n\r\n"
                                              + "welcome");
                                  socket.handler(null);
                                  unused = echo(socket);
                                }))
                    .listen(0, "127.0.0.1"))
            .actualPort());
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "PUT"})
  void upgrade_joinsBothConnections(String method) throws Exception {
    AtomicReference<String> asked = new AtomicReference<>("");
    listenForUpgrades(asked);
    try (RawConnection connection = RawConnection.plain(front)) {
      connection
          .out()
          .write(
              (method
                      + " /apis/shop.example.com/v1/namespaces/n/widgets/w/exec HTTP/1.1\r\n"
                      + "Host: front\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n"
                      + "Authorization: Bearer secret\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      String head = head(connection.in());
      assertThat(head).startsWith("HTTP/1.1 101 ").containsIgnoringCase("upgrade: SPDY/3.1");
      assertThat(new String(connection.in().readNBytes(7), StandardCharsets.US_ASCII))
          .isEqualTo("welcome");
      byte[] large = new byte[16 * 1024];
      large[5] = 5;
      connection.out().write(large);
      assertThat(connection.in().readNBytes(large.length)).isEqualTo(large);
    }
    assertThat(asked.get())
        .startsWith(method + " /apis/shop.example.com/v1/namespaces/n/widgets/w/exec HTTP/1.1\r\n")
        .contains("Connection: Upgrade\r\n", "Upgrade: SPDY/3.1\r\n", "X-Remote-User: ")
        .doesNotContain("secret");
  }

  @Test
  void upgrade_endsOnBothSides_whicheverEndsIt() throws Exception {
    AtomicReference<NetSocket> open = new AtomicReference<>();
    AtomicBoolean gone = new AtomicBoolean();
    port.set(
        await(
                vertx
                    .createNetServer(
                        new NetServerOptions()
                            .setSsl(true)
                            .setKeyCertOptions(RemoteServer.keys(certificate)))
                    .connectHandler(
                        socket -> {
                          open.set(socket);
                          socket.closeHandler(closed -> gone.set(true));
                          socket.handler(
                              asked -> {
                                var unused =
                                    socket.write(
                                        "HTTP/1.1 101 Switching Protocols\r\n"
                                            + "Upgrade: SPDY/3.1\r\nConnection: Upgrade\r\n\r\n");
                              });
                        })
                    .listen(0, "127.0.0.1"))
            .actualPort());
    byte[] request =
        "POST /apis/shop.example.com/v1/a HTTP/1.1\r\nHost: front\r\nConnection: Upgrade\r\n"
            .concat("Upgrade: SPDY/3.1\r\nContent-Length: 0\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    try (RawConnection connection = RawConnection.plain(front)) {
      connection.out().write(request);
      assertThat(head(connection.in())).startsWith("HTTP/1.1 101 ");
    }
    assertEventually(() -> assertThat(gone).isTrue());

    try (RawConnection connection = RawConnection.plain(front)) {
      connection.out().write(request);
      assertThat(head(connection.in())).startsWith("HTTP/1.1 101 ");
      Void unused = await(open.get().close());
      assertThat(connection.in().read()).isEqualTo(-1);
    }
  }

  @Test
  void clientThatExpects100_isAskedForItsBody_whenItIsPassedOn() throws Exception {
    upstream.set(
        request ->
            request
                .body()
                .onSuccess(
                    body ->
                        request.response().end(body + " " + request.headers().contains("Expect"))));
    String[] head = {
      "POST /apis/shop.example.com/v1/namespaces/n/widgets HTTP/1.1",
      "Host: front",
      "Authorization: Bearer secret",
      "Expect: 100-continue",
      "Content-Length: 4"
    };
    try (RawConnection connection = RawConnection.plain(front)) {
      assertThat(connection.ask("", head).status()).isEqualTo(100);
      connection.out().write("body".getBytes(StandardCharsets.US_ASCII));

      RawConnection.Response answer = connection.answer();

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("body false");
    }
    refused.set(true);
    try (RawConnection connection = RawConnection.plain(front)) {
      assertThat(connection.ask("", head).status()).isEqualTo(403);
    }
  }

  @Test
  void upgradeWithABody_isAPlainRequest() throws Exception {
    AtomicReference<String> body = new AtomicReference<>("");
    upstream.set(
        request ->
            request
                .body()
                .onSuccess(
                    sent -> {
                      body.set(sent.toString());
                      request.response().end("plain");
                    }));
    try (RawConnection connection = RawConnection.plain(front)) {
      RawConnection.Response answer =
          connection.ask(
              "{}",
              "POST /apis/shop.example.com/v1/widgets HTTP/1.1",
              "Host: front",
              "Connection: Upgrade",
              "Upgrade: SPDY/3.1",
              "Content-Length: 2");

      assertThat(answer.body()).isEqualTo("plain");
    }
    assertThat(body).hasValue("{}");
  }

  @Test
  void headOfAnUpgrade_withALineEndInAHeader_isNotPassed() throws Exception {
    port.set(
        await(
                vertx
                    .createNetServer(
                        new NetServerOptions()
                            .setSsl(true)
                            .setKeyCertOptions(RemoteServer.keys(certificate)))
                    .connectHandler(
                        socket ->
                            socket.handler(
                                asked -> {
                                  var unused =
                                      socket.write(
                                          "HTTP/1.1 101 Switching Protocols\r\n"
                                              + "Upgrade: SPDY/3.1\nSet-Cookie: a=b\r\n\r\n");
                                }))
                    .listen(0, "127.0.0.1"))
            .actualPort());

    assertThat(upgrade("POST").status()).isEqualTo(503);
  }

  private static Future<Void> echo(NetSocket socket) {
    return socket.pipeTo(socket);
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      assertThat(next).as(head.toString()).isNotNegative();
      head.append((char) next);
    }
    return head.toString();
  }

  @Test
  void upgradeThatIsRefused_passesTheRefusal() throws Exception {
    upstream.set(request -> request.response().setStatusCode(403).end("not you"));
    RawConnection.Response forbidden = upgrade("POST");
    upstream.set(request -> request.response().setStatusCode(200).end("what?"));
    RawConnection.Response odd = upgrade("GET");

    assertThat(forbidden.status()).isEqualTo(403);
    assertThat(forbidden.body()).isEqualTo("not you");
    assertThat(odd.status()).isEqualTo(503);
    assertThat(odd.body())
        .isEqualTo("error trying to reach service: invalid upgrade response: status code 200");
  }

  @Test
  void versionOf_readsPaths() {
    assertThat(VersionPath.versionOf("/apis/g/v1")).isEqualTo(new GroupVersion("g", "v1"));
    assertThat(VersionPath.versionOf("/apis/g/v1/")).isEqualTo(new GroupVersion("g", "v1"));
    assertThat(VersionPath.versionOf("/apis/g/v1/a/b/c")).isEqualTo(new GroupVersion("g", "v1"));
    assertThat(VersionPath.versionOf("/api/v1/pods")).isEqualTo(new GroupVersion("", "v1"));
    assertThat(VersionPath.versionOf("/apis/g")).isNull();
    assertThat(VersionPath.versionOf("/apis/g/")).isNull();
    assertThat(VersionPath.versionOf("/apis")).isNull();
    assertThat(VersionPath.versionOf("/healthz")).isNull();
  }
}
