package dev.keelson.watch;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.etcd.EtcdOptions;
import dev.keelson.storage.etcd.EtcdStore;
import dev.keelson.testing.EtcdProcess;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * A cache of a real etcd, whose revision also moves on by keys outside of the cache, such as the
 * mark of each compaction.
 */
class OtherKeysIT {

  private static final Bytes ROOT = Bytes.utf8("/registry/");
  private static final Bytes TYPE = Bytes.utf8("/registry/pods/");

  private static long put(EtcdStore store, String key) {
    return ((WriteOutcome.Applied)
            store.write(Write.put(Bytes.utf8(key), Bytes.utf8("v"), Write.ABSENT)))
        .revision();
  }

  private static Optional<Snapshot> fresh(Cacher type) {
    try {
      return type.fresh();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void fresh_afterAWriteToAnotherKey_isAnsweredByTheCache() {
    try (EtcdProcess etcd = EtcdProcess.create().start();
        EtcdStore store = EtcdStore.open(EtcdOptions.defaults(List.of(etcd.endpoint())));
        WatchCache cache =
            new WatchCache(store, ROOT, InstantSource.system(), Retention.ofMemory())) {
      List<Bytes> seen = new CopyOnWriteArrayList<>();
      cache.observe(
          new WatchCache.Observer() {
            @Override
            public void changed(List<Change> changes) {
              changes.forEach(change -> seen.add(change.key()));
            }

            @Override
            public void lost() {
              seen.add(Bytes.EMPTY);
            }
          });
      put(store, "/registry/pods/a");
      Cacher type = cache.type(TYPE);
      assertThat(fresh(type)).isPresent();

      for (int i = 0; i < 3; i++) {
        long elsewhere = put(store, "compact_rev_key-" + i);

        assertEventually(
            () ->
                assertThat(fresh(type))
                    .hasValueSatisfying(
                        state -> assertThat(state.revision()).isGreaterThanOrEqualTo(elsewhere)));
      }

      put(store, "/registry/pods/b");
      assertEventually(
          () ->
              assertThat(seen)
                  .containsExactly(Bytes.utf8("/registry/pods/a"), Bytes.utf8("/registry/pods/b")));
    }
  }
}
