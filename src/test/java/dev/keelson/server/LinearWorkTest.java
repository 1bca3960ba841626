package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.server.WriteInputs.Fill;
import dev.keelson.server.WriteInputs.Growing;
import dev.keelson.testing.TreeJson;
import io.vertx.core.Vertx;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The processor time of a request grows with its body as the size does, not faster: every step of a
 * write, from the decoder to the response, for lists, maps and strings of any size. The times of
 * two sizes in one run are compared, so that the test does not depend on the machine.
 */
@Timeout(600)
class LinearWorkTest {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final UserInfo USER =
      new UserInfo("system:admin", "", List.of("system:masters"), Map.of());
  private static final String JSON = "application/json";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String PODS = "/api/v1/namespaces/default/pods";

  /** Times below this many milliseconds are of the garbage collector and the compiler. */
  private static final double NOISE = 150;

  /** How much faster than the size the time may grow; a logarithm is part of it. */
  private static final double MOST = 4;

  private static final int ATTEMPTS = 3;

  private final Vertx vertx = Vertx.vertx();
  private ComposedServer server;

  private record Sent(
      String method, String path, Map<String, String> query, String type, byte[] body) {

    static Sent create(String path, MapNode object) {
      return new Sent("POST", path, Map.of("dryRun", "All"), JSON, TreeJson.write(object));
    }

    static Sent patch(String path, String kind, Node patch) {
      return new Sent(
          "PATCH",
          path,
          Map.of("dryRun", "All", "fieldManager", "test"),
          "application/" + kind,
          TreeJson.write(patch));
    }
  }

  @BeforeEach
  void start(@TempDir Path directory) {
    server =
        ComposedServer.of(
            OpenedResources.open(
                CustomTypesContract.options(
                    List.of(
                        "--data-dir=" + directory,
                        "--secure-port=0",
                        "--authorization-mode=AlwaysAllow")),
                InstantSource.system()),
            vertx);
    assertThat(server.server().ready(6443, Duration.ZERO)).contains("ready");
  }

  @AfterEach
  void stop() throws Exception {
    int running = server.server().stop();
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    assertThat(running).isZero();
  }

