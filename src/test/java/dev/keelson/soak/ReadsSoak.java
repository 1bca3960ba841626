package dev.keelson.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.keelson.soak.Api.Away;
import dev.keelson.soak.Api.Response;
import dev.keelson.soak.Observations.Event;
import dev.keelson.soak.Observations.Scope;
import dev.keelson.testing.KeelsonProcess;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Clients that write, get, list in every way and watch at random while faults happen; afterwards
 * all observations are checked against the history that one watcher recorded: no event lost,
 * repeated or out of order, every list one state, no state older than a write answered before the
 * request.
 */
final class ReadsSoak {

  /** The prefix of the namespaces of the run. */
  static final String PREFIX = "soak-";

  private static final int NAMESPACES = 3;
  private static final int NAMES = 12;
  private static final int GROUPS = 3;

  /** Number of reads between faults. */
  private static final int THINGS_BETWEEN_FAULTS = 1000;

  /** A fault, which has ended when the method returns. */
  record Fault(String name, Action action) {}

  /** The action of a fault. */
  interface Action {
    void run() throws Exception;
  }

  private final KeelsonProcess server;
  private final List<Fault> faults;
  private final Random seeds;
  private final List<HttpClient> clients;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private final RecordedHistory history = new RecordedHistory();
  private final Queue<Observations> seen = new ConcurrentLinkedQueue<>();
  private final Map<Long, String> written = new ConcurrentHashMap<>();
  private final AtomicLong newestWrite = new AtomicLong();
  private final AtomicLong oldest = new AtomicLong(1);
  private final AtomicLong counter = new AtomicLong();
  private final LongAdder away = new LongAdder();
  private final LongAdder gone = new LongAdder();
  private volatile boolean stopping;
  private volatile long last = Long.MAX_VALUE;

  ReadsSoak(KeelsonProcess server, List<Fault> faults, long seed) {
    this.server = server;
    this.faults = List.copyOf(faults);
    seeds = new Random(seed);
    clients =
        List.of(
            client(server, HttpClient.Version.HTTP_1_1), client(server, HttpClient.Version.HTTP_2));
  }

  private static HttpClient client(KeelsonProcess server, HttpClient.Version version) {
    return HttpClient.newBuilder()
        .version(version)
        .connectTimeout(Duration.ofSeconds(5))
        .sslContext(server.kubeconfig().asUser())
        .build();
  }

  /** The loop of a client. */
  private interface Step {
    void run(Api api, Random random) throws Away, InterruptedException;
  }

  /**
   * Runs for {@code time}, checks all observations, and returns a summary.
   *
   * @throws AssertionError if an observation contradicts the history
   */
  String run(Duration time) throws Exception {
    Api api = new Api(server, clients.getFirst());
    for (int i = 0; i < NAMESPACES; i++) {
      Response made =
          api.send(
              "POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + PREFIX + i + "\"}}");
      assertThat(made.code()).isEqualTo(201);
    }
    Scribe recorder = new Scribe(api);
    long begin = System.nanoTime();
    Thread writing = thread("recorder", recorder::run);
    // the history must begin before the first write
    assertThat(recorder.begun.await(60, TimeUnit.SECONDS)).isTrue();
    for (int i = 0; i < 3; i++) {
      repeat("writer", this::write);
    }
    for (int i = 0; i < 2; i++) {
      repeat("lister", this::list);
      repeat("getter", this::get);
      watchAgainAndAgain();
    }
    watchAgainAndAgain();
    int done = 0;
    while (System.nanoTime() - begin < time.toNanos() && failure.get() == null) {
      int enough = seen.size() + THINGS_BETWEEN_FAULTS;
      while (seen.size() < enough
          && failure.get() == null
          && System.nanoTime() - begin < time.toNanos()) {
        pause();
      }
      if (!faults.isEmpty()) {
        Fault fault = faults.get(done++ % faults.size());
        try {
          fault.action.run();
        } catch (Exception e) {
          throw new AssertionError("the fault " + fault.name + " itself failed", e);
        }
      }
    }
    stopping = true;
    for (Thread thread : threads) {
      if (thread != writing) {
        thread.join();
      }
    }
    last = lastWrite(api);
    writing.join();
    Throwable failed = failure.get();
    if (failed != null) {
      throw new AssertionError("a client failed: " + failed, failed);
    }
    written.forEach(history::checkWrite);
    seen.forEach(history::check);
    return String.format(
        java.util.Locale.ROOT,
        "%d changes, %d writes answered, %d things seen, %d faults, %d times away, %d times gone,"
            + " %d gaps",
        history.size(),
        written.size(),
        seen.size(),
        done,
        away.sum(),
        gone.sum(),
        history.gaps());
  }

