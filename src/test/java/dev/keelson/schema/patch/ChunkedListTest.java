package dev.keelson.schema.patch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of a JSON Patch against one of the JDK. */
class ChunkedListTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 511, 512, 513, 5_000})
  void randomChanges_areThoseOfAList(int size) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(size);
    List<Object> expected = new ArrayList<>(IntStream.range(0, size).boxed().toList());
    ChunkedList list = new ChunkedList(expected);
    for (int i = 0; i < 20_000; i++) {
      // first it grows, then it shrinks to nothing
      boolean grow = expected.isEmpty() || random.nextInt(10) < (i < 8_000 ? 7 : 3);
      if (grow) {
        int at = random.nextInt(expected.size() + 1);
        expected.add(at, i);
        list.add(at, i);
      } else {
        int at = random.nextInt(expected.size());
        assertThat(list.get(at)).isEqualTo(expected.get(at));
        assertThat(list.remove(at)).isEqualTo(expected.remove(at));
      }
      if (!expected.isEmpty() && i % 3 == 0) {
        int at = random.nextInt(expected.size());
        assertThat(list.set(at, -i)).isEqualTo(expected.set(at, -i));
      }
    }

    assertThat(new ArrayList<>(list)).isEqualTo(expected);
    assertThat(list).hasSize(expected.size());
  }

  @Test
  void insertsAtTheFront_comeBeforeAllOthers() {
    ChunkedList list = new ChunkedList(IntStream.range(0, 400_000).boxed().toList());
    for (int i = 0; i < 10_000; i++) {
      list.add(0, "front" + i);
    }

    assertThat(list).hasSize(410_000).startsWith("front9999").endsWith(399_999);
  }
}
