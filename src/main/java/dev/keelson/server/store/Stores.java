package dev.keelson.server.store;

import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.StorageOptions;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.etcd.EtcdOptions;
import dev.keelson.storage.etcd.EtcdStore;
import dev.keelson.storage.etcd.EtcdTls;
import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import dev.keelson.storage.sqlite.Synchronous;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Opens the configured store. */
public final class Stores {

  private Stores() {}

  /** Opens the store; throws a {@link dev.keelson.storage.StorageException} if that fails. */
  public static RevisionedStore open(StorageOptions options, InstantSource clock) {
    return switch (options) {
      case StorageOptions.Sqlite sqlite ->
          SqliteStore.open(
              SqliteOptions.defaults(sqlite.file())
                  .withSynchronous(Synchronous.valueOf(sqlite.synchronous().name())),
              clock);
      case StorageOptions.Etcd etcd -> open(etcd);
    };
  }

  /** Opens an etcd; throws a {@link dev.keelson.storage.StorageException} if that fails. */
  public static EtcdStore open(StorageOptions.Etcd etcd) {
    return EtcdStore.open(EtcdOptions.defaults(etcd.servers()).withTls(tls(etcd.tls())));
  }

  private static EtcdTls tls(StorageOptions.@Nullable Tls tls) {
    if (tls == null) {
      return EtcdTls.NONE;
    }
    KeyPairFiles client = tls.client();
    return client == null
        ? new EtcdTls(tls.authorities(), null, null)
        : new EtcdTls(tls.authorities(), client.certificate(), client.key());
  }
}
