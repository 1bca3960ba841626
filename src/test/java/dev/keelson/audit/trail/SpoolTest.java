package dev.keelson.audit.trail;

import static dev.keelson.audit.trail.TrailEvents.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.testing.SmallDisk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
final class SpoolTest {

  private static final long LARGE = 1 << 30;

  @TempDir Path directory;

  @Test
  void take_returnsTheOldestUntilTheyAreConfirmed() throws Exception {
    try (Spool spool = Spool.open(directory, LARGE)) {
      spool.append(List.of(get("a").row(), get("b").row()));
      spool.append(List.of(get("c").row()));

      assertThat(ids(spool.take(2))).containsExactly("a", "b");
      assertThat(ids(spool.take(2))).containsExactly("a", "b");
      spool.confirm();
      assertThat(ids(spool.take(2))).containsExactly("c");
      assertThat(spool.isDrained()).isFalse();
      spool.confirm();
      assertThat(spool.take(2)).isEmpty();
      assertThat(spool.isDrained()).isTrue();
    }
  }

  @Test
  void take_returnsTheEventsAsTheyWere() throws Exception {
    TrailEvent event = get("a").by("Zoë \uD83D\uDE00", "a", "b").answered(500, "x\ny").row();
    try (Spool spool = Spool.open(directory, LARGE)) {
      spool.append(List.of(event));

      TrailEvent taken = spool.take(1).getFirst();
      assertThat(taken).usingRecursiveComparison().isEqualTo(event);
    }
  }

  @Test
  void open_again_returnsWhatWasNotConfirmed() throws Exception {
    Spool spool = Spool.open(directory, LARGE);
    spool.append(List.of(get("a").row(), get("b").row()));
    spool.close();
    try (Spool later = Spool.open(directory, LARGE)) {
      later.append(List.of(get("c").row()));

      assertThat(ids(drain(later))).containsExactly("a", "b", "c");
    }
  }

