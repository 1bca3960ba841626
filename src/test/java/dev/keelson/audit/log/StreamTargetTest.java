package dev.keelson.audit.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.testing.SmallDisk;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamTargetTest {

  @TempDir Path directory;

  @Test
  void lineThatAFullDiskHasTorn_isEndedBeforeTheNext() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(directory, 64)) {
      Path file = disk.path().resolve("out");
      String line = "x".repeat(SmallDisk.PAGE * 2 / 3);
      try (OutputStream out = new FileOutputStream(file.toFile());
          StreamTarget target = new StreamTarget(out)) {
        target.write(lines(line));
        disk.fill();
        assertThatThrownBy(() -> target.write(lines("torn-" + line)))
            .isInstanceOf(IOException.class);
        disk.free();
        target.write(lines("b"));
        target.write(lines("c"));
      }

      List<String> lines = Files.readAllLines(file);
      assertThat(lines).hasSize(4).startsWith(line).endsWith("b", "c");
      assertThat(lines.get(1)).startsWith("torn-x").hasSizeLessThan(line.length());
    }
  }

  private static List<byte[]> lines(String line) {
    return List.of(line.getBytes(StandardCharsets.UTF_8));
  }
}
