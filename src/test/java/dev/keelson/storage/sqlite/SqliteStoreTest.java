package dev.keelson.storage.sqlite;

import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.RevisionedStoreContract;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest extends RevisionedStoreContract {

  private final Path directory;

  SqliteStoreTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @Override
  protected RevisionedStore open() {
    return SqliteStore.open(
        SqliteOptions.defaults(directory.resolve("store.db")), InstantSource.system());
  }

  @Override
  protected RevisionedStore restart() {
    return open();
  }
}
