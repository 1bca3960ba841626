package dev.keelson.bench;

import com.google.errorprone.annotations.FormatMethod;
import dev.keelson.testing.KeelsonProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What many CustomResourceDefinitions of 13 KB cost a server: processor time to add them and to add
 * one more with its documents, memory at rest after a restart, start-up, OpenAPI documents, and
 * writes of other types. Each figure has its limit beside it; those of the empty server are
 * measured in the same run.
 *
 * <p>{@code -Dkeelson.bench.definitions=1000} sets how many there are.
 */
public final class ManyDefinitionsBench {

  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String GROUP = "many.example.com";
  private static final String JSON = "application/json";
  private static final int PROPERTIES = 150;
  private static final int WRITES = 2_000;
  private static final int MORE = Integer.getInteger("keelson.bench.more", 10);

  private final PrintStream out;
  private final int definitions = Integer.getInteger("keelson.bench.definitions", 1_000);

  private ManyDefinitionsBench(PrintStream out) {
    this.out = out;
  }

  /** A measurement of the server's work. */
  private interface Work {
    void run() throws IOException;
  }

  /** The wall-clock and processor time of some work, in milliseconds. */
  private record Spent(double wall, double cpu) {}

  /** Runs everything; leaves {@code target/bench/many-definitions.txt}. */
  public static void main(String... arguments) throws Exception {
    Path directory = Files.createDirectories(Path.of("target", "bench"));
    try (PrintStream file =
        new PrintStream(
            Files.newOutputStream(directory.resolve("many-definitions.txt")),
            true,
            StandardCharsets.UTF_8)) {
      new ManyDefinitionsBench(file).run(Files.createTempDirectory(directory, "many"));
    }
  }

  private void run(Path directory) throws Exception {
    say(
        "%s, SQLite, %,d definitions of %,d bytes; load average before: %s",
        KeelsonProcess.isNative() ? "native" : "JVM",
        definitions,
        definition(0).length(),
        Files.readString(Path.of("/proc/loadavg")).strip());
    try (KeelsonProcess server = KeelsonProcess.start(directory, List.of())) {
      // as after the restart below: with its own objects stored
      restart(server);
      idle(server);
      long empty = server.residentKibibytes();
      Duration emptyStart = server.startTime();
      double emptyWrite = writes(server, "before");
      double added = add(server);
      say("  adding: %.2f ms of CPU a definition, until idle", added);
      restart(server);
      say(
          "  start: %,d ms, %,d ms without them (limit 300 ms native)",
          server.startTime().toMillis(), emptyStart.toMillis());
      idle(server);
      say(
          "  at rest: %,d KiB resident, %,d KiB without them: %.1f KiB a definition (limit 60)",
          server.residentKibibytes(),
          empty,
          (double) (server.residentKibibytes() - empty) / definitions);
      double write = writes(server, "after");
      say(
          "  create of a ConfigMap: %.3f ms of CPU, %.3f ms without them: ratio %.2f (limit 1.1)",
          write, emptyWrite, write / emptyWrite);
      documents(server);
    }
  }

  private static void restart(KeelsonProcess server) {
    int unused = server.stop();
    server.start();
  }

  private static PlainClient client(KeelsonProcess server) throws Exception {
    return new PlainClient(server.address(), server.kubeconfig().asUser(), "");
  }

  private double add(KeelsonProcess server) throws Exception {
    try (PlainClient client = client(server)) {
      Duration before = server.cpuTime();
      for (int i = 0; i < definitions; i++) {
        post(client, DEFINITIONS, definition(i));
      }
      while (client.status("GET", objects(definitions - 1), JSON, "") != 200) {
        Thread.onSpinWait();
      }
      idle(server);
      return millis(server.cpuTime().minus(before)) / definitions;
    }
  }

  private static double writes(KeelsonProcess server, String prefix) throws Exception {
    try (PlainClient client = client(server)) {
      create(client, prefix + "-warm", WRITES);
      Duration before = server.cpuTime();
      create(client, prefix, WRITES);
      return millis(server.cpuTime().minus(before)) / WRITES;
    }
  }

