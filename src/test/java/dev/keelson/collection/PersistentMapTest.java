package dev.keelson.collection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PersistentMapTest {

  /** A key with a chosen hash. */
  private record Key(int number, int hash) {
    @Override
    public int hashCode() {
      return hash;
    }
  }

  private static <K, V> Map<K, V> copy(PersistentMap<K, V> map) {
    Map<K, V> copy = new HashMap<>();
    map.forEach((key, value) -> assertThat(copy.put(key, value)).as("seen twice").isNull());
    return copy;
  }

  private static void compareWithAHashMap(int keys, int hashes) {
    Random random = new Random(7);
    Map<Key, Integer> expected = new HashMap<>();
    PersistentMap<Key, Integer> map = PersistentMap.empty();
    for (int step = 0; step < 20_000; step++) {
      int number = random.nextInt(keys);
      Key key = new Key(number, (number % hashes) * 0x01000193);
      PersistentMap<Key, Integer> before = map;
      Integer old = expected.get(key);
      if (random.nextInt(5) < 3) {
        map = map.with(key, step);
        expected.put(key, step);
      } else {
        map = map.without(key);
        expected.remove(key);
      }
      assertThat(map.get(key)).isEqualTo(expected.get(key));
      assertThat(before.get(key)).as("the map before is as it was").isEqualTo(old);
      assertThat(map.size()).isEqualTo(expected.size());
      if (step % 500 == 0) {
        assertThat(copy(map)).isEqualTo(expected);
      }
    }
    for (Key key : Map.copyOf(expected).keySet()) {
      map = map.without(key);
    }
    assertThat(map).isSameAs(PersistentMap.empty());
  }

  @Test
  void edits_giveWhatAHashMapHas() {
    compareWithAHashMap(2_000, 2_000);
  }

  @Test
  void edits_ofKeysWithEqualHashes_giveWhatAHashMapHas() {
    compareWithAHashMap(200, 20);
    compareWithAHashMap(20, 1);
  }

  @Test
  void get_ofAKeyThatHasTheHashOfAnother_findsNothing() {
    PersistentMap<Key, String> one = PersistentMap.<Key, String>empty().with(new Key(1, 5), "one");
    PersistentMap<Key, String> two = one.with(new Key(2, 5), "two");

    assertThat(one.get(new Key(2, 5))).isNull();
    assertThat(two.get(new Key(3, 5))).isNull();
    assertThat(two.getOrDefault(new Key(3, 5), "none")).isEqualTo("none");
    assertThat(two.without(new Key(3, 5))).isSameAs(two);
    assertThat(two.without(new Key(1, 5)).get(new Key(2, 5))).isEqualTo("two");
  }

  @Test
  void edit_sharesAllButAFewNodes() {
    PersistentMap<Integer, String> map = PersistentMap.empty();
    for (int i = 0; i < 100_000; i++) {
      map = map.with(i, "value");
    }

    // the depth of 100,000 entries, and those that a split adds
    assertThat(map.with(100_000, "new").unsharedWith(map)).isBetween(2, 8);
    assertThat(map.with(5, "other").unsharedWith(map)).isBetween(2, 8);
    assertThat(map.without(5).unsharedWith(map)).isLessThan(8);
  }
}
