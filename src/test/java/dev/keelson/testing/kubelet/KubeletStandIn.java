package dev.keelson.testing.kubelet;

import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestIdentity;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A kubelet at a free port of 127.0.0.1. Exec runs programs of this host, port forward connects to
 * ports of this host, attach echoes; every other path answers what was asked.
 */
public final class KubeletStandIn implements AutoCloseable {

  private static final String PROTOCOLS = "X-Stream-Protocol-Version";

  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server;
  private final NetClient client = vertx.createNetClient();
  private final Map<String, ContainerLog> logs = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  /**
   * Starts a kubelet.
   *
   * @param servers signs its certificate
   * @param clients signs the certificates of its clients; others are refused
   * @param webSockets whether it takes version 5 and tunnels, as those that declare
   *     ExtendWebSocketsToKubelet
   */
  public KubeletStandIn(TestAuthority servers, TestAuthority clients, boolean webSockets) {
    TestIdentity own = servers.server("CN=system:node:n1,O=system:nodes");
    server =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setSsl(true)
                    .setClientAuth(ClientAuth.REQUIRED)
                    .setTrustOptions(
                        new PemTrustOptions().addCertValue(Buffer.buffer(clients.pem())))
                    .setKeyCertOptions(
                        new PemKeyCertOptions()
                            .setCertValue(Buffer.buffer(own.certificatePem()))
                            .setKeyValue(Buffer.buffer(own.keyPem())))
                    .setPerMessageWebSocketCompressionSupported(false)
                    .setPerFrameWebSocketCompressionSupported(false)
                    .setWebSocketSubProtocols(
                        webSockets
                            ? List.of(
                                "v5.channel.k8s.io",
                                "v4.channel.k8s.io",
                                "SPDY/3.1+portforward.k8s.io")
                            : List.of("v4.channel.k8s.io")))
            .requestHandler(this::handle)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join();
  }

  /** Where it listens. */
  public int port() {
    return server.actualPort();
  }

  /** The log of a container. */
  public ContainerLog log(String namespace, String pod, String container) {
    return logs.computeIfAbsent(
        namespace + "/" + pod + "/" + container, name -> new ContainerLog());
  }

  /** What was asked for, in order: method, path with query, and the protocol of a stream. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  private void handle(HttpServerRequest request) {
    String upgrade = request.getHeader("Upgrade");
    requests.add(request.method() + " " + request.uri() + (upgrade == null ? "" : " " + upgrade));
    String[] path = Objects.requireNonNull(request.path()).split("/", -1);
    switch (path[1]) {
      case "containerLogs" -> log(path[2], path[3], logName(request, path[4])).answer(request);
      case "exec" -> command(request, request.params().getAll("command"));
      case "attach" -> command(request, List.of("sh", "-c", "echo attached; exec cat"));
      case "portForward" -> forward(request);
      default ->
          request
              .body()
              .onSuccess(
                  body ->
                      request
                          .response()
                          .end(request.method() + " " + request.uri() + " " + body + "\n"));
    }
  }

  private static String logName(HttpServerRequest request, String container) {
    return "true".equals(request.getParam("previous")) ? container + " before" : container;
  }

  private void command(HttpServerRequest request, List<String> words) {
    boolean tty = "1".equals(request.getParam("tty"));
    if (words.equals(List.of("refused"))) {
      var unused = request.response().setStatusCode(404).end("container not found (\"c\")");
      return;
    }
    RemoteCommand command = new RemoteCommand(words, tty);
    if (isWebSocket(request)) {
      request
          .toWebSocket()
          .onSuccess(
              socket -> {
                WebSocketCommandStreams streams = new WebSocketCommandStreams(socket);
                command.run(streams);
                streams.begin(command);
              });
      return;
    }
    int expected =
        1 + set(request, "input") + set(request, "output") + (tty ? 1 : set(request, "error"));
    request.response().putHeader("Connection", "Upgrade").putHeader("Upgrade", "SPDY/3.1");
    // version 5 only came with WebSockets
    request.response().putHeader(PROTOCOLS, "v4.channel.k8s.io");
    spdy(
        request,
        socket -> {
          SpdyCommandStreams[] streams = new SpdyCommandStreams[1];
          streams[0] =
              new SpdyCommandStreams(
                  socket, vertx, command, expected, () -> command.run(streams[0]));
          streams[0].begin();
        });
  }

  private static int set(HttpServerRequest request, String stream) {
    return "1".equals(request.getParam(stream)) ? 1 : 0;
  }

  private static boolean isWebSocket(HttpServerRequest request) {
    return "websocket".equalsIgnoreCase(request.getHeader("Upgrade"));
  }

  private void spdy(HttpServerRequest request, Consumer<NetSocket> take) {
    if (request.method().name().equals("GET")) {
      request.toNetSocket().onSuccess(take::accept);
      return;
    }
    RawUpgrade.of(request).onSuccess(take::accept);
  }

  private void forward(HttpServerRequest request) {
    if (!isWebSocket(request)) {
      request.response().putHeader("Connection", "Upgrade").putHeader("Upgrade", "SPDY/3.1");
      request.response().putHeader(PROTOCOLS, "portforward.k8s.io");
      spdy(request, socket -> new SpdyPortForward(socket, socket, vertx).begin());
      return;
    }
    List<Integer> ports =
        request.params().getAll("port").stream()
            .flatMap(each -> Arrays.stream(each.split(",", -1)))
            .map(Integer::valueOf)
            .toList();
    request.toWebSocket().onSuccess(socket -> forward(socket, ports));
  }

  private void forward(ServerWebSocket socket, List<Integer> ports) {
    if (String.valueOf(socket.subProtocol()).startsWith("SPDY/3.1+")) {
      new SpdyPortForward(socket, socket, vertx).begin();
      return;
    }
    new WebSocketPortForward(socket, client, ports).begin();
  }

  @Override
  public void close() {
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
