package dev.keelson.audit.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.testing.Eventually;
import dev.keelson.testing.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RotatingFileTest {

  private static final int MEGABYTE = 1024 * 1024;

  @TempDir Path directory;

  private final ManualClock clock = new ManualClock();

  @Test
  void lines_areAppended_toAFileOfItsOwnerAlone() throws IOException {
    Path path = directory.resolve("new/audit.log");
    try (RotatingFile file = new RotatingFile(options(path, 0, 0, 0, false), clock)) {
      file.open();
      file.write(lines("a", "b"));
    }
    try (RotatingFile file = new RotatingFile(options(path, 0, 0, 0, false), clock)) {
      file.write(lines("c"));
    }

    assertThat(path).hasContent("a\nb\nc\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
  }

  @Test
  void lineThatAKilledProcessHasCutOff_isEnded() throws IOException {
    Path path = Files.writeString(directory.resolve("audit.log"), "whole\n{\"kin");
    try (RotatingFile file = new RotatingFile(options(path, 0, 0, 0, false), clock)) {
      file.open();
      file.write(lines("next"));
    }

    assertThat(path).hasContent("whole\n{\"kin\nnext\n");
  }

  @Test
  void linesOfMoreThanAChunk_areWrittenInOrder() throws IOException {
    Path path = directory.resolve("audit.log");
    String long1 = "x".repeat(MEGABYTE);
    String long2 = "y".repeat(MEGABYTE);
    try (RotatingFile file = new RotatingFile(options(path, 0, 0, 0, false), clock)) {
      file.write(lines(long1, long2, "end"));
    }

    assertThat(path).hasContent(long1 + "\n" + long2 + "\nend\n");
  }

  @Test
  void fileThatWouldGetTooLarge_isRenamedWithTheTime() throws IOException {
    Path path = directory.resolve("audit.log");
    String half = "x".repeat(MEGABYTE / 2 - 1);
    try (RotatingFile file = new RotatingFile(options(path, 0, 0, 1, false), clock)) {
      file.write(lines(half, half));
      assertThat(names()).containsExactly("audit.log");

      file.write(lines("one more"));
    }

    assertThat(names()).containsExactly("audit-2030-01-02T03-04-05.678.log", "audit.log");
    assertThat(path).hasContent("one more\n");
    assertThat(directory.resolve("audit-2030-01-02T03-04-05.678.log")).hasSize(MEGABYTE);
  }

  @Test
  void twoRotationsInAMillisecond_haveTwoNames() throws IOException {
    Path path = directory.resolve("audit");
    String large = "x".repeat(MEGABYTE);
    try (RotatingFile file = new RotatingFile(options(path, 0, 0, 1, false), clock)) {
      file.write(lines(large, large, "end"));
    }

    assertThat(names())
        .containsExactly("audit", "audit-2030-01-02T03-04-05.678", "audit-2030-01-02T03-04-05.679");
    assertThat(path).hasContent("end\n");
  }

  @Test
  void oldFiles_areDeletedByCountAndAge() throws IOException {
    Path path = directory.resolve("audit.log");
    old("audit-2030-01-02T03-04-04.000.log");
    old("audit-2030-01-01T03-04-04.000.log.gz");
    old("audit-2029-12-01T03-04-04.000.log");
    old("audit-notes.log");
    old("other-2029-12-01T03-04-04.000.log");
    try (RotatingFile file = new RotatingFile(options(path, 7, 0, 1, false), clock)) {
      file.open();
      Eventually.assertEventually(
          () ->
              assertThat(names())
                  .containsExactly(
                      "audit-2030-01-01T03-04-04.000.log.gz",
                      "audit-2030-01-02T03-04-04.000.log",
                      "audit-notes.log",
                      "audit.log",
                      "other-2029-12-01T03-04-04.000.log"));
    }
    try (RotatingFile file = new RotatingFile(options(path, 0, 1, 1, false), clock)) {
      file.open();
      Eventually.assertEventually(
          () ->
              assertThat(names())
                  .containsExactly(
                      "audit-2030-01-02T03-04-04.000.log",
                      "audit-notes.log",
                      "audit.log",
                      "other-2029-12-01T03-04-04.000.log"));
    }
  }

  @Test
  void rotatedFiles_areCompressed() throws IOException {
    Path path = directory.resolve("audit.log");
    String large = "y".repeat(MEGABYTE - 1);
    try (RotatingFile file = new RotatingFile(options(path, 0, 0, 1, true), clock)) {
      file.write(lines(large, "next"));
      Path compressed = directory.resolve("audit-2030-01-02T03-04-05.678.log.gz");
      Eventually.assertEventually(
          () -> assertThat(names()).containsExactly(compressed.getFileName() + "", "audit.log"));
      try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(compressed))) {
        assertThat(in.readAllBytes()).isEqualTo((large + "\n").getBytes(StandardCharsets.US_ASCII));
      }
    }
  }

  @Test
  void fileThatWasMovedAway_isBegunAgain() throws IOException {
    Path path = directory.resolve("audit.log");
    try (RotatingFile file = new RotatingFile(options(path, 0, 0, 0, false), clock)) {
      file.write(lines("a"));
      Files.move(path, directory.resolve("moved"));
      file.write(lines("b"));
      clock.advance(Duration.ofSeconds(2));
      file.write(lines("c"));
    }

    assertThat(directory.resolve("moved")).hasContent("a\nb\n");
    assertThat(path).hasContent("c\n");
  }

  @Test
  void reopen_takesEffectWithTheNextWrite() throws IOException {
    Path path = directory.resolve("audit.log");
    try (RotatingFile file = new RotatingFile(options(path, 0, 0, 0, false), clock)) {
      file.write(lines("a"));
      Files.move(path, directory.resolve("moved"));
      file.reopen();
      file.write(lines("b"));
    }

    assertThat(path).hasContent("b\n");
  }

  @Test
  void fullDisk_failsTheWrite_andTheNextOneWorksOnceThereIsRoom() throws IOException {
    Path path = directory.resolve("audit.log");
    Files.createSymbolicLink(path, Path.of("/dev/full"));
    try (RotatingFile file = new RotatingFile(options(path, 0, 0, 0, false), clock)) {
      assertThatThrownBy(() -> file.write(lines("a"))).isInstanceOf(IOException.class);

      Files.delete(path);
      file.write(lines("b"));
    }

    assertThat(path).hasContent("b\n");
  }

  @Test
  void directoryInPlaceOfTheFile_failsToOpen() {
    try (RotatingFile file = new RotatingFile(options(directory, 0, 0, 0, false), clock)) {
      assertThatThrownBy(file::open).isInstanceOf(IOException.class);
    }
  }

  @Test
  void sizeZero_isKubernetesDefault() {
    assertThat(options(directory, 0, 0, 0, false).maxBytes()).isEqualTo(100L * MEGABYTE);
  }

  private static LogFileOptions options(
      Path path, int age, int backups, int size, boolean compress) {
    return new LogFileOptions(path, age, backups, size, compress);
  }

  private static List<byte[]> lines(String... lines) {
    return Stream.of(lines).map(line -> line.getBytes(StandardCharsets.UTF_8)).toList();
  }

  private void old(String name) throws IOException {
    Files.writeString(directory.resolve(name), "old");
  }

  private List<String> names() {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
