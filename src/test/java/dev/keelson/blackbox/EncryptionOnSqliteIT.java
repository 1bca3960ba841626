package dev.keelson.blackbox;

import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

class EncryptionOnSqliteIT extends EncryptionSuite {

  private final Path file;

  EncryptionOnSqliteIT(@TempDir Path home) {
    super(home, List.of());
    file = home.resolve("keelson.db");
  }

  @Override
  RevisionedStore store() {
    return SqliteStore.open(SqliteOptions.defaults(file), InstantSource.system());
  }
}