  @Test
  void close_ofADrainedSpool_leavesNoFile() throws Exception {
    try (Spool spool = Spool.open(directory, LARGE)) {
      spool.append(List.of(get("a").row()));
      drain(spool);
    }

    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void append_toAFullSpool_failsUntilEventsAreConfirmed() throws Exception {
    try (Spool spool = Spool.open(directory, 20_000)) {
      List<String> written = new ArrayList<>();
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 1000; i++) {
                  spool.append(List.of(get("e" + i).row()));
                  written.add("e" + i);
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is full");

      assertThat(spool.bytes()).isLessThanOrEqualTo(20_000);
      assertThat(ids(drain(spool))).isEqualTo(written);
      spool.append(List.of(get("more").row()));
      assertThat(ids(drain(spool))).containsExactly("more");
    }
  }

  @Test
  void open_afterATornWrite_returnsWhatIsWhole() throws Exception {
    Spool spool = Spool.open(directory, LARGE);
    spool.append(List.of(get("a").row(), get("b").row()));
    spool.close();
    Path file = file();
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 5));
    try (Spool later = Spool.open(directory, LARGE)) {
      later.append(List.of(get("c").row()));

      assertThat(ids(drain(later))).containsExactly("a", "c");
    }
  }

  @Test
  void open_ofDamagedFiles_returnsWhatIsBeforeTheDamage() throws Exception {
    Spool spool = Spool.open(directory, LARGE);
    spool.append(List.of(get("a").row(), get("b").row()));
    spool.close();
    Files.write(
        directory.resolve("0000000000000007.spool"),
        new byte[] {127, -1, -1, -1, 0, 0, 0, 0, 1, 2},
        StandardOpenOption.CREATE_NEW);
    try (Spool later = Spool.open(directory, LARGE)) {
      later.append(List.of(get("c").row()));

      assertThat(ids(drain(later))).containsExactly("a", "b", "c");
    }
  }

  /** A process that is killed, or a file system that loses the end of a file. */
  @Test
  void fileThatEndsAnywhere_hasItsWholeEvents() throws Exception {
    byte[] whole = spooled("a", "b", "c");
    int frame = whole.length / 3;
    for (int length = 0; length <= whole.length; length++) {
      List<String> kept = List.of("a", "b", "c").subList(0, length / frame);

      assertThat(reopened(Arrays.copyOf(whole, length)))
          .as("%d bytes of %d", length, whole.length)
          .isEqualTo(new Read(kept, length % frame == 0 ? 0 : 1));
    }
  }

  @Test
  void byteThatIsDamaged_costsItsEventAlone() throws Exception {
    byte[] whole = spooled("a", "b", "c");
    int frame = whole.length / 3;
    for (int at = 0; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x41;
      List<String> kept = new ArrayList<>(List.of("a", "b", "c"));
      kept.remove(at / frame);

      assertThat(reopened(damaged)).as("byte %d of %d", at, frame).isEqualTo(new Read(kept, 1));
    }
  }

  @Test
  void piecesThatAreLostOrAdded_costTheEventsTheyTouch() throws Exception {
    byte[] whole = spooled("a", "b", "c", "d", "e", "f", "g", "h");
    int frame = whole.length / 8;
    Random random = new Random(3);
    for (int i = 0; i < 300; i++) {
      int from = random.nextInt(whole.length);
      int to = from + random.nextInt(whole.length - from + 1);
      byte[] other = new byte[random.nextInt(3) * random.nextInt(100_000)];
      random.nextBytes(other);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      bytes.write(whole, 0, from);
      bytes.write(other);
      bytes.write(whole, to, whole.length - to);

      List<String> kept = new ArrayList<>();
      for (int event = 0; event < 8; event++) {
        if ((event + 1) * frame <= from || event * frame >= to) {
          kept.add("abcdefgh".substring(event, event + 1));
        }
      }
      boolean torn = from % frame != 0 || to % frame != 0 || other.length > 0;
      assertThat(reopened(bytes.toByteArray()))
          .as("%d to %d of %d replaced by %d", from, to, frame, other.length)
          .isEqualTo(new Read(kept, torn ? 1 : 0));
    }
  }

  @Test
  void fileThatIsTruncatedMeanwhile_holdsUpNothing() throws Exception {
    try (Spool spool = Spool.open(directory, LARGE)) {
      spool.append(List.of(get("a").row(), get("b").row(), get("c").row()));
      Path file = file();
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(channel.size() / 2);
      }

      assertThat(ids(drain(spool))).containsExactly("a");
      assertThat(spool.damaged()).isEqualTo(1);
      assertThat(spool.isDrained()).isTrue();
      spool.append(List.of(get("d").row()));
      assertThat(ids(drain(spool))).containsExactly("d");
    }
  }

  @Test
  void damage_isCountedOnce_howeverOftenItsEventsAreTaken() throws Exception {
    byte[] damaged = spooled("a", "b", "c");
    damaged[damaged.length / 2] ^= 1;
    Files.write(directory.resolve("0000000000000000.spool"), damaged);
    try (Spool spool = Spool.open(directory, LARGE)) {
      for (int i = 0; i < 3; i++) {
        assertThat(ids(spool.take(5))).containsExactly("a", "c");
        assertThat(spool.damaged()).isZero();
      }
      spool.confirm();
      assertThat(spool.damaged()).isEqualTo(1);
      assertThat(spool.take(5)).isEmpty();
      assertThat(spool.damaged()).isZero();
    }
  }

  @Test
  void diskThatGetsFullInAnEvent_keepsTheOthers() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(directory, 64);
        Spool spool = Spool.open(disk.path().resolve("spool"), LARGE)) {
      List<String> written = new ArrayList<>();
      disk.fill();
      int refused = 0;
      for (int i = 0; i < 40; i++) {
        if (i == 20) {
          disk.free();
        }
        String id = "e" + i;
        try {
          // of many sizes, so that the disk ends anywhere in an event
          spool.append(List.of(get(id).agent("x".repeat(i * 137 % 1000)).row(), get(id).row()));
          written.addAll(List.of(id, id));
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("No space left on device");
          refused++;
        }
      }

      assertThat(refused).isEqualTo(20);
      assertThat(ids(drain(spool))).isEqualTo(written);
      assertThat(spool.damaged()).isZero();
    }
  }

  @Test
  void diskThatWasFull_hasWholeEventsForTheNextProcess() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(directory, 64)) {
      Path place = disk.path().resolve("spool");
      Spool spool = Spool.open(place, LARGE);
      String long1 = "x".repeat(SmallDisk.PAGE / 2);
      spool.append(List.of(get("a").agent(long1).row()));
      disk.fill();
      assertThatThrownBy(() -> spool.append(List.of(get("b").agent(long1 + long1).row())))
          .isInstanceOf(IOException.class);
      spool.close();
      disk.free();
      try (Spool later = Spool.open(place, LARGE)) {
        assertThat(ids(drain(later))).containsExactly("a");
        assertThat(later.damaged()).isZero();
      }
    }
  }

  @Test
  void open_leavesFilesOfOthersAlone() throws Exception {
    Path foreign = Files.writeString(directory.resolve("notes.spool"), "mine");
    try (Spool spool = Spool.open(directory, LARGE)) {
      spool.append(List.of(get("a").row()));
      assertThat(ids(drain(spool))).containsExactly("a");
    }

    assertThat(foreign).hasContent("mine");
  }

  @Test
  void directoryThatWasRemoved_isMadeAgainForTheNextFile() throws Exception {
    Path place = directory.resolve("spool");
    // files end at an eighth of it
    try (Spool spool = Spool.open(place, 16_000)) {
      spool.append(List.of(get("a").row(), get("b").row(), get("c").row(), get("d").row()));
      Files.delete(file(place));
      Files.delete(place);
      spool.append(List.of(get("e").row()));

      assertThat(ids(drain(spool))).containsExactly("a", "b", "c", "d", "e");
    }
  }

  /** What a spool gives back, and how much of it was damaged. */
  private record Read(List<String> ids, int damaged) {}

  /** The file of a process that is gone. */
  private byte[] spooled(String... ids) throws IOException {
    Spool spool = Spool.open(directory, LARGE);
    for (String id : ids) {
      spool.append(List.of(get(id).row()));
    }
    spool.close();
    Path file = file();
    byte[] bytes = Files.readAllBytes(file);
    Files.delete(file);
    return bytes;
  }

  /** What the next process reads, which writes an event of its own. */
  private Read reopened(byte[] file) throws IOException {
    Files.write(directory.resolve("0000000000000000.spool"), file);
    try (Spool spool = Spool.open(directory, LARGE)) {
      spool.append(List.of(get("new").row()));
      List<String> ids = ids(drain(spool));
      assertThat(ids).endsWith("new");
      return new Read(ids.subList(0, ids.size() - 1), spool.damaged());
    }
  }

  private Path file() throws IOException {
    return file(directory);
  }

  private static Path file(Path place) throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      return files.findFirst().orElseThrow();
    }
  }

  private static List<TrailEvent> drain(Spool spool) throws IOException {
    List<TrailEvent> all = new ArrayList<>();
    List<TrailEvent> taken = spool.take(3);
    while (!taken.isEmpty()) {
      all.addAll(taken);
      spool.confirm();
      taken = spool.take(3);
    }
    return all;
  }

  private static List<String> ids(List<TrailEvent> events) {
    return events.stream().map(event -> event.get(TrailField.AUDIT_ID)).toList();
  }
}
