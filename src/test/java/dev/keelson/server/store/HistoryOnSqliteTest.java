package dev.keelson.server.store;

import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import dev.keelson.storage.sqlite.Synchronous;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

class HistoryOnSqliteTest extends HistoryContract {

  private final Path directory;

  HistoryOnSqliteTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @Override
  RevisionedStore open() {
    return SqliteStore.open(
        SqliteOptions.defaults(directory.resolve("store.db")).withSynchronous(Synchronous.OFF),
        InstantSource.system());
  }
}
