package dev.keelson.audit.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.testing.Eventually;
import dev.keelson.testing.ManualClock;
import dev.keelson.testing.SmallDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
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

  /** The disk is full behind each byte of a line, and of its newline. */
  @Test
  void diskThatGetsFullInALine_leavesWholeLines() throws IOException {
    String line = "{\"kind\":\"Event\"}";
    try (SmallDisk disk = SmallDisk.mount(directory, 64)) {
      for (int room = 0; room <= line.length(); room++) {
        Path path = disk.path().resolve("audit-" + room + ".log");
        String before = "x".repeat(SmallDisk.PAGE - 1 - room);
        try (RotatingFile file = new RotatingFile(options(path, 0, 0, 0, false), clock)) {
          file.write(lines(before));
          disk.fill();
          for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> file.write(lines(line))).isInstanceOf(IOException.class);
            assertThat(path).hasContent(before + "\n");
          }
          disk.free();
          file.write(lines(line));
        }
        assertThat(path).hasContent(before + "\n" + line + "\n");
        Files.delete(path);
      }
    }
  }

  @Test
  void lineThatAKilledProcessHasCutOff_onAFullDisk_isEndedOnceThereIsRoom() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(directory, 64)) {
      Path path = disk.path().resolve("audit.log");
      String torn = "x".repeat(SmallDisk.PAGE);
      Files.writeString(path, torn);
      disk.fill();
      try (RotatingFile file = new RotatingFile(options(path, 0, 0, 0, false), clock)) {
        file.open();
        for (int attempt = 0; attempt < 2; attempt++) {
          assertThatThrownBy(() -> file.write(lines("a"))).isInstanceOf(IOException.class);
        }
        disk.free();
        file.write(lines("b"));
        file.write(lines("c"));
      }
      assertThat(path).hasContent(torn + "\nb\nc\n");
    }
  }

  @Test
  void diskThatGetsFullInALine_afterCopyTruncate_leavesWholeLines() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(directory, 64)) {
      Path path = disk.path().resolve("audit.log");
      String half = "x".repeat(SmallDisk.PAGE / 2);
      try (RotatingFile file = new RotatingFile(options(path, 0, 0, 0, false), clock)) {
        file.write(lines(half, half, half, half));
        Files.write(path, new byte[0]);
        file.write(lines(half));
        disk.fill();
        assertThatThrownBy(() -> file.write(lines(half))).isInstanceOf(IOException.class);
        assertThat(path).hasContent(half + "\n");
        disk.free();
        file.write(lines("next"));
      }
      assertThat(path).hasContent(half + "\nnext\n");
    }
  }

  @Test
  void compression_thatFindsTheDiskFull_leavesNoUnfinishedFile() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(directory, 256)) {
      Path path = disk.path().resolve("audit.log");
      Path old = disk.path().resolve("audit-2029-12-01T03-04-04.000.log");
      byte[] random = new byte[20 * SmallDisk.PAGE];
      new Random(7).nextBytes(random);
      Files.write(old, random);
      disk.fill();
      // what is removed makes the room that the compressed file does not fit into
      Path older = disk.path().resolve("audit-2029-11-01T03-04-04.000.log");
      Path unfinished = disk.path().resolve(old.getFileName() + ".gz.tmp");
      Files.write(unfinished, new byte[0]);
      Files.createFile(older);
      try (RotatingFile file = new RotatingFile(options(path, 0, 1, 0, true), clock)) {
        file.open();
        Eventually.assertEventually(() -> assertThat(older).doesNotExist());
        Eventually.assertEventually(() -> assertThat(unfinished).doesNotExist());
        assertThat(old).hasBinaryContent(random);
        disk.free();
        file.open();
        Eventually.assertEventually(() -> assertThat(old).doesNotExist());
        assertThat(disk.path().resolve(old.getFileName() + ".gz")).exists();
      }
    }
  }

  @Test
  void fileThatAnotherProgramTruncates_isNotRotatedForItsOldSize() throws IOException {
    Path path = directory.resolve("audit.log");
    String half = "x".repeat(MEGABYTE / 2 - 1);
    try (RotatingFile file = new RotatingFile(options(path, 0, 0, 1, false), clock)) {
      file.write(lines(half, half));
      Files.copy(path, directory.resolve("audit.log.1"));
      Files.write(path, new byte[0]);

      file.write(lines("a", half));
      assertThat(names()).containsExactly("audit.log", "audit.log.1");
      file.write(lines(half));
    }

    assertThat(names())
        .containsExactly("audit-2030-01-02T03-04-05.678.log", "audit.log", "audit.log.1");
    assertThat(directory.resolve("audit-2030-01-02T03-04-05.678.log"))
        .hasContent("a\n" + half + "\n");
    assertThat(path).hasContent(half + "\n");
  }

  @Test
  void directoryThatWasRemoved_isMadeAgain() throws IOException {
    Path parent = directory.resolve("log");
    Path path = parent.resolve("audit.log");
    try (RotatingFile file = new RotatingFile(options(path, 0, 0, 0, false), clock)) {
      file.write(lines("a"));
      Files.delete(path);
      Files.delete(parent);
      clock.advance(Duration.ofSeconds(2));
      file.write(lines("b"));
      assertThat(path).hasContent("b\n");

      Files.delete(path);
      Files.delete(parent);
      Files.createDirectory(parent);
      clock.advance(Duration.ofSeconds(2));
      file.write(lines("c"));
    }

    assertThat(path).hasContent("c\n");
  }

  @Test
  void fileInPlaceOfTheDirectory_failsTheWrites_untilItIsGone() throws IOException {
    Path parent = directory.resolve("log");
    Path path = parent.resolve("audit.log");
    try (RotatingFile file = new RotatingFile(options(path, 0, 0, 0, false), clock)) {
      file.write(lines("a"));
      Files.delete(path);
      Files.delete(parent);
      Files.createFile(parent);
      clock.advance(Duration.ofSeconds(2));
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThatThrownBy(() -> file.write(lines("b"))).isInstanceOf(IOException.class);
      }

      Files.delete(parent);
      file.write(lines("c"));
    }

    assertThat(path).hasContent("c\n");
  }

  @Test
  void clockThatIsSetBack_doesNotKeepFromLookingAtThePath() throws IOException {
    Path path = directory.resolve("audit.log");
    AtomicReference<Instant> now = new AtomicReference<>(clock.instant());
    try (RotatingFile file = new RotatingFile(options(path, 0, 0, 0, false), now::get)) {
      file.write(lines("a"));
      Files.move(path, directory.resolve("moved"));
      now.set(clock.instant().minus(Duration.ofHours(1)));
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
