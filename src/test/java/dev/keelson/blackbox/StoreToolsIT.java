package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.ComponentProcess;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands backup, restore, check and copy with servers before and after. */
class StoreToolsIT {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String WATCH = MAPS + "?watch=true&timeoutSeconds=5&resourceVersion=";

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
