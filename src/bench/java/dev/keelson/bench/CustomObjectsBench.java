package dev.keelson.bench;

import com.google.errorprone.annotations.FormatMethod;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.KeelsonProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;

/**
 * Objects of a custom resource with a large schema against ConfigMaps of the same size: HTTPRoutes
 * of the Gateway API, whose definition has 121 KB of schema and 89 rules a version. The server's
 * processor time for each operation, in interleaved rounds of the same run, and the limit of the
 * ratio; memory under parallel full lists; the time from an answered definition to its first
 * object, on the same server and on another server of the store.
 *
 * <p>{@code -Dkeelson.bench.objects=2000} is the number of objects of each type, {@code
 * -Dkeelson.bench.rounds=5} that of the rounds, {@code -Dkeelson.bench.definitions=50} that of the
 * definitions for the last figures.
 */
public final class CustomObjectsBench {

  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String ROUTES =
      "/apis/gateway.networking.k8s.io/v1/namespaces/default/httproutes";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String JSON = "application/json";
  private static final int LISTS_AT_ONCE = 16;

  /** Definitions before those that are measured on two servers. */
  private static final int WARM_UP = 20;

  private static final int READS = 10;

  private final PrintStream out;

  /** What makes a ConfigMap as large as a route. */
  private int padding;

  private final int objects = Integer.getInteger("keelson.bench.objects", 2000);
  private final int rounds = Integer.getInteger("keelson.bench.rounds", 5);
  private final int definitions = Integer.getInteger("keelson.bench.definitions", 50);

  private CustomObjectsBench(PrintStream out) {
    this.out = out;
  }

  /** A type under test: where it is and what an object of it is. */
  private enum Type {
    ROUTE(ROUTES) {
      @Override
      String object(String name, int number, int padding) {
        StringBuilder rules = new StringBuilder();
        for (int i = 0; i < 3; i++) {
          rules
              .append(i == 0 ? "" : ",")
              .append(
                  """
                  {"matches":[{"path":{"type":"PathPrefix","value":"/part-%d/%d"},\
                  "headers":[{"name":"version","value":"v%d"}]}],\
                  "filters":[{"type":"RequestHeaderModifier","requestHeaderModifier":\
                  {"add":[{"name":"x-part","value":"part-%d"}]}}],\
                  "timeouts":{"request":"10s"},\
                  "backendRefs":[{"name":"service-%d","port":8080,"weight":10},\
                  {"name":"other-%d","port":8081,"weight":1}]}\
                  """
                      .formatted(i, number, number % 7, i, i, i));
        }
        return """
        {"apiVersion":"gateway.networking.k8s.io/v1","kind":"HTTPRoute","metadata":{"name":"%s"},\
        "spec":{"parentRefs":[{"name":"gateway","sectionName":"https"}],\
        "hostnames":["h%d.example.com"],"rules":[%s]}}\
        """
            .formatted(name, number, rules);
      }

      @Override
      String patch(int number) {
        return "{\"spec\":{\"hostnames\":[\"p" + number + ".example.com\"]}}";
      }
    },
    MAP(MAPS) {
      @Override
      String object(String name, int number, int padding) {
        StringBuilder data = new StringBuilder();
        int each = (ROUTE.object(name, number, 0).length() - 100) / 8 - 10;
        for (int i = 0; i < 8; i++) {
          data.append(i == 0 ? "" : ",")
              .append("\"key-")
              .append(i)
              .append("\":\"")
              .append(text(number, each + (i == 7 ? padding : 0)))
              .append('"');
        }
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\"},\"data\":{%s}}"
            .formatted(name, data);
      }

      private static String text(int number, int length) {
        return Integer.toString(number).repeat(length).substring(0, length);
      }

      @Override
      String patch(int number) {
        return "{\"data\":{\"key-0\":\"p" + number + "\"}}";
      }
    };

    private final String path;

    Type(String path) {
      this.path = path;
    }

