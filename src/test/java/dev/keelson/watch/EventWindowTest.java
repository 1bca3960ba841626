package dev.keelson.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.Bytes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class EventWindowTest {

  private final EventWindow window =
      new EventWindow(
          InstantSource.system(), new Retention(Duration.ofMinutes(5), 100_000, 1L << 30));
  private final AtomicInteger derivations = new AtomicInteger();

  private CacheEvent append(long revision) {
    return window.append(revision, Bytes.utf8("a"), null, null, SnapshotTree.EMPTY);
  }

  private int derived(CacheEvent event) {
    return event.derive("form", derivations::incrementAndGet);
  }

  @Test
  void derivedValues_areShared_untilTheEventIsOld() {
    CacheEvent first = append(1);
    assertThat(derived(first)).isEqualTo(1);
    for (int i = 1; i < EventWindow.MOST_DERIVED; i++) {
      CacheEvent unused = append(1 + i);
    }
    assertThat(derived(first)).isEqualTo(1);

    CacheEvent unused = append(1 + EventWindow.MOST_DERIVED);

    assertThat(derived(first)).isEqualTo(2);
    assertThat(window.get(0)).isSameAs(first);
    assertThat(window.size()).isEqualTo(1 + EventWindow.MOST_DERIVED);
  }
}
