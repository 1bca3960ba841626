package dev.keelson.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.soak.Api.Away;
import dev.keelson.soak.Api.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Clients that write, get, list in every way and watch at random while faults happen; afterwards
 * all that they have seen is checked against the history that one watcher recorded: the operations
 * are linearizable ({@link WriteCheck}), no event is lost, repeated or out of order, every list is
 * one state, none older than a write answered before the request ({@link RecordedHistory}).
 */
final class SoakRun {

  /** Causes the faults of a run. */
  interface Faults {

    /**
     * Causes faults, one after the other, and ends them.
     *
     * @param log what the clients have done so far
     * @param over whether it is time to return
     * @return how many
     */
    int cause(ClientLog log, BooleanSupplier over) throws Exception;
  }

  /** The action of a thread. */
  private interface Action {
    void run() throws Exception;
  }

  /** One request of a client. */
  private interface Step {
    void run(Api api, Random random) throws Away, InterruptedException;
  }

  private final List<Api> apis;
  private final Names names;
  private final Duration pace;
  private final Random seeds;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private final RecordedHistory reads = new RecordedHistory();
  private final WriteHistory writes = new WriteHistory();
  private final ClientLog log = new ClientLog();
  private final Writer writer;
  private final Reader reader;
  private volatile boolean stopping;
  private volatile long last = Long.MAX_VALUE;

  /**
   * A run.
   *
   * @param prefix of its namespaces, which do not exist yet
   * @param pace how long a client waits between two requests
   */
  SoakRun(Servers servers, String prefix, Duration pace, long seed) {
    apis = servers.apis();
    names = new Names(prefix);
    this.pace = pace;
    seeds = new Random(seed);
    writer = new Writer(names, log, new AtomicLong());
    reader = new Reader(names, log);
  }

  /**
   * Runs for {@code time}, checks everything that was seen, and returns a summary.
   *
   * @throws AssertionError if something contradicts the history
   */
  String run(Duration time, Faults faults) throws Exception {
    for (int i = 0; i < Names.NAMESPACES; i++) {
      createNamespace(names.namespace(i));
    }
    Recorder recorder = new Recorder(apis, names, log, reads, writes);
    long begin = System.nanoTime();
    Thread recording =
        thread(
            "recorder",
            () -> recorder.run(() -> recorder.reached() >= last || failure.get() != null));
    // the history must begin before the first write
    assertThat(recorder.begun().await(60, TimeUnit.SECONDS)).isTrue();
    for (int i = 0; i < 3; i++) {
      repeat("writer", writer::write);
    }
    for (int i = 0; i < 2; i++) {
      repeat("lister", reader::list);
      repeat("getter", writer::get);
      watchAgainAndAgain();
    }
    watchAgainAndAgain();
    int caused =
        faults.cause(
            log, () -> failure.get() != null || System.nanoTime() - begin >= time.toNanos());
    stopping = true;
    for (Thread thread : threads) {
      if (thread != recording) {
        thread.join();
      }
    }
    last = lastWrite();
    recording.join();
    Throwable failed = failure.get();
    if (failed != null) {
      throw new AssertionError("a client failed: " + failed, failed);
    }
    return check(caused);
  }

  private String check(int caused) {
    List<Operation> operations = log.operations();
    List<Observations> seen = log.seen();
    WriteCheck.check(writes, operations);
    for (Operation operation : operations) {
      if (operation.outcome() instanceof Operation.Written written) {
        reads.checkWrite(written.revision(), operation.call().key());
      }
    }
    seen.forEach(reads::check);
    return String.format(
        Locale.ROOT,
        "%d changes, %d operations, %d of them without an answer, %d things seen, %d faults,"
            + " %d times away, %d times gone, %d gaps",
        reads.size(),
        operations.size(),
        operations.stream()
            .filter(operation -> operation.outcome() instanceof Operation.Unknown)
            .count(),
        seen.size(),
        caused,
        log.away.sum(),
        log.gone.sum(),
        reads.gaps());
  }

  private void createNamespace(String name) throws InterruptedException {
    String body = "{\"metadata\":{\"name\":\"" + name + "\"}}";
    while (true) {
      try {
        Response made = apis.getFirst().send("POST", "/api/v1/namespaces", body);
        // 409: an attempt without an answer took effect
        assertThat(made.code()).as(made.body().toString()).isIn(201, 409);
        return;
      } catch (Away e) {
        pause();
      }
    }
  }

  /** Writes until that is answered; what the recorder has to reach. */
  private long lastWrite() throws InterruptedException {
    Random random = new Random(0);
    for (int i = 0; ; i++) {
      try {
        String key = names.namespace(0) + "/last-" + i;
        long revision = writer.create(apis.get(i % apis.size()), key, random);
        if (revision != 0) {
          return revision;
        }
      } catch (Away e) {
        pause();
      }
    }
  }

  static void pause() {
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
    Thread unused =
        thread(
            name,
            () -> {
              while (!stopping && failure.get() == null) {
                try {
                  step.run(apis.get(random.nextInt(apis.size())), random);
                  LockSupport.parkNanos(pace.toNanos());
                } catch (Away e) {
                  log.away.increment();
                  pause();
                }
              }
            });
  }

  /** A watcher that is cut, or cuts itself, and resumes, at times through another server. */
  private void watchAgainAndAgain() {
    Random random = new Random(seeds.nextLong());
    Thread unused =
        thread(
            "watcher",
            () -> {
              while (!stopping && failure.get() == null) {
                Watcher watcher =
                    new Watcher(
                        names.prefix(),
                        names.scope(random),
                        random.nextBoolean(),
                        random.nextInt(4) == 0,
                        (revision, objects) -> {},
                        log::add);
                int times = 1 + random.nextInt(6);
                for (int i = 0; i < times && !stopping; i++) {
                  int[] events = {random.nextInt(60)};
                  try {
                    watcher.follow(
                        apis.get(random.nextInt(apis.size())),
                        () -> stopping || events[0]-- < 0,
                        log.newestWrite());
                  } catch (Away e) {
                    log.away.increment();
                    pause();
                  }
                }
                watcher.finish();
              }
            });
  }
}
