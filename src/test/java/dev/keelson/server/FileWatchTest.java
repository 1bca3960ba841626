package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileWatchTest {

  @TempDir private Path directory;

  private final FileWatch files = new FileWatch();

  @Test
  void change_isTakenOver_andAWrongOneKeepsTheOld() throws IOException {
    Path file = Files.writeString(directory.resolve("f"), "1");
    FileWatch.Current<Integer> current = follow(file);
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
  void wrongFileAtStart_isRefusedWithTheFlag() throws IOException {
    Path file = Files.writeString(directory.resolve("f"), "x");

    assertThatThrownBy(() -> follow(file))
        .isInstanceOf(StartException.class)
        .hasMessageStartingWith("--f: " + file);
  }

  private FileWatch.Current<Integer> follow(Path file) {
    return files.follow("--f", List.of(file), texts -> Integer.valueOf(texts.getFirst()));
  }
}
