package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Write;
import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import dev.keelson.testing.ComponentProcess;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands backup, restore, check and copy with servers before and after. */
class StoreToolsIT {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String WATCH = MAPS + "?watch=true&timeoutSeconds=5&resourceVersion=";

  /** Copying them takes much longer than the first line of progress. */
  private static final int OBJECTS = 100_000;

  private static final int WRITERS = 4;

  private static final int CTRL_C = 3;
  private static final int CTRL_S = 19;

  private final Path home;

  StoreToolsIT(@TempDir Path home) {
    this.home = home;
  }

  /** The exit code of a command and what it printed. */
  private record Ended(int code, String output) {}

  private static Ended run(String command, Object... arguments) {
    List<String> flags = Stream.of(arguments).map(Object::toString).toList();
    try (ComponentProcess process = ComponentProcess.start(command, new ArrayList<>(flags))) {
      int code = process.awaitEnd();
      return new Ended(code, process.log());
    }
  }

  private static void create(KeelsonProcess server, String name) {
    RestClient.administrator(server).post(MAPS, map(name)).then().statusCode(201);
  }

  private static Map<String, Object> map(String name) {
    return Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", name));
  }

  private static long revision(KeelsonProcess server) {
    return Long.parseLong(
        RestClient.administrator(server).get(MAPS).path("metadata.resourceVersion"));
  }

  private static List<String> names(KeelsonProcess server) {
    List<String> names = RestClient.administrator(server).get(MAPS).path("items.metadata.name");
    return names.stream().filter(name -> !name.startsWith("kube-")).toList();
  }

  @Test
  void backup_ofARunningServer_isRestoredAboveEveryRevision() throws IOException {
    Path backup = home.resolve("backup.db");
    Path data = home.resolve("data");
    String dataDir = "--data-dir=" + data;
    long newest;
    try (KeelsonProcess server = KeelsonProcess.start(data, List.of())) {
      create(server, "before");

      Ended done = run("backup", backup, dataDir);
      assertThat(done.output()).startsWith("Backed up ");
      assertThat(done.code()).isZero();
      assertThat(run("backup", backup, dataDir).output()).contains("exists; give another name");
      Path live = data.resolve("keelson.db");
      assertThat(run("backup", live, dataDir, "--overwrite").output())
          .contains("is the store itself; give another name");

      create(server, "after");
      newest = revision(server);
      assertThat(run("restore", backup, dataDir).output())
          .contains("another process has opened the store");
      assertThat(run("check", dataDir).output()).contains(" 0 damaged");
      int unused = server.stop();
    }
    assertThat(run("check", backup).output()).contains(" 0 damaged, 0 dangling owners");
    Ended refused = run("restore", backup, dataDir);
    assertThat(refused.output()).contains("give --overwrite to replace it");
    assertThat(refused.code()).isEqualTo(1);

    Ended restored = run("restore", backup, dataDir, "--overwrite");

    assertThat(restored.output()).contains("Restored ").contains("is kept as ");
    try (Stream<Path> files = Files.list(data)) {
      assertThat(files).anyMatch(file -> file.toString().contains("keelson.db.replaced-"));
    }
    try (KeelsonProcess server = KeelsonProcess.start(data, List.of())) {
      assertThat(names(server)).containsExactly("before");
      assertThat(revision(server)).isGreaterThan(newest);
      assertThat(RestClient.administrator(server).get(WATCH + newest).asString())
          .contains("\"reason\":\"Expired\"")
          .contains("\"code\":410");
    }
  }

  private static Write written(int number) {
    String name = "filler-%05d".formatted(number);
    return Write.put(
        Bytes.utf8("/registry/configmaps/default/" + name),
        Bytes.utf8(
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\",\"namespace\":\"default\","
                    .formatted(name)
                + "\"uid\":\"%s\",\"creationTimestamp\":\"2026-01-01T00:00:00Z\"},\"data\":{\"x\":\"%s\"}}"
                    .formatted(name, "x".repeat(500))),
        Write.ABSENT);
  }