    /**
     * An object.
     *
     * @param padding characters to add, where that is possible
     */
    abstract String object(String name, int number, int padding);

    abstract String patch(int number);
  }

  /** What is done to one object, by number. */
  private interface Operation {
    void run(PlainClient client, Type type, int number) throws IOException;
  }

  /** Runs everything; leaves {@code target/bench/custom-objects.txt}. */
  public static void main(String... arguments) throws Exception {
    Path directory = Files.createDirectories(Path.of("target", "bench"));
    try (PrintStream file =
        new PrintStream(
            Files.newOutputStream(directory.resolve("custom-objects.txt")),
            true,
            StandardCharsets.UTF_8)) {
      new CustomObjectsBench(file).run(Files.createTempDirectory(directory, "custom"));
    }
  }

  private void run(Path directory) throws Exception {
    say(
        "%s, SQLite; load average before: %s",
        KeelsonProcess.isNative() ? "native" : "JVM",
        Files.readString(Path.of("/proc/loadavg")).strip());
    try (KeelsonProcess server = KeelsonProcess.start(directory, List.of())) {
      SSLContext administrator = server.kubeconfig().asUser();
      try (PlainClient client = new PlainClient(server.address(), administrator, "")) {
        define(client, resource("/crds/gateway.networking.k8s.io_httproutes.yaml"), ROUTES);
        align(client);
        reads(server, client);
        lists(server, administrator);
        changes(server, client);
        firstObjects(client);
      }
    }
    twoServers(directory);
  }

  /** Definitions that one of two servers of an etcd creates, and when each serves them. */
  private void twoServers(Path directory) throws Exception {
    try (EtcdProcess etcd = EtcdProcess.create().start()) {
      List<String> flags = List.of("--etcd-servers", etcd.endpoint().toString());
      try (KeelsonProcess one = KeelsonProcess.start(directory.resolve("one"), flags);
          KeelsonProcess other = KeelsonProcess.start(directory.resolve("other"), flags);
          PlainClient client = new PlainClient(one.address(), one.kubeconfig().asUser(), "");
          PlainClient far = new PlainClient(other.address(), other.kubeconfig().asUser(), "");
          ExecutorService threads = Executors.newSingleThreadExecutor()) {
        double[] same = new double[definitions];
        double[] another = new double[definitions];
        // the JVM compiles during the first ones
        for (int i = -WARM_UP; i < definitions; i++) {
          String group = (i < 0 ? "warm" + -i : "t" + i) + ".bench.example.com";
          byte[] unused = client.send("POST", DEFINITIONS, JSON, definition(group), 201);
          long begin = System.nanoTime();
          Future<Double> there = threads.submit(() -> millisUntilCreated(far, group, "far", begin));
          double here = millisUntilCreated(client, group, "near", begin);
          double elsewhere = there.get();
          if (i >= 0) {
            same[i] = here;
            another[i] = elsewhere;
          }
        }
        say("  two servers of an etcd, from the answer to the first object:");
        say(
            "    on the same server p50 %.1f ms, p99 %.1f ms (limit 150); on the other p50 %.1f ms,"
                + " p99 %.1f ms (limit 300)",
            percentile(same, 0.5),
            percentile(same, 0.99),
            percentile(another, 0.5),
            percentile(another, 0.99));
      }
    }
  }

  /** Tries to create an object of a new type until the server takes it. */
  private static double millisUntilCreated(
      PlainClient client, String group, String name, long begin) throws IOException {
    String path = "/apis/" + group + "/v1/widgets";
    String object =
        "{\"apiVersion\":\"%s/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"%s\"},\"spec\":{\"p1\":\"a\"}}"
            .formatted(group, name);
    while (client.status("POST", path, JSON, object) != 201) {
      // the load of the attempts must not delay what they wait for
      LockSupport.parkNanos(1_000_000);
    }
    return (System.nanoTime() - begin) / 1e6;
  }

