package dev.keelson.server.tool;

import dev.keelson.config.option.StorageOptions;
import dev.keelson.server.store.Stores;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Snapshot;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.etcd.EtcdCopy;
import dev.keelson.storage.etcd.EtcdSnapshot;
import dev.keelson.storage.etcd.EtcdStore;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.storage.sqlite.SqliteImage;
import dev.keelson.storage.sqlite.SqliteReplacement;
import dev.keelson.storage.sqlite.SqliteSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Opens the stores of commands; each throws a {@link StorageException} if that fails. */
final class ToolStores {

  /** The key that exists in etcd while a copy into it is incomplete. */
  private static final String MARKER = "copy-under-way";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  private ToolStores() {}

  /** How messages name a store. */
  static String name(StorageOptions store) {
    return switch (store) {
      case StorageOptions.Sqlite sqlite -> sqlite.file().toString();
      case StorageOptions.Etcd etcd -> "etcd at " + etcd.cluster().servers().getFirst();
    };
  }

  static Snapshot snapshot(StorageOptions store, InstantSource clock) {
    return switch (store) {
      case StorageOptions.Sqlite sqlite -> snapshot(sqlite.file());
      case StorageOptions.Etcd etcd -> {
        EtcdStore opened = Stores.open(etcd.cluster(), etcd.prefix());
        try {
          yield EtcdSnapshot.open(opened, clock, range(etcd));
        } catch (StorageException e) {
          opened.close();
          throw e;
        }
      }
    };
  }

  static Snapshot snapshot(Path file) {
    return SqliteSnapshot.open(file);
  }

  private static KeyRange range(StorageOptions.Etcd etcd) {
    return KeyRange.prefix(new KeyLayout(etcd.prefix()).prefix());
  }

  /** Whether a file is the file of a store, under whatever name. */
  static boolean isStore(Path file, StorageOptions store) {
    try {
      return store instanceof StorageOptions.Sqlite sqlite
          && Files.exists(file)
          && Files.exists(sqlite.file())
          && Files.isSameFile(file, sqlite.file());
    } catch (IOException e) {
      throw new StorageException.Unavailable("cannot read " + file + ": " + e, e);
    }
  }

  /** A backup file. */
  static Target image(Path file) {
    return new Target(SqliteImage.of(file), 0, 0, null);
  }

  static Target target(StorageOptions store, InstantSource clock) {
    return switch (store) {
      case StorageOptions.Sqlite sqlite -> replacement(sqlite.file(), clock);
      case StorageOptions.Etcd etcd -> {
        EtcdStore opened = Stores.open(etcd.cluster(), etcd.prefix());
        EtcdCopy copy =
            new EtcdCopy(opened, clock, range(etcd), new KeyLayout(etcd.prefix()).own(MARKER));
        try {
          yield new Target(copy, copy.revision(), copy.keys(), null);
        } catch (StorageException e) {
          copy.close();
          throw e;
        }
      }
    };
  }

  private static Target replacement(Path file, InstantSource clock) {
    Path kept =
        file.toAbsolutePath()
            .resolveSibling(file.getFileName() + ".replaced-" + TIME.format(clock.instant()));
    SqliteReplacement replacement = SqliteReplacement.open(file, kept);
    return new Target(replacement, replacement.revision(), replacement.keys(), kept.toString());
  }
}
