package dev.keelson.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreparedKeysTest {

  @TempDir private Path directory;

  @Test
  void take_movesASetThatNobodyElseGets() throws IOException {
    PreparedKeys keys = keys();
    keys.fill(ServerLoader.get());
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");

    keys.take(first);
    keys.take(second);

    assertThat(names(first))
        .contains("ca.crt", "ca.key", "apiserver.key", "admin.key", "service-account.key");
    assertThat(second).doesNotExist();
    assertThat(names(directory.resolve("keys"))).isEmpty();
    assertThat(Files.getPosixFilePermissions(first)).hasSize(3);
    assertThat(Files.getPosixFilePermissions(first.resolve("ca.key"))).hasSize(2);
  }

  @Test
  void fill_keepsTwoSets() throws IOException {
    PreparedKeys keys = keys();

    for (int i = 0; i < 3; i++) {
      keys.fill(ServerLoader.get());
    }

    assertThat(names(directory.resolve("keys"))).hasSize(2);
  }

  @Test
  void take_removesSetsOfMoreThanAWeek() throws IOException {
    PreparedKeys keys = keys();
    keys.fill(ServerLoader.get());
    Path set;
    try (Stream<Path> sets = Files.list(directory.resolve("keys"))) {
      set = sets.findFirst().orElseThrow();
    }
    long old = System.currentTimeMillis() - Duration.ofDays(8).toMillis();
    assertThat(set.toFile().setLastModified(old)).isTrue();

    keys.take(directory.resolve("taken"));

    assertThat(directory.resolve("taken")).doesNotExist();
    assertThat(names(directory.resolve("keys"))).isEmpty();
  }

  @Test
  void aServer_hasTheKeysThatItIsStartedWith() throws IOException {
    PreparedKeys keys = keys();
    keys.fill(ServerLoader.get());
    Path taken = directory.resolve("taken");
    keys.take(taken);
    String authority = Files.readString(taken.resolve("ca.crt"));
    List<String> before = contents(taken);

    try (KeelsonServer server =
        KeelsonServer.builder().flag("--cert-dir=" + taken).controllers("-*").start()) {
      assertThat(server.authority()).isEqualTo(authority);
      try (var client = server.fabric8()) {
        assertThat(client.namespaces().withName("default").get()).isNotNull();
      }
    }

    assertThat(contents(taken)).isEqualTo(before);
  }

  @Test
  void servers_haveDifferentAuthorities() {
    try (KeelsonServer one = KeelsonServer.builder().controllers("-*").start();
        KeelsonServer other = KeelsonServer.builder().controllers("-*").start()) {
      assertThat(one.authority()).isNotEqualTo(other.authority());
    }
  }

  private PreparedKeys keys() {
    return new PreparedKeys(directory.resolve("keys"));
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static List<String> contents(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".crt") || file.toString().endsWith(".key"))
          .sorted()
          .map(
              file -> {
                try {
                  return file.getFileName() + Files.readString(file);
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              })
          .toList();
    }
  }
}