  /** Writes until that is answered; what the recorder has to reach. */
  private long lastWrite(Api api) throws InterruptedException {
    while (true) {
      try {
        Response answer =
            api.send("POST", Api.path(PREFIX + 0), body("last-" + counter.incrementAndGet(), 0));
        if (answer.code() == 201) {
          return answer.revision();
        }
      } catch (Away e) {
        pause();
      }
    }
  }

  private static void pause() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
  }

  private Thread thread(String name, Action action) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name(name)
            .start(
                () -> {
                  try {
                    action.run();
                  } catch (Exception | AssertionError e) {
                    failure.compareAndSet(null, e);
                  }
                });
    threads.add(thread);
    return thread;
  }

  private void repeat(String name, Step step) {
    Random random = new Random(seeds.nextLong());
    List<Api> apis = clients.stream().map(client -> new Api(server, client)).toList();
    Thread unused =
        thread(
            name,
            () -> {
              while (!stopping && failure.get() == null) {
                try {
                  step.run(apis.get(random.nextInt(apis.size())), random);
                } catch (Away e) {
                  away.increment();
                  pause();
                }
              }
            });
  }

  private static Scope scope(Random random) {
    String namespace = random.nextBoolean() ? "" : PREFIX + random.nextInt(NAMESPACES);
    return new Scope(namespace, random.nextBoolean() ? "" : "g" + random.nextInt(GROUPS));
  }

  private String body(String name, int group) {
    return "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"group\":\"g%d\"}},\"data\":{\"n\":\"%d\"}}"
        .formatted(name, group, counter.incrementAndGet());
  }

  private void write(Api api, Random random) throws Away, InterruptedException {
    String namespace = PREFIX + random.nextInt(NAMESPACES);
    String name = "m" + random.nextInt(NAMES);
    String body = body(name, random.nextInt(GROUPS));
    String collection = Api.path(namespace);
    String object = collection + "/" + name;
    Response answer =
        switch (random.nextInt(5)) {
          case 0 -> api.send("DELETE", object, "");
          case 1, 2 -> api.send("POST", collection, body);
          default -> api.send("PUT", object, body);
        };
    assertThat(answer.code()).as(answer.body().toString()).isIn(200, 201, 404, 409);
    if (answer.code() < 300 && answer.body().get("kind").getAsString().equals("ConfigMap")) {
      long revision = answer.revision();
      written.put(revision, namespace + "/" + name);
      newestWrite.accumulateAndGet(revision, Math::max);
    }
  }

  private void get(Api api, Random random) throws Away, InterruptedException {
    String namespace = PREFIX + random.nextInt(NAMESPACES);
    String name = "m" + random.nextInt(NAMES);
    long floor = newestWrite.get();
    Response answer = api.send("GET", Api.path(namespace) + "/" + name, "");
    assertThat(answer.code()).isIn(200, 404);
    seen.add(
        new Observations.Got(
            namespace + "/" + name, floor, answer.code() == 200 ? answer.revision() : 0));
  }

  private void list(Api api, Random random) throws Away, InterruptedException {
    Scope scope = scope(random);
    String path = Api.path(scope.namespace()) + "?" + Watcher.selector(scope);
    long floor = newestWrite.get();
    switch (random.nextInt(6)) {
      case 0 -> one(api, "list", scope, path, floor);
      case 1 -> one(api, "cached list", scope, path + "&resourceVersion=0", 0);
      case 2 ->
          one(api, "list not older", scope, path + "&resourceVersion=" + Math.max(1, floor), floor);
      case 3 -> {
        long from = oldest.get();
        long revision = from + random.nextLong(Math.max(1, floor - from + 1));
        String exact = "&resourceVersionMatch=Exact&resourceVersion=" + revision;
        Response answer = api.send("GET", path + exact, "");
        if (answer.code() == 410) {
          gone.increment();
          oldest.accumulateAndGet(revision + 1, Math::max);
          return;
        }
        assertThat(answer.revision()).isEqualTo(revision);
        listed("exact list", scope, 0, answer.body());
      }
      default -> parts(api, scope, path, floor, random);
    }
  }

  private void one(Api api, String how, Scope scope, String path, long floor)
      throws Away, InterruptedException {
    Response answer = api.send("GET", path, "");
    assertThat(answer.code()).as(answer.body().toString()).isEqualTo(200);
    listed(how, scope, floor, answer.body());
  }

  private void parts(Api api, Scope scope, String path, long floor, Random random)
      throws Away, InterruptedException {
    int limit = 1 + random.nextInt(5);
    Map<String, JsonObject> all = new HashMap<>();
    String token = "";
    long revision = 0;
    do {
      Response answer =
          api.send(
              "GET", path + "&limit=" + limit + (token.isEmpty() ? "" : "&continue=" + token), "");
      if (answer.code() == 410) {
        gone.increment();
        return;
      }
      assertThat(answer.code()).as(answer.body().toString()).isEqualTo(200);
      assertThat(revision == 0 || revision == answer.revision()).as("one revision").isTrue();
      revision = answer.revision();
      Map<String, JsonObject> part = Watcher.items(answer.body());
      assertThat(part.size()).isLessThanOrEqualTo(limit);
      for (Map.Entry<String, JsonObject> item : part.entrySet()) {
        assertThat(all.put(item.getKey(), item.getValue())).as("in two parts").isNull();
      }
      JsonElement next = answer.metadata().get("continue");
      token = next == null ? "" : next.getAsString();
    } while (!token.isEmpty());
    seen.add(
        new Observations.Listed("list in parts", scope, floor, revision, Watcher.versions(all)));
  }

  private void listed(String how, Scope scope, long floor, JsonObject list) {
    long revision =
        Long.parseLong(list.getAsJsonObject("metadata").get("resourceVersion").getAsString());
    seen.add(
        new Observations.Listed(
            how, scope, floor, revision, Watcher.versions(Watcher.items(list))));
  }

  /** A watcher that is cut, or cuts itself, and goes on where it was. */
  private void watchAgainAndAgain() {
    Random random = new Random(seeds.nextLong());
    List<Api> apis = clients.stream().map(client -> new Api(server, client)).toList();
    Thread unused =
        thread(
            "watcher",
            () -> {
              while (!stopping && failure.get() == null) {
                Watcher watcher =
                    new Watcher(
                        apis.get(random.nextInt(apis.size())),
                        scope(random),
                        random.nextBoolean(),
                        random.nextInt(4) == 0,
                        (revision, objects) -> {},
                        seen::add);
                int times = 1 + random.nextInt(6);
                for (int i = 0; i < times && !stopping; i++) {
                  int[] events = {random.nextInt(60)};
                  try {
                    watcher.follow(() -> stopping || events[0]-- < 0, newestWrite.get());
                  } catch (Away e) {
                    away.increment();
                    pause();
                  }
                }
                watcher.finish();
              }
            });
  }

  /** Records the history. */
  private final class Scribe implements Watcher.Sink {
    private final Watcher watcher;
    private final CountDownLatch begun = new CountDownLatch(1);
    private boolean first = true;
    private long reached;

    Scribe(Api api) {
      watcher = new Watcher(api, new Scope("", ""), false, false, this, seen::add);
    }

    void run() throws InterruptedException {
      while (reached < last && failure.get() == null) {
        try {
          watcher.follow(() -> reached >= last, 0);
        } catch (Away e) {
          pause();
        }
      }
      watcher.finish();
    }

    @Override
    public void began(long revision, Map<String, JsonObject> objects) {
      if (first) {
        assertThat(objects).isEmpty();
      } else {
        Map<String, RecordedHistory.Item> items = new HashMap<>();
        objects.forEach(
            (key, object) ->
                items.put(key, new RecordedHistory.Item(Watcher.version(object), group(object))));
        history.gap(reached, revision, items);
      }
      first = false;
      reached = revision;
      begun.countDown();
    }

    @Override
    public void changed(Event event, JsonObject object) {
      boolean deleted = event.type().equals("DELETED");
      history.change(
          event.revision(),
          new RecordedHistory.Change(event.key(), deleted ? null : group(object)));
      reached = event.revision();
    }

    private String group(JsonObject object) {
      String group = Watcher.group(object);
      return group == null ? "" : group;
    }
  }
}
