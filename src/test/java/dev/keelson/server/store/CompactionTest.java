package dev.keelson.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CompactionTest {

  @Test
  void history_isCutToWhereTheStoreWasATurnBefore(@TempDir Path directory) throws Exception {
    BlockingQueue<Long> cuts = new LinkedBlockingQueue<>();
    try (LocalApi api = LocalApi.open(directory);
        Compaction compaction = compaction(api, Duration.ZERO, cuts)) {
      long before = api.store().revision();
      compaction.start();
      long cut = take(cuts);
      assertThat(cut).isEqualTo(before + 1);

      api.create("v1", "configmaps", "default", "{'metadata':{'name':'a'}}");
      long after = api.store().revision();
      while (cut < after) {
        cut = take(cuts);
      }

      assertThat(cut).isGreaterThan(after);
      Bytes key = KeyLayout.KUBERNETES.own("nothing");
      assertThatThrownBy(() -> api.store().get(key, before))
          .isInstanceOf(StorageException.Compacted.class);
    }
  }

  @Test
  void longerHistory_isKept_alsoAcrossARestart(@TempDir Path directory) throws Exception {
    BlockingQueue<Long> cuts = new LinkedBlockingQueue<>();
    Duration three = Duration.ofMillis(15);
    try (LocalApi api = LocalApi.open(directory)) {
      long first = api.store().revision() + 1;
      try (Compaction compaction = compaction(api, three, cuts)) {
        compaction.compact();
        compaction.compact();
      }
      try (Compaction next = compaction(api, three, cuts)) {
        next.compact();
        assertThat(cuts).isEmpty();

        next.compact();
        assertThat(cuts).containsExactly(first);

        next.compact();
        assertThat(cuts).containsExactly(first, first + 1);
      }
    }
  }

  @Test
  void window_roundsUpToIntervals() {
    assertThat(window(Duration.ofMinutes(5), Duration.ZERO)).isEqualTo(1);
    assertThat(window(Duration.ofMinutes(5), Duration.ofMinutes(5))).isEqualTo(1);
    assertThat(window(Duration.ofMinutes(5), Duration.ofMinutes(6))).isEqualTo(2);
    assertThat(window(Duration.ofMinutes(5), Duration.ofHours(1))).isEqualTo(12);
    assertThat(window(Duration.ZERO, Duration.ofHours(1))).isEqualTo(1);
  }

  private static int window(Duration interval, Duration history) {
    return new Compaction.Window(interval, history, /* exclusive= */ false).intervals();
  }

  private static Compaction compaction(LocalApi api, Duration history, BlockingQueue<Long> cuts) {
    Compaction.Window window =
        new Compaction.Window(Duration.ofMillis(5), history, /* exclusive= */ true);
    return new Compaction(api.store(), window, cuts::add);
  }

  private static long take(BlockingQueue<Long> cuts) throws InterruptedException {
    Long cut = cuts.poll(60, TimeUnit.SECONDS);
    assertThat(cut).as("a cut in time").isNotNull();
    return cut;
  }
}
