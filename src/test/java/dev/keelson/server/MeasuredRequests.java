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
import dev.keelson.testing.TreeJson;
import io.vertx.core.Vertx;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server whose requests are measured: the processor time of a request grows with its body as the
 * size does, not faster. The times of two sizes in one run are compared, and only the thread's own
 * time counts, so that the test does not depend on the machine.
 */
@Timeout(600)
abstract class MeasuredRequests {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final UserInfo USER =
      new UserInfo("system:admin", "", List.of("system:masters"), Map.of());
  static final String JSON = "application/json";
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io," + JSON;
  static final String MAPS = "/api/v1/namespaces/default/configmaps";
  static final String PODS = "/api/v1/namespaces/default/pods";

  /** Times below this many milliseconds are of the garbage collector and the compiler. */
  private static final double NOISE = 150;

  /** How much faster than the size the time may grow; a logarithm is part of it. */
  private static final double MOST = 4;

  private static final int ATTEMPTS = 3;

  private final Vertx vertx = Vertx.vertx();
  private ComposedServer server;

  record Sent(
      String method,
      String path,
      Map<String, String> query,
      String type,
      byte[] body,
      String accept) {

    Sent(String method, String path, Map<String, String> query, String type, byte[] body) {
      this(method, path, query, type, body, TABLE);
    }

    Sent accepting(String other) {
      return new Sent(method, path, query, type, body, other);
    }

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

  ApiResponse send(Sent sent) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    sent.query.forEach((name, value) -> query.put(name, List.of(value)));
    ApiRequest request =
        new ApiRequest(
            sent.method,
            sent.path,
            new Query(query),
            Map.of("content-type", List.of(sent.type), "accept", List.of(sent.accept)),
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
  String problem(String what, int large, int small, IntFunction<Sent> input) {
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

  void assertLinear(String what, IntFunction<Sent> input) {
    assertLinear(what, 100_000, input);
  }

  /**
   * @param large how many elements there are at most
   */
  void assertLinear(String what, int large, IntFunction<Sent> input) {
    // the code is compiled and the caches are filled
    double unused = millis(input.apply(1_000)) + millis(input.apply(1_000));
    assertThat(problem(what, large, 1_000, input)).isEmpty();
  }

  static MapNode map(String name, MapNode data) {
    return MapNode.builder(4)
        .put("apiVersion", Node.text("v1"))
        .put("kind", Node.text("ConfigMap"))
        .put("metadata", MapNode.of("name", Node.text(name)))
        .put("data", data)
        .build();
  }

  static MapNode texts(int size) {
    MapNode.Builder texts = MapNode.builder(size);
    for (int i = 0; i < size; i++) {
      texts.put("k" + i, Node.text(""));
    }
    return texts.build();
  }

  static MapNode pod(MapNode spec) {
    return MapNode.builder(4)
        .put("apiVersion", Node.text("v1"))
        .put("kind", Node.text("Pod"))
        .put("metadata", MapNode.of("name", Node.text("big")))
        .put("spec", spec)
        .build();
  }

  static Items elements(int size, IntFunction<MapNode> element) {
    return new Items(IntStream.range(0, size).<Node>mapToObj(element).toList());
  }

  void store(String path, MapNode object) {
    ApiResponse created = send(new Sent("POST", path, Map.of(), JSON, TreeJson.write(object)));
    assertThat(created.status()).isEqualTo(201);
  }
}
