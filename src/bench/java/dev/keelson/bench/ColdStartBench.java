package dev.keelson.bench;

import dev.keelson.testing.Activator;
import dev.keelson.testing.EtcdProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * A request that comes while nothing runs: an activator starts the server on an etcd with 10,000
 * objects and passes the request on by plain HTTP. The time is that of the client, from its
 * connection to the whole response. {@code -Dkeelson.native=true} measures the native executable.
 */
public final class ColdStartBench {

  private static final int OBJECTS = 10_000;
  private static final int ROUNDS = 15;
  private static final int WRITERS = 64;
  private static final String TOKEN = "0123456789abcdef";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private ColdStartBench() {}

  /** Runs it and leaves {@code target/bench/cold-start.txt}. */
  public static void main(String... arguments) throws Exception {
    Path bench = Files.createDirectories(Path.of("target", "bench"));
    Path directory = Files.createTempDirectory("keelson-cold");
    Path tokens =
        Files.writeString(directory.resolve("tokens.csv"), TOKEN + ",operator,1,system:masters\n");
    try (PrintStream file =
            new PrintStream(
                Files.newOutputStream(bench.resolve("cold-start.txt")),
                true,
                StandardCharsets.UTF_8);
        EtcdProcess etcd = EtcdProcess.create().start();
        Activator activator =
            Activator.listen(
                directory.resolve("data"),
                List.of(
                    "--etcd-servers=" + etcd.endpoint(),
                    "--authorization-mode=Node,RBAC",
                    "--token-auth-file=" + tokens))) {
      fill(activator.address());
      for (String path : List.of("/readyz", MAPS + "/map-77", MAPS + "?limit=500")) {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
          activator.scaleToZero();
          times.add(millis(activator.address().resolve(path)));
        }
        Collections.sort(times);
        String line =
            String.format(
                Locale.ROOT,
                "first answer to GET %s: median %.0f ms (%.0f to %.0f)",
                path,
                times.get(ROUNDS / 2),
                times.getFirst(),
                times.getLast());
        System.out.println(line);
        file.println(line);
      }
    }
  }

  private static void fill(URI server) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      List<CompletableFuture<HttpResponse<Void>>> running = new ArrayList<>();
      for (int i = 0; i < OBJECTS; i++) {
        String map = "{\"metadata\":{\"name\":\"map-" + i + "\"},\"data\":{\"k\":\"v\"}}";
        running.add(
            client.sendAsync(
                request(server.resolve(MAPS))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(map))
                    .build(),
                HttpResponse.BodyHandlers.discarding()));
        if (running.size() == WRITERS) {
          awaitCreated(running);
        }
      }
      awaitCreated(running);
    }
  }

  private static void awaitCreated(List<CompletableFuture<HttpResponse<Void>>> running)
      throws Exception {
    for (CompletableFuture<HttpResponse<Void>> each : running) {
      if (each.get().statusCode() != 201) {
        throw new IllegalStateException("not created: " + each.get());
      }
    }
    running.clear();
  }

  private static HttpRequest.Builder request(URI uri) {
    return HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + TOKEN);
  }

  private static double millis(URI uri) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      long begin = System.nanoTime();
      HttpResponse<byte[]> response =
          client.send(request(uri).build(), HttpResponse.BodyHandlers.ofByteArray());
      if (response.statusCode() != 200) {
        throw new IllegalStateException("answered with " + response.statusCode());
      }
      return (System.nanoTime() - begin) / 1e6;
    }
  }
}