  private static void create(PlainClient client, String prefix, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      post(
          client,
          "/api/v1/namespaces/default/configmaps",
          "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s-%d\"},\"data\":{\"a\":\"b\"}}"
              .formatted(prefix, i));
    }
  }

  private void documents(KeelsonProcess server) throws Exception {
    try (PlainClient client = client(server)) {
      Spent v2 = spent(server, () -> read(client, "/openapi/v2"));
      say("  first /openapi/v2: %.0f ms, %.0f ms of CPU (limit 1,000 ms)", v2.wall, v2.cpu);
      Spent v3 = spent(server, () -> read(client, "/openapi/v3/apis/" + GROUP + "/v1"));
      say("  first /openapi/v3 of the group: %.0f ms, %.0f ms of CPU", v3.wall, v3.cpu);
      idle(server);
      say("  with the documents: %,d KiB resident", server.residentKibibytes());
      Duration before = server.cpuTime();
      for (int i = definitions; i < definitions + MORE; i++) {
        post(client, DEFINITIONS, definition(i));
        String objects = objects(i);
        while (client.status("GET", objects, JSON, "") != 200) {
          Thread.onSpinWait();
        }
        post(
            client,
            objects,
            "{\"apiVersion\":\"%s/v1\",\"kind\":\"Thing%d\",\"metadata\":{\"name\":\"one\"}}"
                .formatted(GROUP, i));
      }
      idle(server);
      say(
          "  one more, listed, with an object: %.2f ms of CPU until idle (limit 10)",
          millis(server.cpuTime().minus(before)) / MORE);
      for (String document :
          List.of("/openapi/v3", "/openapi/v3/apis/" + GROUP + "/v1", "/openapi/v2")) {
        Spent again = spent(server, () -> read(client, document));
        say("  %s after one more: %.0f ms, %.0f ms of CPU", document, again.wall, again.cpu);
      }
    }
  }

  private static Spent spent(KeelsonProcess server, Work work) throws IOException {
    Duration before = server.cpuTime();
    long begin = System.nanoTime();
    work.run();
    return new Spent((System.nanoTime() - begin) / 1e6, millis(server.cpuTime().minus(before)));
  }

  /** Waits until the server has used no processor time worth naming for a second. */
  private static void idle(KeelsonProcess server) throws InterruptedException {
    Duration before;
    Duration now = server.cpuTime();
    do {
      before = now;
      Thread.sleep(1_000);
      now = server.cpuTime();
    } while (now.minus(before).toMillis() > 30);
  }

  private static double millis(Duration time) {
    return time.toNanos() / 1e6;
  }

  private static void post(PlainClient client, String path, String body) throws IOException {
    byte[] unused = client.send("POST", path, JSON, body, 201);
  }

  private static void read(PlainClient client, String path) throws IOException {
    byte[] unused = client.send("GET", path, JSON, "", 200);
  }

  private static String objects(int number) {
    return "/apis/" + GROUP + "/v1/things" + number;
  }

  private static String definition(int number) {
    StringBuilder properties = new StringBuilder();
    for (int i = 0; i < PROPERTIES; i++) {
      properties
          .append(i == 0 ? "" : ",")
          .append("\"p%d\":{\"type\":\"string\",\"maxLength\":%d,".formatted(i, 100 + i))
          .append("\"description\":\"The property number %d.\"}".formatted(i));
    }
    return """
    {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",\
    "metadata":{"name":"things%d.%s"},"spec":{"group":"%s","scope":"Cluster",\
    "names":{"plural":"things%d","kind":"Thing%d"},"versions":[{"name":"v1","served":true,\
    "storage":true,"subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object",\
    "properties":{"spec":{"type":"object","properties":{%s}},"status":{"type":"object"}}}}}]}}\
    """
        .formatted(number, GROUP, GROUP, number, number, properties);
  }

  @FormatMethod
  private void say(String form, Object... values) {
    String line = String.format(Locale.ROOT, form, values);
    out.println(line);
    System.out.println(line);
  }
}
