package dev.keelson.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlabsTest {

  private static final int VALUE = 5000;

  private final Slabs slabs = new Slabs();

  @Test
  void a_small_type_keeps_its_arrays() {
    for (int i = 0; i < 100; i++) {
      Entry entry = entry(i, i, VALUE);
      assertThat(slabs.keep(entry)).isSameAs(entry);
    }
    assertThat(slabs.count()).isZero();
  }

  @Test
  void a_large_type_is_put_together_with_the_same_content() {
    List<Entry> kept = fill(2000);
    assertThat(slabs.count()).isBetween(7, 9);
    for (int i = 0; i < kept.size(); i++) {
      assertThat(kept.get(i)).isEqualTo(entry(i, i, VALUE));
    }
  }

  @Test
  void a_large_value_keeps_its_array() {
    fill(2000);
    Entry large = entry(0, 0, 1 << 20);
    assertThat(slabs.keep(large)).isSameAs(large);
  }

  @Test
  void what_is_left_wholly_goes() {
    fill(2000).forEach(slabs::release);
    assertThat(slabs.count()).isZero();
    assertThat(slabs.takeSparse()).isNull();
  }

  @Test
  void slabs_never_hold_much_more_than_what_is_live() {
    Map<Integer, Entry> newest = new HashMap<>();
    Random random = new Random(7);
    List<Entry> first = fill(2000);
    for (int i = 0; i < first.size(); i++) {
      newest.put(i, first.get(i));
    }
    for (int n = 0; n < 50_000; n++) {
      // few are hot, so that slabs close with little in them that lives
      int object = random.nextInt(10) == 0 ? random.nextInt(2000) : random.nextInt(3);
      slabs.release(newest.put(object, slabs.keep(entry(object, n, VALUE))));
      for (Slabs.Slab sparse = slabs.takeSparse(); sparse != null; sparse = slabs.takeSparse()) {
        for (Bytes key : sparse.keys()) {
          int at = Integer.parseInt(key.utf8());
          Entry there = Objects.requireNonNull(newest.get(at));
          if (sparse.holds(there)) {
            newest.put(at, slabs.keep(there));
            slabs.release(there);
          }
        }
      }
      assertThat(slabs.count()).isLessThan(25);
    }
    newest.forEach(
        (object, entry) ->
            assertThat(entry).isEqualTo(entry(object, (int) entry.modRevision(), VALUE)));
  }

  private List<Entry> fill(int count) {
    List<Entry> kept = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      kept.add(slabs.keep(entry(i, i, VALUE)));
    }
    return kept;
  }

  private static Entry entry(int object, int version, int size) {
    byte[] value = new byte[size];
    new Random(object * 1_000_003L + version).nextBytes(value);
    return new Entry(Bytes.utf8(Integer.toString(object)), Bytes.wrap(value), 1, version);
  }
}
