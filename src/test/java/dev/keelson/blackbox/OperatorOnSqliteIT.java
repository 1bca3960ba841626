package dev.keelson.blackbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

class OperatorOnSqliteIT extends OperatorSuite {
  OperatorOnSqliteIT(@TempDir Path home) throws IOException {
    super(home, List.of());
  }
}
