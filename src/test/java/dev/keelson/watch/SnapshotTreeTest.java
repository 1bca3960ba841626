package dev.keelson.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class SnapshotTreeTest {

  private static Entry entry(int number, long revision) {
    return new Entry(key(number), Bytes.utf8("value " + revision), 1, revision);
  }

  private static Bytes key(int number) {
    return Bytes.utf8("/k/%06d".formatted(number));
  }

  private static List<Entry> read(SnapshotTree tree, KeyRange range) {
    List<Entry> entries = new ArrayList<>();
    SnapshotTree.Cursor cursor = tree.cursor(range);
    while (cursor.hasNext()) {
      entries.add(cursor.next());
    }
    return entries;
  }

  private static KeyRange all() {
    return KeyRange.prefix(Bytes.utf8("/k/"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void edits_atRandom_keepEveryEarlierState(int seed) {
    Random random = new Random(seed);
    int keys = seed % 2 == 0 ? 40 : 3000;
    TreeMap<Bytes, Entry> expected = new TreeMap<>();
    SnapshotTree tree = SnapshotTree.EMPTY;
    List<SnapshotTree> states = new ArrayList<>();
    List<Map<Bytes, Entry>> expectations = new ArrayList<>();

    for (int step = 1; step <= 12_000; step++) {
      int number = random.nextInt(keys);
      boolean shrinking = (step / 2000) % 2 == 1;
      if (random.nextInt(10) < (shrinking ? 8 : 3)) {
        expected.remove(key(number));
        tree = tree.without(key(number));
      } else {
        expected.put(key(number), entry(number, step));
        tree = tree.with(entry(number, step));
      }
      assertThat(tree.size()).isEqualTo(expected.size());
      if (step % 1000 == 0) {
        states.add(tree);
        expectations.add(new TreeMap<>(expected));
      }
    }

    for (int i = 0; i < states.size(); i++) {
      assertThat(read(states.get(i), all()))
          .containsExactlyElementsOf(expectations.get(i).values());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 23, 24, 25, 600, 601, 20_000})
  void ofSorted_thenEmptied_losesOneAfterTheOther(int size) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      entries.add(entry(i, i + 1));
    }

    SnapshotTree tree = SnapshotTree.ofSorted(entries);

    assertThat(read(tree, all())).containsExactlyElementsOf(entries);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      order.add(i);
    }
    java.util.Collections.shuffle(order, new Random(size));
    int left = size;
    for (int number : order) {
      assertThat(tree.get(key(number))).isNotNull();
      tree = tree.without(key(number));
      assertThat(tree.get(key(number))).isNull();
      assertThat(tree.size()).isEqualTo(--left);
    }
    assertThat(read(tree, all())).isEmpty();
  }

  @Test
  void ranges_ofAllSorts_readAndCountWhatATreeMapHas() {
    Random random = new Random(42);
    TreeMap<Bytes, Entry> expected = new TreeMap<>();
    SnapshotTree tree = SnapshotTree.EMPTY;
    for (int i = 0; i < 2000; i++) {
      int number = random.nextInt(5000);
      expected.put(key(number), entry(number, i + 1));
      tree = tree.with(entry(number, i + 1));
    }

    for (int i = 0; i < 2000; i++) {
      Bytes start = key(random.nextInt(5200) - 100 < 0 ? 0 : random.nextInt(5200));
      Bytes end = random.nextInt(10) == 0 ? Bytes.EMPTY : key(random.nextInt(5200));
      KeyRange range = new KeyRange(start, end);
      List<Entry> wanted =
          end.isEmpty()
              ? List.copyOf(expected.tailMap(start).values())
              : start.compareTo(end) >= 0
                  ? List.of()
                  : List.copyOf(expected.subMap(start, end).values());

      assertThat(read(tree, range)).containsExactlyElementsOf(wanted);
      assertThat(tree.count(range)).isEqualTo(wanted.size());
    }
  }

  @Test
  void without_aKeyThatIsNotThere_isTheSameTree() {
    SnapshotTree tree = SnapshotTree.EMPTY.with(entry(1, 1)).with(entry(3, 2));

    assertThat(tree.without(key(2))).isSameAs(tree);
    assertThat(SnapshotTree.EMPTY.without(key(2))).isSameAs(SnapshotTree.EMPTY);
  }
}
