package dev.keelson.storage.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Snapshot;
import dev.keelson.storage.Snapshot.Item;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.testing.EtcdExtension;
import dev.keelson.testing.EtcdProcess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EtcdExtension.class)
class EtcdCopyTest {

  private static final InstantSource CLOCK = InstantSource.system();

  private final EtcdProcess etcd;

  EtcdCopyTest(EtcdProcess etcd) {
    this.etcd = etcd;
  }

  private EtcdStore open() {
    return EtcdStore.open(EtcdOptions.defaults(List.of(etcd.endpoint())));
  }

  private static KeyRange range(String root) {
    return KeyRange.prefix(Bytes.utf8(root + "/"));
  }

  private EtcdCopy copyTo(String root) {
    return new EtcdCopy(open(), CLOCK, range(root), Bytes.utf8(root + "/marker"));
  }

  private static List<Item> items(int count) {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Bytes key = Bytes.utf8("/copy/%04d".formatted(i));
      items.add(new Item(new Entry(key, Bytes.utf8("value " + i), 2 + i, 2 + i), Item.NEVER));
    }
    return items;
  }

  private static List<Item> all(Snapshot snapshot) {
    List<Item> all = new ArrayList<>();
    for (List<Item> next = snapshot.next(); !next.isEmpty(); next = snapshot.next()) {
      all.addAll(next);
    }
    return all;
  }

  @Test
  void copy_raisesTheRevisionAndReadsBack() {
    List<Item> items = items(1200);
    List<Long> raised = new ArrayList<>();
    long completed;
    long least;
    try (EtcdCopy to = copyTo("/copy")) {
      least = to.revision() + 2345;
      to.begin(least, raised::add);
      to.write(items);
      completed = to.complete();
    }

    assertThat(raised).isSorted().hasSizeGreaterThan(3);
    assertThat(completed).isGreaterThan(least);
    try (Snapshot from = EtcdSnapshot.open(open(), CLOCK, range("/copy"))) {
      assertThat(from.count()).isEqualTo(items.size());
      List<Item> read = all(from);
      assertThat(read)
          .extracting(item -> item.entry().value())
          .isEqualTo(items.stream().map(item -> item.entry().value()).toList());
      assertThat(read).allMatch(item -> item.entry().modRevision() > least);
    }
    try (EtcdStore store = open()) {
      assertThatThrownBy(() -> store.get(Bytes.utf8("/copy/0001"), completed - 1))
          .isInstanceOf(StorageException.Compacted.class);
    }
    try (EtcdCopy to = copyTo("/copy")) {
      assertThat(to.keys()).isEqualTo(items.size());
      assertThatThrownBy(() -> to.begin(0, revision -> {}))
          .isInstanceOf(StorageException.Unavailable.class)
          .hasMessageContaining("etcd holds keys");
    }
  }

  @Test
  void interruptedCopy_isBegunAgain() {
    try (EtcdCopy to = copyTo("/again")) {
      to.begin(0, revision -> {});
      to.write(
          List.of(new Item(new Entry(Bytes.utf8("/again/left"), Bytes.EMPTY, 2, 2), Item.NEVER)));
    }

    try (EtcdCopy to = copyTo("/again")) {
      assertThat(to.keys()).isZero();
      to.begin(0, revision -> {});
      to.write(
          List.of(new Item(new Entry(Bytes.utf8("/again/new"), Bytes.EMPTY, 2, 2), Item.NEVER)));
      to.complete();
    }

    try (EtcdStore store = open()) {
      assertThat(store.range(range("/again"), RevisionedStore.NEWEST, 10).entries())
          .extracting(entry -> entry.key().utf8())
          .containsExactly("/again/new");
    }
  }

  @Test
  void leases_areCopiedWithTheirEnds() {
    long now = CLOCK.millis();
    long end = now + Duration.ofHours(1).toMillis();
    try (EtcdCopy to = copyTo("/lease")) {
      to.begin(0, revision -> {});
      to.write(
          List.of(
              new Item(new Entry(Bytes.utf8("/lease/ended"), Bytes.EMPTY, 2, 2), now - 1),
              new Item(new Entry(Bytes.utf8("/lease/event"), Bytes.EMPTY, 3, 3), end)));
      to.complete();
    }

    try (Snapshot from = EtcdSnapshot.open(open(), CLOCK, range("/lease"))) {
      List<Item> read = all(from);
      assertThat(read).hasSize(1);
      assertThat(read.getFirst().entry().key()).isEqualTo(Bytes.utf8("/lease/event"));
      assertThat(read.getFirst().expiresMillis()).isBetween(end - 5_000, end + 65_000);
    }
  }

  @Test
  void snapshot_thatIsCompacted_saysSo() {
    try (EtcdStore store = open()) {
      for (int i = 0; i < 600; i++) {
        store.write(Write.put(Bytes.utf8("/old/" + i), Bytes.EMPTY, Write.ABSENT));
      }
      try (Snapshot from = EtcdSnapshot.open(open(), CLOCK, range("/old"))) {
        from.next();
        store.write(Write.put(Bytes.utf8("/old/new"), Bytes.EMPTY, Write.ABSENT));
        store.compact(store.revision());

        assertThatThrownBy(from::next).isInstanceOf(StorageException.Compacted.class);
      }
    }
  }
}
