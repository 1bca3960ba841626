package dev.keelson.watch;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.PartitionedStore;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.encryption.EncryptedStore;
import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store whose revision moves on without a change of its feed, which tells so only if asked. */
class FeedProgressTest {

  private static final Bytes ROOT = Bytes.utf8("/registry/");
  private static final Bytes PODS = Bytes.utf8("/registry/pods/");

  /** How the server decorates stores. */
  enum Decoration {
    NONE,
    ENCRYPTED,
    /** with another store for a part of the keys */
    PARTITIONED;

    RevisionedStore of(RevisionedStore store, RevisionedStore other) {
      return switch (this) {
        case NONE -> store;
        case ENCRYPTED -> new EncryptedStore(store, _ -> null);
        case PARTITIONED ->
            new PartitionedStore(store, Map.of(Bytes.utf8("/registry/events/"), other));
      };
    }
  }

  /** A store with a key of another program. */
  private static final class SharedStore extends ForwardingStore {

    private final AtomicLong elsewhere = new AtomicLong();

    SharedStore(RevisionedStore store) {
      super(store);
    }

    @Override
    public long revision() {
      return Math.max(super.revision(), elsewhere.get());
    }

    void writeElsewhere() {
      elsewhere.set(revision() + 1);
    }

    @Override
    public ChangeFeed feed(KeyRange range, long afterRevision) {
      return new AskedFeed(super.feed(range, afterRevision));
    }

    private final class AskedFeed implements ChangeFeed {
      private final ChangeFeed feed;
      private final AtomicBoolean asked = new AtomicBoolean();

      AskedFeed(ChangeFeed feed) {
        this.feed = feed;
      }

      @Override
      public @Nullable Batch next(Duration timeout) throws InterruptedException {
        Batch batch = feed.next(Duration.ofMillis(5));
        return batch == null && asked.getAndSet(false)
            ? new Batch(List.of(), elsewhere.get())
            : batch;
      }

      @Override
      public void requestProgress() {
        asked.set(true);
      }

      @Override
      public void close() {
        feed.close();
      }
    }
  }

  private static SqliteStore sqlite(Path file) {
    return SqliteStore.open(SqliteOptions.defaults(file), InstantSource.system());
  }

  private static Optional<Snapshot> fresh(Cacher type) {
    try {
      return type.fresh();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void fresh_thatWaits_asksTheFeed(Decoration decoration, @TempDir Path directory) {
    try (SqliteStore file = sqlite(directory.resolve("main"));
        SqliteStore other = sqlite(directory.resolve("other"))) {
      SharedStore shared = new SharedStore(file);
      try (WatchCache cache =
          new WatchCache(
              decoration.of(shared, other), ROOT, InstantSource.system(), Retention.ofMemory())) {
        Cacher pods = cache.type(PODS);
        assertThat(fresh(pods)).isPresent();

        for (int i = 0; i < 3; i++) {
          shared.writeElsewhere();

          long newest = shared.revision();
          assertEventually(
              () ->
                  assertThat(fresh(pods))
                      .hasValueSatisfying(state -> assertThat(state.revision()).isEqualTo(newest)));
        }
      }
    }
  }
}
