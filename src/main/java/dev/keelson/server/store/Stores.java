package dev.keelson.server.store;

import dev.keelson.api.GroupResource;
import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.StorageOptions;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.etcd.EtcdOptions;
import dev.keelson.storage.etcd.EtcdStore;
import dev.keelson.storage.etcd.EtcdTls;
import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import dev.keelson.storage.sqlite.Synchronous;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
      case StorageOptions.Etcd etcd -> open(etcd.cluster(), etcd.prefix());
    };
  }

  /**
   * Opens the stores of the overrides, one for each cluster.
   *
   * @return in the order of the flags
   */
  public static List<OverrideStore> overrides(StorageOptions options) {
    Map<StorageOptions.Cluster, List<GroupResource>> resources = new LinkedHashMap<>();
    if (options instanceof StorageOptions.Etcd etcd) {
      for (StorageOptions.ResourceOverride override : etcd.overrides()) {
        resources
            .computeIfAbsent(override.cluster(), any -> new ArrayList<>())
            .add(new GroupResource(override.group(), override.resource()));
      }
    }
    List<OverrideStore> stores = new ArrayList<>();
    resources.forEach(
        (cluster, all) -> stores.add(new OverrideStore(open(cluster, options.prefix()), all)));
    return stores;
  }

  /**
   * Opens an etcd.
   *
   * @param prefix of the keys, without a trailing slash: the user of the connection needs rights to
   *     these alone, and to {@code compact_rev_key}
   * @throws dev.keelson.storage.StorageException if that fails
   */
  public static EtcdStore open(StorageOptions.Cluster etcd, String prefix) {
    return EtcdStore.open(
        EtcdOptions.defaults(etcd.servers())
            .withTls(tls(etcd.tls()))
            .withRevisionKey(Bytes.utf8(prefix + "/")));
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