  private static double percentile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.ceil(sorted.length * share) - 1];
  }

  /**
   * Pads the ConfigMaps: a route gets defaults and more owned fields, so that an equal body is not
   * an equal object. What is stored and served has one size then.
   */
  private void align(PlainClient client) throws IOException {
    byte[] route = created(client, Type.ROUTE, "sample");
    padding = route.length - created(client, Type.MAP, "sample").length;
    say(
        "  objects of %,d and %,d bytes, from bodies of %,d and %,d",
        route.length,
        created(client, Type.MAP, "padded").length,
        Type.ROUTE.object("sample", 1, padding).length(),
        Type.MAP.object("sample", 1, padding).length());
  }

  private byte[] created(PlainClient client, Type type, String name) throws IOException {
    create(client, type, name, 1);
    return client.send("GET", type.path + "/" + name, JSON, "", 200);
  }

  private void reads(KeelsonProcess server, PlainClient client) throws Exception {
    int each = objects / rounds;
    // the first round lets the JVM compile what is measured
    compare(server, client, "create", 2, (c, type, i) -> create(c, type, "o-" + i, i), each);
    // a read is short against the resolution of the processor time
    compare(
        server,
        client,
        "get",
        1.1,
        (c, type, i) -> get(c, type, "o-" + i % (each * rounds)),
        each * READS);
  }

  /**
   * After the lists: routes get more owned fields than ConfigMaps, so sizes differ from here on.
   */
  private void changes(KeelsonProcess server, PlainClient client) throws Exception {
    int each = objects / rounds;
    compare(server, client, "merge patch", 2, (c, type, i) -> patch(c, type, "o-" + i, i), each);
    compare(server, client, "apply", 2.5, (c, type, i) -> apply(c, type, "a-" + i, i), each);
    compare(
        server, client, "apply again", 2.5, (c, type, i) -> apply(c, type, "a-" + i, i + 1), each);
  }

  private void compare(
      KeelsonProcess server,
      PlainClient client,
      String what,
      double limit,
      Operation operation,
      int each)
      throws Exception {
    double[] route = new double[rounds];
    double[] map = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      route[round] = cpu(server, client, Type.ROUTE, operation, round * each, each);
      map[round] = cpu(server, client, Type.MAP, operation, round * each, each);
    }
    double routes = median(route);
    double maps = median(map);
    say(
        "  %-12s HTTPRoute %.3f ms, ConfigMap %.3f ms of CPU: ratio %.2f (limit %.1f)",
        what, routes, maps, routes / maps, limit);
  }

  private static double cpu(
      KeelsonProcess server,
      PlainClient client,
      Type type,
      Operation operation,
      int from,
      int count)
      throws Exception {
    Duration before = server.cpuTime();
    for (int i = from; i < from + count; i++) {
      operation.run(client, type, i);
    }
    return server.cpuTime().minus(before).toNanos() / 1e6 / count;
  }

  private void create(PlainClient client, Type type, String name, int number) throws IOException {
    byte[] unused = client.send("POST", type.path, JSON, type.object(name, number, padding), 201);
  }

  private static void get(PlainClient client, Type type, String name) throws IOException {
    byte[] unused = client.send("GET", type.path + "/" + name, JSON, "", 200);
  }

  private static void patch(PlainClient client, Type type, String name, int number)
      throws IOException {
    byte[] unused =
        client.send(
            "PATCH",
            type.path + "/" + name,
            "application/merge-patch+json",
            type.patch(number),
            200);
  }

  private void apply(PlainClient client, Type type, String name, int number) throws IOException {
    byte[] unused =
        client.sendAny(
            "PATCH",
            type.path + "/" + name + "?fieldManager=bench&force=true",
            "application/apply-patch+yaml",
            type.object(name, number, padding));
  }

  /** Full lists, alone and sixteen at once, and the memory that they leave. */
  private void lists(KeelsonProcess server, SSLContext tls) throws Exception {
    try (HttpClient http = HttpClient.newBuilder().sslContext(tls).build()) {
      for (Type type : Type.values()) {
        URI list = server.address().resolve(type.path + "?resourceVersion=0");
        long bytes = 0;
        for (int i = 0; i < 20; i++) {
          bytes = read(http, list);
        }
        say("  list of all  %s %,d bytes", type, bytes);
      }
      double[] route = new double[rounds];
      double[] map = new double[rounds];
      for (int round = 0; round < rounds; round++) {
        route[round] = listCpu(server, http, Type.ROUTE);
        map[round] = listCpu(server, http, Type.MAP);
      }
      say(
          "  list of all  HTTPRoute %.2f ms, ConfigMap %.2f ms of CPU: ratio %.2f (limit 1.1)",
          median(route), median(map), median(route) / median(map));
      long before = server.residentKibibytes();
      URI routes = server.address().resolve(Type.ROUTE.path);
      try (ExecutorService threads = Executors.newFixedThreadPool(LISTS_AT_ONCE)) {
        List<Future<Long>> answers = new ArrayList<>();
        for (int i = 0; i < LISTS_AT_ONCE * 4; i++) {
          answers.add(threads.submit(() -> read(http, routes)));
        }
        for (Future<Long> answer : answers) {
          long unused = answer.get();
        }
      }
      say(
          "  %d lists at once: resident memory %,d MiB before, %,d MiB after",
          LISTS_AT_ONCE, before / 1024, server.residentKibibytes() / 1024);
    }
  }

  private static double listCpu(KeelsonProcess server, HttpClient http, Type type)
      throws Exception {
    URI list = server.address().resolve(type.path + "?resourceVersion=0");
    Duration before = server.cpuTime();
    for (int i = 0; i < 5; i++) {
      read(http, list);
    }
    return server.cpuTime().minus(before).toNanos() / 1e6 / 5;
  }

  private static long read(HttpClient http, URI uri) throws Exception {
    HttpResponse<byte[]> answer =
        http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(uri + ": " + answer.statusCode());
    }
    return answer.body().length;
  }

  /** From the answer to the create of a definition until its first object is created. */
  private void firstObjects(PlainClient client) throws Exception {
    double[] millis = new double[definitions];
    for (int i = 0; i < definitions; i++) {
      String group = "g" + i + ".bench.example.com";
      String definition = definition(group);
      byte[] unused = client.send("POST", DEFINITIONS, JSON, definition, 201);
      long begin = System.nanoTime();
      millis[i] = millisUntilCreated(client, group, "one", begin);
    }
    say(
        "  from a definition of %,d bytes to its first object: p50 %.1f ms, p99 %.1f ms (limit"
            + " 150)",
        definition("g").length(), percentile(millis, 0.5), percentile(millis, 0.99));
  }

  /** A definition of 150 properties and about 13 KB. */
  private static String definition(String group) {
    StringBuilder properties = new StringBuilder();
    for (int i = 0; i < 150; i++) {
      properties
          .append(i == 0 ? "" : ",")
          .append("\"p%d\":{\"type\":\"string\",\"maxLength\":%d,".formatted(i, 100 + i))
          .append("\"description\":\"The property number %d.\"}".formatted(i));
    }
    return """
    {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",\
    "metadata":{"name":"widgets.%s"},"spec":{"group":"%s","scope":"Cluster",\
    "names":{"plural":"widgets","kind":"Widget"},"versions":[{"name":"v1","served":true,\
    "storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":\
    {"type":"object","properties":{%s}}}}}}]}}\
    """
        .formatted(group, group, properties);
  }

  private static void define(PlainClient client, String definition, String served)
      throws IOException {
    byte[] unused = client.send("POST", DEFINITIONS, "application/yaml", definition, 201);
    while (client.status("GET", served, JSON, "") != 200) {
      Thread.onSpinWait();
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = CustomObjectsBench.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("there is no " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  @FormatMethod
  private void say(String form, Object... values) {
    String line = String.format(Locale.ROOT, form, values);
    out.println(line);
    System.out.println(line);
  }
}
