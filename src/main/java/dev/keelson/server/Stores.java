package dev.keelson.server;

import dev.keelson.config.StorageOptions;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import dev.keelson.storage.sqlite.Synchronous;
import java.time.InstantSource;

/** Opens the store that the flags ask for. */
final class Stores {

  private Stores() {}

  /** Throws a {@link dev.keelson.storage.StorageException} if it cannot be used. */
  static RevisionedStore open(StorageOptions options, InstantSource clock) {
    return switch (options) {
      case StorageOptions.Sqlite sqlite ->
          SqliteStore.open(
              SqliteOptions.defaults(sqlite.file())
                  .withSynchronous(Synchronous.valueOf(sqlite.synchronous().name())),
              clock);
      case StorageOptions.Etcd _ ->
          throw new StartException("--etcd-servers: etcd is not offered by this build", null);
    };
  }
}
