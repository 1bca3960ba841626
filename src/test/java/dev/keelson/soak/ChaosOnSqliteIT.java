package dev.keelson.soak;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChaosOnSqliteIT extends ChaosSuite {

  @Test
  void operations_areLinearizable(@TempDir Path directory) throws Exception {
    try (Server server = new Server("server", directory, List.of(COMPACTION))) {
      chaos("sqlite", List.of(server), List.of(), () -> {});
    }
  }
}
