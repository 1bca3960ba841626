package dev.keelson.bench;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SelfSignedCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A thousand commands at once, each a WebSocket of a client that becomes SPDY towards the kubelet,
 * and a thousand followed logs: the server's threads, memory and CPU. The kubelet answers each
 * input with a short output.
 */
public final class NodeStreamsBench {

  private static final int STREAMS = 1_000;
  private static final int ROUNDS = 50;

  /** So many connections are opened at a time. */
  private static final int OPENING = 50;

  private static final String POD = "/api/v1/namespaces/default/pods/p";

  private final PrintStream out;
  private final KeelsonProcess server;
  private final HttpClient client;
  private final Semaphore answers = new Semaphore(0);

  private NodeStreamsBench(PrintStream out, KeelsonProcess server) {
    this.out = out;
    this.server = server;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(server.kubeconfig().asUser())
            .build();
  }

  /** Runs; takes no arguments. */
  public static void main(String[] arguments) throws Exception {
    Path directory = Files.createTempDirectory("node-streams");
    Vertx vertx = Vertx.vertx();
    SelfSignedCertificate certificate = SelfSignedCertificate.create("127.0.0.1");
    NetServer kubelet =
        vertx
            .createNetServer(
                new NetServerOptions().setSsl(true).setKeyCertOptions(certificate.keyCertOptions()))
            .connectHandler(NodeStreamsBench::serve)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join();
    try (KeelsonProcess server =
        KeelsonProcess.start(
            directory.resolve("server"), List.of("--kubelet-allow-local-addresses"))) {
      create(new Kubectl(server.kubeconfigFile(), directory), kubelet.actualPort());
      new NodeStreamsBench(System.out, server).run();
    } finally {
      Void unused = vertx.close().toCompletionStage().toCompletableFuture().join();
      certificate.delete();
    }
  }

  private static void create(Kubectl kubectl, int port) {
    String unused =
        kubectl.runWithInput(
            """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},
             "status":{"addresses":[{"type":"InternalIP","address":"127.0.0.1"}],
             "daemonEndpoints":{"kubeletEndpoint":{"Port":%d}}}}
            """
                .formatted(port),
            "create",
            "-f",
            "-");
    unused = kubectl.run("create", "serviceaccount", "runner");
    unused =
        kubectl.runWithInput(
            """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n",
             "serviceAccountName":"runner","containers":[{"name":"c","image":"i"}]}}
            """,
            "create",
            "-f",
            "-");
  }

  /** A log with one line that does not end, or SPDY whose fifth stream has a short output. */
  private static void serve(NetSocket socket) {
    Buffer output = Buffer.buffer().appendInt(5).appendInt(4).appendString("pong");
    socket.handler(
        head -> {
          boolean log = head.toString().startsWith("GET /containerLogs");
          var unused =
              socket.write(
                  log
                      ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nline\n\r\n"
                      : "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                          + "Upgrade: SPDY/3.1\r\n\r\n");
          socket.handler(
              frames -> {
                // the frames that open the streams are control frames
                if (frames.getByte(0) >= 0) {
                  pong(socket, output);
                }
              });
        });
  }

  private static void pong(NetSocket socket, Buffer output) {
    var unused = socket.write(output);
  }

  private void run() throws Exception {
    report("at rest");
    List<WebSocket> commands = new ArrayList<>();
    long begin = System.nanoTime();
    while (commands.size() < STREAMS) {
      List<CompletionStage<WebSocket>> opening = new ArrayList<>();
      for (int i = 0; i < OPENING; i++) {
        opening.add(command());
      }
      for (CompletionStage<WebSocket> each : opening) {
        commands.add(each.toCompletableFuture().get(60, TimeUnit.SECONDS));
      }
    }
    round(commands);
    report("with " + STREAMS + " commands, opened in " + millis(begin) + " ms");
    Duration cpu = server.cpuTime();
    begin = System.nanoTime();
    for (int i = 0; i < ROUNDS; i++) {
      round(commands);
    }
    long took = millis(begin);
    report(
        String.format(
            Locale.ROOT,
            "after %d inputs and outputs in %d ms, %.0f µs of CPU each",
            ROUNDS * STREAMS,
            took,
            server.cpuTime().minus(cpu).toNanos() / 1e3 / ROUNDS / STREAMS));
    commands.forEach(WebSocket::abort);
    List<InputStream> logs = new ArrayList<>();
    for (int i = 0; i < STREAMS; i++) {
      HttpResponse<InputStream> log =
          client.send(
              HttpRequest.newBuilder(server.address().resolve(POD + "/log?follow=true")).build(),
              BodyHandlers.ofInputStream());
      if (log.body().readNBytes(5).length != 5) {
        throw new IOException("a log ended");
      }
      logs.add(log.body());
    }
    report("with " + logs.size() + " followed logs");
  }

  private CompletionStage<WebSocket> command() {
    URI uri =
        URI.create(
            server.address().toString().replace("https:", "wss:")
                + POD
                + "/exec?command=c&stdin=true&stdout=true");
    return client
        .newWebSocketBuilder()
        .subprotocols("v5.channel.k8s.io")
        .buildAsync(
            uri,
            new WebSocket.Listener() {
              @Override
              public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
                answers.release();
                return WebSocket.Listener.super.onBinary(socket, data, last);
              }
            });
  }

  /** One input for each command, and their outputs. */
  private void round(List<WebSocket> commands) throws Exception {
    for (WebSocket each : commands) {
      var unused =
          each.sendBinary(ByteBuffer.wrap("\0ping".getBytes(StandardCharsets.UTF_8)), true);
    }
    if (!answers.tryAcquire(commands.size(), 60, TimeUnit.SECONDS)) {
      throw new IOException("answers are missing");
    }
  }

  private static long millis(long begin) {
    return (System.nanoTime() - begin) / 1_000_000;
  }

  private void report(String when) {
    out.printf(
        Locale.ROOT,
        "%s: %d threads, %d MiB%n",
        when,
        server.threads(),
        server.residentKibibytes() / 1024);
  }
}
