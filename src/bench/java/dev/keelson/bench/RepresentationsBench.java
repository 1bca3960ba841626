package dev.keelson.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.google.errorprone.annotations.FormatMethod;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.codec.stored.WireForm;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.KeelsonProcess;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What the representations cost: JSON to protobuf and back on one core beside Jackson's plain parse
 * of the same bytes, and lists of pods in the other representations beside JSON, from a store in
 * JSON and one in protobuf.
 *
 * <p>{@code -Dkeelson.bench.pods=10000} sets the number of pods.
 */
public final class RepresentationsBench {

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final GroupVersionKind POD = new GroupVersionKind("", "v1", "Pod");
  private static final Duration ROUND = Duration.ofMillis(700);
  private static final int ROUNDS = 5;
  private static final int LISTS = 20;

  private final PrintStream out;

  private RepresentationsBench(PrintStream out) {
    this.out = out;
  }

  /** Runs everything and leaves {@code target/bench/representations.txt}. */
  public static void main(String... arguments) throws Exception {
    Path directory = Files.createDirectories(Path.of("target", "bench"));
    try (PrintStream file =
        new PrintStream(
            Files.newOutputStream(directory.resolve("representations.txt")),
            true,
            StandardCharsets.UTF_8)) {
      RepresentationsBench bench = new RepresentationsBench(file);
      byte[] stored = bench.lists(directory, "application/json");
      byte[] unused = bench.lists(directory, "application/vnd.kubernetes.protobuf");
      bench.codecs(stored);
    }
  }

  /** One way between forms of the same object. */
  private interface Way {
    int run() throws Exception;
  }

  private void codecs(byte[] served) throws Exception {
    StructSchema schema = ProtoSchemas.fromClassPath().struct("io.k8s.api.core.v1.Pod");
    MapNode tree = ObjectReader.json(served, schema, FieldValidation.IGNORE).root();
    byte[] json = StoredForm.encode(tree, schema, StoredForm.Medium.JSON);
    byte[] protobuf = StoredForm.encode(tree, schema, StoredForm.Medium.PROTOBUF);
    WireForm wire = new WireForm(new StoredType("pods", POD, schema), POD, schema);
    JsonFactory jackson = new JsonFactory();
    say("one core, a pod of %,d bytes in JSON and %,d in protobuf", json.length, protobuf.length);
    rate(
        "Jackson's plain parse of the JSON",
        json.length,
        () -> {
          int tokens = 0;
          try (JsonParser parser = jackson.createParser(json)) {
            while (parser.nextToken() != null) {
              tokens++;
            }
          }
          return tokens;
        });
    rate(
        "JSON to protobuf, straight",
        json.length,
        () -> Objects.requireNonNull(wire.item(json, 4711)).length);
    rate(
        "JSON to protobuf, over a tree",
        json.length,
        () ->
            ObjectWriter.protobuf(
                    ObjectReader.json(json, schema, FieldValidation.IGNORE).root(), schema)
                .length);
    rate(
        "protobuf to JSON, straight",
        protobuf.length,
        () -> Objects.requireNonNull(wire.json(protobuf, 4711)).length);
    rate(
        "protobuf to JSON, over a tree",
        protobuf.length,
        () ->
            ObjectWriter.json(
                    ObjectReader.protobuf(protobuf, schema, FieldValidation.IGNORE).root())
                .length);
  }

  private void rate(String what, int bytes, Way way) throws Exception {
    double best = 0;
    long sum = 0;
    // processor time: what others do on the machine does not count
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (int round = 0; round < ROUNDS; round++) {
      long begin = threads.getCurrentThreadCpuTime();
      long took = 0;
      long count = 0;
      while (took < ROUND.toNanos()) {
        for (int i = 0; i < 100; i++) {
          sum += way.run();
        }
        count += 100;
        took = threads.getCurrentThreadCpuTime() - begin;
      }
      best = Math.max(best, bytes * count / 1e6 / (took / 1e9));
    }
    if (sum == 0) {
      throw new IllegalStateException(what + " did nothing");
    }
    say("  %-42s %9.1f MB/s", what, best);
  }

  /** Measures lists; returns the JSON of one pod. */
  private byte[] lists(Path directory, String storage) throws Exception {
    int pods = Integer.getInteger("keelson.bench.pods", 10_000);
    say(
        "%s, SQLite with values in %s, %,d pods",
        KeelsonProcess.isNative() ? "native" : "JVM", storage, pods);
    try (KeelsonProcess server =
            KeelsonProcess.start(
                Files.createTempDirectory(directory, "representations"),
                List.of("--sqlite-synchronous=OFF", "--storage-media-type=" + storage));
        HttpClient client =
            HttpClient.newBuilder()
                .sslContext(server.kubeconfig().asUser())
                .version(HttpClient.Version.HTTP_1_1)
                .build()) {
      fill(server, client, pods);
      double json = list(server, client, "application/json", 0);
      double unused = list(server, client, "application/vnd.kubernetes.protobuf", json);
      unused += list(server, client, "application/json;as=Table;v=v1;g=meta.k8s.io", json);
      unused +=
          list(
              server,
              client,
              "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
              json);
      unused +=
          list(
              server,
              client,
              "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
              json);
      unused += list(server, client, "?pretty=true", "application/json", json);
      unused += list(server, client, "", "application/yaml", json);
      HttpRequest one =
          HttpRequest.newBuilder(server.address().resolve(PODS + "/pod-000007")).build();
      return client.send(one, HttpResponse.BodyHandlers.ofByteArray()).body();
    }
  }

  private double list(KeelsonProcess server, HttpClient client, String form, double json)
      throws Exception {
    return list(server, client, "", form, json);
  }

  private double list(
      KeelsonProcess server, HttpClient client, String query, String form, double json)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(server.address().resolve(PODS + query))
            .header("Accept", form)
            .build();
    Duration start = server.cpuTime();
    long bytes = read(client, request);
    double first = server.cpuTime().minus(start).toNanos() / 1e6;
    for (int i = 0; i < LISTS; i++) {
      bytes = read(client, request);
    }
    Duration before = server.cpuTime();
    for (int i = 0; i < LISTS; i++) {
      bytes = read(client, request);
    }
    double cpu = server.cpuTime().minus(before).toNanos() / 1e6 / LISTS;
    say(
        "  %-84s %,11d bytes, first %8.1f, warm %8.1f ms of CPU%s",
        form + query,
        bytes,
        first,
        cpu,
        json == 0 ? "" : String.format(Locale.ROOT, ", %.2f of the rate of JSON", json / cpu));
    return cpu;
  }

  private static long read(HttpClient client, HttpRequest request) throws Exception {
    HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(new String(answer.body(), StandardCharsets.UTF_8));
    }
    return answer.body().length;
  }

  private static void fill(KeelsonProcess server, HttpClient client, int pods) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Callable<Integer>> all = new ArrayList<>();
      URI address = server.address().resolve(PODS);
      for (int i = 0; i < pods; i++) {
        HttpRequest post =
            HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(SamplePod.json(i, "a".repeat(120))))
                .build();
        all.add(() -> client.send(post, HttpResponse.BodyHandlers.discarding()).statusCode());
      }
      for (Future<Integer> each : threads.invokeAll(all)) {
        if (each.get() != 201) {
          throw new IllegalStateException("a pod was answered with " + each.get());
        }
      }
    }
  }

  @FormatMethod
  private void say(String form, Object... values) {
    String line = String.format(Locale.ROOT, form, values);
    out.println(line);
    System.out.println(line);
  }
}
