package dev.keelson.blackbox;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

class DurabilityOnSqliteIT extends DurabilitySuite {
  DurabilityOnSqliteIT(@TempDir Path home) {
    super(home, List.of());
  }
}
