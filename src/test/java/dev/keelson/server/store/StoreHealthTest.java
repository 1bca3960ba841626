package dev.keelson.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreHealthTest {

  private final CountDownLatch answer = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();

  /** Answers when {@link #answer} is open. */
  private RevisionedStore slow(RevisionedStore store) {
    return new ForwardingStore(store) {
      @Override
      public long revision() {
        asked.incrementAndGet();
        try {
          answer.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new StorageException.Unavailable("interrupted", e);
        }
        return super.revision();
      }
    };
  }

  @Test
  void storeThatDoesNotAnswerInTime_fails_andIsAskedOnce(@TempDir Path directory) {
    try (SqliteStore store =
        SqliteStore.open(SqliteOptions.defaults(directory.resolve("db")), InstantSource.system())) {
      StoreHealth impatient = StoreHealth.of("etcd", slow(store), Duration.ofMillis(1));

      assertThat(impatient.failure())
          .contains("error getting data from etcd: context deadline exceeded");
      assertThat(impatient.failure()).isPresent();
      assertThat(asked).hasValue(1);
      answer.countDown();
      StoreHealth patient = StoreHealth.of("etcd", slow(store), Duration.ofMinutes(1));
      assertThat(patient.failure()).isEmpty();
    }
  }

  @Test
  void storeThatFails_failsWithItsReason(@TempDir Path directory) {
    SqliteStore store =
        SqliteStore.open(SqliteOptions.defaults(directory.resolve("db")), InstantSource.system());
    store.close();

    assertThat(StoreHealth.of("etcd", store, Duration.ofMinutes(1)).failure())
        .hasValueSatisfying(reason -> assertThat(reason).startsWith("error getting data from"));
  }
}