  /** Many objects, so that a backup takes longer than a terminal shows nothing. */
  private static void fill(Path data) throws IOException {
    Files.createDirectories(data);
    try (RevisionedStore store =
            SqliteStore.open(
                SqliteOptions.defaults(data.resolve("keelson.db")), InstantSource.system());
        ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < OBJECTS; i++) {
        Write write = written(i);
        writers.execute(() -> store.write(write));
      }
    }
  }

  @Test
  void backup_onATerminal_showsProgress_stopsAtCtrlC_andRunsAgain() throws Exception {
    Path data = home.resolve("data");
    Path backup = home.resolve("backups").resolve("backup.db");
    Path lock = backup.resolveSibling("backup.db.lock");
    Files.createDirectories(backup.getParent());
    fill(data);
    List<String> flags = List.of(backup.toString(), "--data-dir=" + data);
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger acknowledged = new AtomicInteger();
    try (KeelsonProcess server =
        KeelsonProcess.start(data, List.of(KeelsonProcess.FEW_CONTROLLERS))) {
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        String prefix = "busy-" + i + "-";
        writers.add(
            CompletableFuture.runAsync(
                () -> {
                  try (HttpClient client =
                      HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build()) {
                    for (int made = 0; !over.get(); made++) {
                      HttpRequest create =
                          HttpRequest.newBuilder(URI.create(server.address() + MAPS))
                              .header("Content-Type", "application/json")
                              .POST(
                                  BodyPublishers.ofString(
                                      "{\"metadata\":{\"name\":\"%s\"}}".formatted(prefix + made)))
                              .build();
                      assertThat(client.send(create, BodyHandlers.ofString()).statusCode())
                          .isEqualTo(201);
                      acknowledged.incrementAndGet();
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  } catch (InterruptedException e) {
                    throw new AssertionError("interrupted while writing", e);
                  }
                },
                task -> Thread.ofVirtual().start(task)));
      }
      try (ComponentProcess stopped = ComponentProcess.startOnTerminal("backup", flags)) {
        Eventually.assertEventually(
            () ->
                assertThat(stopped.log())
                    .containsPattern(
                        "\u001b\\[KCopying: [0-9,]+ of [0-9,]+ objects, [0-9,.]+ MiB, [0-9,]+ objects/s"));
        // the terminal takes no more output, so that the backup waits; writes go on
        stopped.type(CTRL_S);
        int before = acknowledged.get();
        Eventually.assertEventually(() -> assertThat(acknowledged).hasValueGreaterThan(before));
        stopped.type(CTRL_C);

        assertThat(stopped.awaitEnd()).as(stopped.log()).isEqualTo(130);
        assertThat(stopped.log())
            .contains("keelson: stopped; the store is unchanged, run the command again");
      }
      try (Stream<Path> files = Files.list(backup.getParent())) {
        assertThat(files).as("no part of a backup").containsExactly(lock);
      }

      try (ComponentProcess done = ComponentProcess.startOnTerminal("backup", flags)) {
        assertThat(done.awaitEnd()).as(done.log()).isZero();
        assertThat(done.log()).contains("Copying: ", "Backed up ");
      }
      over.set(true);
      writers.forEach(CompletableFuture::join);
      int unused = server.stop();
    }
    assertThat(acknowledged).hasValueGreaterThan(0);
    try (Stream<Path> files = Files.list(backup.getParent())) {
      assertThat(files).containsExactlyInAnyOrder(backup, lock);
    }
    assertThat(run("check", backup).output()).contains(" 0 damaged");
  }

  @Test
  void copy_toEtcdAndBack_keepsObjectsAndRaisesRevisions() {
    Path first = home.resolve("first");
    Path second = home.resolve("second");
    long before;
    try (KeelsonProcess server = KeelsonProcess.start(first, List.of())) {
      create(server, "kept");
      before = revision(server);
      int unused = server.stop();
    }
    try (EtcdProcess etcd = EtcdProcess.create().start()) {
      String servers = "--etcd-servers=" + etcd.endpoint();
      Ended there = run("copy", "--from=sqlite", "--to=etcd", servers, "--data-dir=" + first);
      assertThat(there.output()).contains("Copied ");
      assertThat(there.code()).isZero();
      assertThat(run("check", servers).output()).contains(" 0 damaged");
      assertThat(run("copy", "--from=sqlite", "--to=etcd", servers, "--data-dir=" + first).output())
          .contains("under its prefix; empty it");
      long between;
      try (KeelsonProcess server = KeelsonProcess.start(home.resolve("etcd"), List.of(servers))) {
        assertThat(names(server)).containsExactly("kept");
        create(server, "made-on-etcd");
        between = revision(server);
        assertThat(between).isGreaterThan(before + 1000);
        int unused = server.stop();
      }

      Ended back = run("copy", "--from=etcd", "--to=sqlite", servers, "--data-dir=" + second);

      assertThat(back.output()).contains("Copied ");
      try (KeelsonProcess server = KeelsonProcess.start(second, List.of())) {
        assertThat(names(server)).containsExactly("kept", "made-on-etcd");
        assertThat(revision(server)).isGreaterThan(between + 1000);
      }
    }
  }
}
