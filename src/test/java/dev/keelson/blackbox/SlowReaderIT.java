package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import dev.keelson.testing.Eventually;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import io.restassured.path.json.JsonPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Watchers that do not read, or are no longer there. */
@Timeout(300)
class SlowReaderIT {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  /** More than may wait for a watcher, together with what the buffers on the way hold. */
  private static final int CHANGES = 20_000;

  private static final int WRITERS = 8;

  private static final String ADDED = "{\"type\":\"ADDED\"";

  /** The system's tables of connections; an address of IPv4 may be in either. */
  private static final List<Path> SOCKETS =
      List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

  /** A watch over a socket that is read only when the test reads it. */
  private static Socket watch(KeelsonProcess server, int buffer) throws IOException {
    return request(server, buffer, MAPS + "?watch=1&resourceVersion=0");
  }

  private static Socket request(KeelsonProcess server, int buffer, String path) throws IOException {
    URI address = server.address();
    Socket socket = server.kubeconfig().asUser().getSocketFactory().createSocket();
    socket.setReceiveBufferSize(buffer);
    socket.connect(new java.net.InetSocketAddress(address.getHost(), address.getPort()));
    socket
        .getOutputStream()
        .write(
            ("GET " + path + " HTTP/1.1\r\n" + "Host: localhost\r\n" + "Connection: close\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** The parts of a list are copied into Netty's direct memory, which no collector frees. */
  @Test
  void lists_thatAreCut_keepNoMemory(@TempDir Path directory) throws Exception {
    String map =
        "{\"metadata\":{\"name\":\"m%d\"},\"data\":{\"k\":\"" + "v".repeat(900_000) + "\"}}";
    try (KeelsonProcess server =
        KeelsonProcess.start(directory, List.of("--sqlite-synchronous=OFF"))) {
      RestClient client = RestClient.administrator(server);
      for (int i = 0; i < 8; i++) {
        assertThat(client.post(MAPS, map.formatted(i)).statusCode()).isEqualTo(201);
      }
      for (int i = 0; i < 20; i++) {
        try (Socket cut = request(server, 4096, MAPS)) {
          assertThat(cut.getInputStream().read()).isEqualTo('H');
        }
      }

      Eventually.assertEventually(() -> assertThat(pinned(client)).containsOnly("0"));
    }
  }

  /** The direct memory in use by each of Netty's allocators, as the metrics tell it. */
  private static List<String> pinned(RestClient client) {
    return client
        .get("/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith("netty_allocator_memory_pinned{"))
        .filter(line -> line.contains("memory_type=\"direct\""))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .toList();
  }

  @Test
  void watcherThatFallsBehind_isToldExpired_andSlowsNobody(@TempDir Path directory)
      throws Exception {
    try (KeelsonProcess server =
            KeelsonProcess.start(directory, List.of("--sqlite-synchronous=OFF"));
        Socket idle = watch(server, 4096);
        Socket brisk = watch(server, 1 << 20)) {
      BufferedReader events =
          new BufferedReader(new InputStreamReader(brisk.getInputStream(), StandardCharsets.UTF_8));
      URI maps = server.address().resolve(MAPS);
      AtomicInteger next = new AtomicInteger();
      try (HttpClient http =
              HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build();
          ExecutorService clients = Executors.newFixedThreadPool(WRITERS + 1)) {
        Future<Integer> read = clients.submit(() -> readAll(events));
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          writers.add(
              clients.submit(
                  () -> {
                    for (int n = next.getAndIncrement(); n < CHANGES; n = next.getAndIncrement()) {
                      create(http, maps, "m-" + n);
                    }
                    return null;
                  }));
        }
        for (Future<?> writer : writers) {
          Object unused = writer.get();
        }
        assertThat(read.get()).isGreaterThanOrEqualTo(CHANGES);
      }

      List<String> lines = new ArrayList<>();
      try (BufferedReader rest =
          new BufferedReader(
              new InputStreamReader(idle.getInputStream(), StandardCharsets.UTF_8))) {
        rest.lines().filter(line -> line.startsWith("{")).forEach(lines::add);
      }

      // what was sent before the watch was given up, then one error, then an orderly end
      List<String> added = lines.subList(0, lines.size() - 1);
      assertThat(added).allMatch(line -> line.startsWith(ADDED)).hasSizeLessThan(CHANGES);
      assertThat(added).isNotEmpty();
      assertThat(JsonPath.from(lines.getLast()).getMap(""))
          .containsEntry("type", "ERROR")
          .extractingByKey("object", MAP)
          .containsEntry("kind", "Status")
          .containsEntry("status", "Failure")
          .containsEntry("reason", "Expired")
          .containsEntry("code", 410);
    }
  }

  private static void create(HttpClient http, URI maps, String name) throws Exception {
    String body =
        "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"k\":\"%s\"}}"
            .formatted(name, "v".repeat(2000));
    HttpRequest request =
        HttpRequest.newBuilder(maps)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    assertThat(http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
        .isEqualTo(201);
  }

  /** Counts events until the last one, or the end. */
  private static int readAll(BufferedReader lines) throws IOException {
    int events = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(ADDED)) {
        events++;
      }
      if (events >= CHANGES) {
        return events;
      }
    }
    return events;
  }

  private static List<String> sockets() {
    List<String> sockets = new ArrayList<>();
    for (Path table : SOCKETS) {
      try {
        sockets.addAll(Files.readAllLines(table));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return sockets;
  }

  /** What the system knows of a connection's timer: 02 is the one that keeps it alive. */
  @Test
  void watcherThatIsSilent_isAskedWhetherItIsThere(@TempDir Path directory) throws Exception {
    try (KeelsonProcess server = KeelsonProcess.start(directory, List.of());
        Socket idle = watch(server, 1 << 16)) {
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(idle.getInputStream(), StandardCharsets.UTF_8));
      assertThat(lines.readLine()).isEqualTo("HTTP/1.1 200 OK");
      String ports =
          String.format(
              Locale.ROOT,
              ":%04X [0-9A-F]+:%04X ",
              server.address().getPort(),
              idle.getLocalPort());
      String timer =
          " *\\d+: [0-9A-F]+" + ports + "01 [0-9A-F]+:[0-9A-F]+ 02:0000(0[0-9A-F]{3}) .*";

      // a table is no snapshot: a socket may be missing from it, or be shown as it was
      Eventually.assertEventually(
          () ->
              assertThat(sockets())
                  .as("the server's end, with a timer of at most 40 s")
                  .anyMatch(line -> line.matches(timer)));
    }
  }
}
