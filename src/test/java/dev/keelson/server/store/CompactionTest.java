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
        Compaction compaction = new Compaction(api.store(), Duration.ofMillis(5), cuts::add)) {
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

  private static long take(BlockingQueue<Long> cuts) throws InterruptedException {
    Long cut = cuts.poll(60, TimeUnit.SECONDS);
    assertThat(cut).as("a cut in time").isNotNull();
    return cut;
  }
}
