package dev.keelson.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileReloaderTest {

  @TempDir private Path directory;

  private final FileReloader files = new FileReloader();

  @Test
  void change_isTakenOver_andAWrongOneKeepsTheOld() throws IOException {
    Path file = Files.writeString(directory.resolve("f"), "1");
    FileReloader.Current<Integer> current = follow(file);
    List<String> outcomes = new ArrayList<>();
    files.counting((flag, outcome) -> outcomes.add(flag + " " + outcome));

    Files.writeString(file, "2");
    files.look();
    assertThat(current.get()).isEqualTo(2);

    Files.writeString(file, "two");
    files.look();
    files.look();
    assertThat(current.get()).isEqualTo(2);

    Files.delete(file);
    files.look();
    assertThat(current.get()).isEqualTo(2);

    Files.writeString(file, "3");
    files.look();
    assertThat(current.get()).isEqualTo(3);
    assertThat(outcomes)
        .containsExactly("--f success", "--f failure", "--f failure", "--f success");
  }

  @Test
  void fileThatAnotherNames_isFollowedToo_alsoAfterItWasWrong() throws IOException {
    Path one = Files.writeString(directory.resolve("one"), "1");
    Path two = Files.writeString(directory.resolve("two"), "2");
    Path file = Files.writeString(directory.resolve("f"), one.toString());
    FileReloader.Current<Integer> current =
        files.follow(
            "--f",
            file,
            source -> Integer.valueOf(source.read(Path.of(source.read(file).strip()))));

    Files.writeString(one, "11");
    files.look();
    assertThat(current.get()).isEqualTo(11);

    Files.writeString(two, "x");
    Files.writeString(file, two.toString());
    files.look();
    assertThat(current.get()).isEqualTo(11);

    Files.writeString(two, "22");
    files.look();
    assertThat(current.get()).isEqualTo(22);

    Files.writeString(file, directory.resolve("three").toString());
    files.look();
    Files.writeString(directory.resolve("three"), "3");
    files.look();
    assertThat(current.get()).isEqualTo(3);
  }

  @Test
  void contentThatIsNotReady_isParsedAgainEveryTenSeconds_andToldOnce() throws IOException {
    AtomicLong nanos = new AtomicLong();
    AtomicBoolean ready = new AtomicBoolean(true);
    FileReloader patient = new FileReloader(nanos::get);
    Path file = Files.writeString(directory.resolve("f"), "1");
    FileReloader.Current<String> current =
        patient.follow(
            "--f",
            List.of(file),
            texts -> {
              if (!ready.get()) {
                throw new FileReloader.NotReadyException("away");
              }
              return texts.getFirst();
            });
    List<String> outcomes = new ArrayList<>();
    patient.counting((flag, outcome) -> outcomes.add(outcome));

    ready.set(false);
    Files.writeString(file, "2");
    patient.look();
    nanos.addAndGet(Duration.ofSeconds(10).toNanos());
    patient.look();
    ready.set(true);
    nanos.addAndGet(Duration.ofSeconds(9).toNanos());
    patient.look();
    assertThat(current.get()).isEqualTo("1");

    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    patient.look();
    patient.look();
    assertThat(current.get()).isEqualTo("2");
    assertThat(outcomes).containsExactly("failure", "success");
  }

  @Test
  void wrongFileAtStart_isRefusedWithTheFlag() throws IOException {
    Path file = Files.writeString(directory.resolve("f"), "x");

    assertThatThrownBy(() -> follow(file))
        .isInstanceOf(StartupException.class)
        .hasMessageStartingWith("--f: " + file);
  }

  private FileReloader.Current<Integer> follow(Path file) {
    return files.follow("--f", List.of(file), texts -> Integer.valueOf(texts.getFirst()));
  }
}
