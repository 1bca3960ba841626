package dev.keelson.soak;

import dev.keelson.testing.KeelsonProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadsSoakOnSqliteIT extends ReadsSoakSuite {

  @Test
  void reads_areOneHistory(@TempDir Path directory) throws Exception {
    try (KeelsonProcess server = KeelsonProcess.start(directory, List.of(COMPACTION))) {
      soak(server, List.of(restart(server), kill(server)));
    }
  }

  @Test
  void reads_withoutACache_areOneHistory(@TempDir Path directory) throws Exception {
    try (KeelsonProcess server =
        KeelsonProcess.start(directory, List.of(COMPACTION, "--watch-cache=false"))) {
      soak(server, List.of(kill(server), restart(server)));
    }
  }
}