  private ApiResponse send(Sent sent) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    sent.query.forEach((name, value) -> query.put(name, List.of(value)));
    ApiRequest request =
        new ApiRequest(
            sent.method,
            sent.path,
            new Query(query),
            Map.of(
                "content-type",
                List.of(sent.type),
                "accept",
                List.of("application/json;as=Table;v=v1;g=meta.k8s.io," + JSON)),
            sent.body,
            List.of(),
            "127.0.0.1");
    return server
        .api()
        .objects()
        .answer(
            new Exchange(
                request,
                RequestInfoResolver.parse(sent.method, sent.path, request.query().firsts()),
                new RequestContext(USER, "test")));
  }

  private double millis(Sent sent) {
    long before = THREADS.getCurrentThreadCpuTime();
    ApiResponse answer = send(sent);
    double used = (THREADS.getCurrentThreadCpuTime() - before) / 1e6;
    // a bound on the size of errors, too: of a hundred times the request is what an attack wants
    if (answer.status() >= 400) {
      assertThat(answer.payload().length()).isLessThan(1 << 20);
    }
    return used;
  }

  /** What grows too fast, or empty. */
  private String problem(String what, int large, int small, IntFunction<Sent> input) {
    double limit = MOST * large / small;
    String problem = "";
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      double most = millis(input.apply(large));
      if (most < NOISE) {
        return "";
      }
      double least = Math.max(millis(input.apply(small)), millis(input.apply(small)));
      if (most < least * limit) {
        return "";
      }
      problem =
          String.format(
              Locale.ROOT,
              "%s: %d elements take %.0f ms, %d take %.1f ms",
              what,
              large,
              most,
              small,
              least);
    }
    return problem;
  }

  private void assertLinear(String what, IntFunction<Sent> input) {
    // the code is compiled and the caches are filled
    double unused = millis(input.apply(1_000)) + millis(input.apply(1_000));
    assertThat(problem(what, 100_000, 1_000, input)).isEmpty();
  }

  private static String path(ResourceDefinition definition) {
    String group = definition.gvr().group();
    return (group.isEmpty() ? "/api/" : "/apis/" + group + "/")
        + definition.gvr().version()
        + (definition.namespaced() ? "/namespaces/default/" : "/")
        + definition.gvr().resource();
  }

  @Test
  void everyFieldOfEveryType() {
    List<String> problems = new ArrayList<>();
    for (Growing field : WriteInputs.all()) {
      String path = path(field.definition());
      String alike =
          problem(
              "create " + field,
              10_000,
              1_000,
              size -> Sent.create(path, field.object("big", size, Fill.ALIKE)));
      String distinct =
          field.isText()
              ? ""
              : problem(
                  "apply " + field,
                  10_000,
                  1_000,
                  size -> {
                    MapNode object = field.object("big", size, Fill.DISTINCT);
                    String name = object.map("metadata").text("name");
                    return Sent.patch(path + "/" + name, "apply-patch+yaml", object);
                  });
      problems.addAll(List.of(alike, distinct));
    }

    assertThat(problems).containsOnly("");
  }

  @Test
  void allFieldsOfATypeTogether() {
    Map<String, List<Growing>> byType = new LinkedHashMap<>();
    for (Growing field : WriteInputs.all()) {
      byType.computeIfAbsent(path(field.definition()), _ -> new ArrayList<>()).add(field);
    }
    List<String> problems = new ArrayList<>();
    byType.forEach(
        (path, fields) ->
            problems.add(
                problem(
                    "create " + path,
                    1_000,
                    100,
                    size ->
                        Sent.create(
                            path, WriteInputs.everything(fields, "big", size, Fill.DISTINCT)))));

    assertThat(problems).containsOnly("");
  }

  private static MapNode map(String name, MapNode data) {
    return MapNode.builder(4)
        .put("apiVersion", Node.text("v1"))
        .put("kind", Node.text("ConfigMap"))
        .put("metadata", MapNode.of("name", Node.text(name)))
        .put("data", data)
        .build();
  }

  private static MapNode texts(int size) {
    MapNode.Builder texts = MapNode.builder(size);
    for (int i = 0; i < size; i++) {
      texts.put("k" + i, Node.text(""));
    }
    return texts.build();
  }

  private static MapNode pod(MapNode spec) {
    return MapNode.builder(4)
        .put("apiVersion", Node.text("v1"))
        .put("kind", Node.text("Pod"))
        .put("metadata", MapNode.of("name", Node.text("big")))
        .put("spec", spec)
        .build();
  }

  private static Items elements(int size, IntFunction<MapNode> element) {
    return new Items(IntStream.range(0, size).<Node>mapToObj(element).toList());
  }

  @Test
  void emptyContainers() {
    assertLinear(
        "pod",
        size ->
            Sent.create(PODS, pod(MapNode.of("containers", elements(size, _ -> MapNode.EMPTY)))));
  }

  @Test
  void invalidLabels() {
    assertLinear(
        "labels",
        size -> {
          MapNode.Builder labels = MapNode.builder(size);
          IntStream.range(0, size).forEach(i -> labels.put("-" + i, Node.text("-")));
          MapNode object = map("big", MapNode.EMPTY);
          return Sent.create(
              MAPS, object.with("metadata", object.map("metadata").with("labels", labels.build())));
        });
  }

  /** Strings of one hash, of which there are two to the power of {@code bits}. */
  private static String colliding(int number, int bits) {
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < bits; bit++) {
      text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }

  @Test
  void namesWhoseHashesCollide() {
    assertLinear(
        "container names",
        size ->
            Sent.create(
                PODS,
                pod(
                    MapNode.of(
                        "containers",
                        elements(size, i -> MapNode.of("name", Node.text(colliding(i, 17))))))));
    assertLinear(
        "keys",
        size -> {
          MapNode.Builder data = MapNode.builder(size);
          IntStream.range(0, size).forEach(i -> data.put(colliding(i, 17), Node.text("")));
          return Sent.create(MAPS, map("big", data.build()));
        });
  }

  @Test
  void yamlAndDuplicateKeys() {
    assertLinear(
        "yaml",
        size ->
            new Sent(
                "POST",
                MAPS,
                Map.of("dryRun", "All"),
                "application/yaml",
                ObjectWriter.yaml(map("big", texts(size)))));
    assertLinear(
        "duplicates",
        size -> {
          String data =
              IntStream.range(0, size)
                  .mapToObj(i -> "\"k\":\"" + i + "\"")
                  .collect(Collectors.joining(","));
          String text =
              "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m\"},"
                  + "\"data\":{"
                  + data
                  + "}}";
          return new Sent(
              "POST",
              MAPS,
              Map.of("dryRun", "All", "fieldValidation", "Strict"),
              JSON,
              text.getBytes(StandardCharsets.UTF_8));
        });
  }

  private void store(String path, MapNode object) {
    ApiResponse created = send(new Sent("POST", path, Map.of(), JSON, TreeJson.write(object)));
    assertThat(created.status()).isEqualTo(201);
  }

  @Test
  void updatesAndPatches() {
    store(MAPS, map("m", MapNode.EMPTY));
    assertLinear(
        "update",
        size ->
            new Sent(
                "PUT",
                MAPS + "/m",
                Map.of("dryRun", "All"),
                JSON,
                TreeJson.write(map("m", texts(size)))));
    for (String kind : List.of("merge-patch+json", "strategic-merge-patch+json")) {
      assertLinear(kind, size -> Sent.patch(MAPS + "/m", kind, MapNode.of("data", texts(size))));
    }
  }

  @Test
  void patchesOfLists() {
    MapNode container =
        MapNode.builder(2).put("name", Node.text("c")).put("image", Node.text("i")).build();
    store(PODS, pod(MapNode.of("containers", new Items(List.of(container)))));
    for (int bits : new int[] {0, 17}) {
      assertLinear(
          "strategic merge",
          size ->
              Sent.patch(
                  PODS + "/big",
                  "strategic-merge-patch+json",
                  MapNode.of(
                      "spec",
                      MapNode.of(
                          "containers",
                          elements(
                              size,
                              i ->
                                  MapNode.of(
                                      "name",
                                      Node.text(bits == 0 ? "n" + i : colliding(i, bits))))))));
    }
    assertLinear(
        "finalizers",
        size ->
            Sent.patch(
                PODS + "/big",
                "strategic-merge-patch+json",
                MapNode.of(
                    "metadata",
                    MapNode.of(
                        "finalizers",
                        new Items(
                            IntStream.range(0, size)
                                .<Node>mapToObj(i -> Node.text("example.com/" + i))
                                .toList())))));
  }

  @Test
  void managersOfFields() {
    assertLinear(
        "managedFields",
        size -> {
          Items entries =
              elements(
                  size / 5,
                  i ->
                      MapNode.builder(8)
                          .put("manager", Node.text("m" + i))
                          .put("operation", Node.text(i % 2 == 0 ? "Update" : "Apply"))
                          .put("apiVersion", Node.text("v1"))
                          .put("time", Node.text("2020-01-01T00:00:00Z"))
                          .put("fieldsType", Node.text("FieldsV1"))
                          .put(
                              "fieldsV1",
                              MapNode.of("f:data", MapNode.of("f:k" + i, MapNode.EMPTY)))
                          .build());
          MapNode object = map("big", texts(10));
          return Sent.create(
              MAPS, object.with("metadata", object.map("metadata").with("managedFields", entries)));
        });
  }

  @Test
  void conflictsOfAnApply() {
    assertLinear(
        "conflicts",
        size -> {
          String name = "m" + size;
          ApiResponse unused =
              send(
                  new Sent(
                      "POST",
                      MAPS,
                      Map.of("fieldManager", "first"),
                      JSON,
                      TreeJson.write(map(name, texts(size / 4)))));
          MapNode.Builder other = MapNode.builder(size / 4);
          IntStream.range(0, size / 4).forEach(i -> other.put("k" + i, Node.text("other")));
          return Sent.patch(MAPS + "/" + name, "apply-patch+yaml", map(name, other.build()));
        });
  }
}
