package dev.keelson.audit.trail;

import static dev.keelson.audit.trail.TrailEvents.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
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
    Path file;
    try (Stream<Path> files = Files.list(directory)) {
      file = files.findFirst().orElseThrow();
    }
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 5));
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
