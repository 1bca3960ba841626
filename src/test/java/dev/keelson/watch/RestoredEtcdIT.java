package dev.keelson.watch;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.etcd.EtcdOptions;
import dev.keelson.storage.etcd.EtcdStore;
import dev.keelson.testing.EtcdProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real etcd that is replaced by an older state of itself while it is followed. */
class RestoredEtcdIT {

  private static final Bytes ROOT = Bytes.utf8("/r/");
  private static final KeyRange RANGE = KeyRange.prefix(ROOT);

  private static long put(EtcdStore store, String key) {
    return ((WriteOutcome.Applied)
            store.write(Write.put(Bytes.utf8("/r/" + key), Bytes.utf8("v"), Write.ABSENT)))
        .revision();
  }

  /** Saves the state of etcd and writes more. */
  private static void rollBack(EtcdProcess etcd, EtcdStore store, Path saved) {
    etcd.stop();
    etcd.backUp(saved);
    etcd.start();
    for (int i = 0; i < 5; i++) {
      put(store, "later-" + i);
    }
  }

  /** Reads until the feed ends; the time limit of the test bounds it. */
  private static void drain(ChangeFeed feed) throws InterruptedException {
    while (!Thread.currentThread().isInterrupted()) {
      ChangeFeed.Batch unused = feed.next(Duration.ofSeconds(1));
    }
  }

  @Test
  void feed_ofAnEtcdThatWasRestored_endsWithRolledBack(@TempDir Path saved)
      throws InterruptedException {
    try (EtcdProcess etcd = EtcdProcess.create().start();
        EtcdStore store = EtcdStore.open(EtcdOptions.defaults(List.of(etcd.endpoint())))) {
      put(store, "first");
      rollBack(etcd, store, saved.resolve("data"));
      long newest = store.revision();
      try (ChangeFeed feed = store.feed(RANGE, 1)) {
        long reached = 1;
        while (reached < newest) {
          ChangeFeed.Batch batch = feed.next(Duration.ofSeconds(1));
          reached = batch == null ? reached : batch.revision();
        }
        etcd.kill();
        etcd.restore(saved.resolve("data"));
        etcd.start();

        assertThatThrownBy(() -> drain(feed)).isInstanceOf(StorageException.RolledBack.class);
      }
    }
  }

  @Test
  void feed_ofAnEtcdThatWasRestarted_goesOn() throws InterruptedException {
    try (EtcdProcess etcd = EtcdProcess.create().start();
        EtcdStore store = EtcdStore.open(EtcdOptions.defaults(List.of(etcd.endpoint())))) {
      long first = put(store, "first");
      try (ChangeFeed feed = store.feed(RANGE, first)) {
        etcd.kill();
        etcd.start();
        long second = put(store, "second");

        long reached = first;
        while (reached < second) {
          ChangeFeed.Batch batch = feed.next(Duration.ofSeconds(1));
          reached = batch == null ? reached : batch.revision();
        }
        assertThat(reached).isEqualTo(second);
      }
    }
  }

  @Test
  void cache_ofAnEtcdThatWasRestored_isDropped_andEndsWatches(@TempDir Path saved) {
    try (EtcdProcess etcd = EtcdProcess.create().start();
        EtcdStore store = EtcdStore.open(EtcdOptions.defaults(List.of(etcd.endpoint())));
        WatchCache cache =
            new WatchCache(store, ROOT, InstantSource.system(), Retention.ofMemory())) {
      AtomicInteger lost = new AtomicInteger();
      List<Long> seen = new CopyOnWriteArrayList<>();
      cache.observe(
          new WatchCache.Observer() {
            @Override
            public void changed(List<Change> changes) {
              changes.forEach(change -> seen.add(change.revision()));
            }

            @Override
            public void lost() {
              lost.incrementAndGet();
            }
          });
      put(store, "first");
      rollBack(etcd, store, saved.resolve("data"));
      long before = store.revision();
      assertEventually(() -> assertThat(cache.reached(ROOT)).isEqualTo(before));

      etcd.kill();
      etcd.restore(saved.resolve("data"));
      etcd.start();

      assertEventually(() -> assertThat(lost).hasValue(1));
      assertThat(cache.reached(ROOT)).isLessThan(before);
      long after = put(store, "after");
      assertThat(after).isLessThan(before);
      assertEventually(() -> assertThat(seen).endsWith(after));
    }
  }
}
