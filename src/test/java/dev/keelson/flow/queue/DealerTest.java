package dev.keelson.flow.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DealerTest {

  @Test
  void hands_haveDifferentCardsOfTheDeck_andAreTheSameForAHash() {
    SplittableRandom random = new SplittableRandom(7);
    Dealer dealer = new Dealer(128, 6);
    for (int i = 0; i < 1000; i++) {
      long hash = random.nextLong();

      int[] hand = dealer.deal(hash);

      assertThat(Arrays.stream(hand).distinct())
          .hasSize(6)
          .allMatch(card -> 0 <= card && card < 128);
      assertThat(dealer.deal(hash)).containsExactly(hand);
    }
  }

  @Test
  void everyHand_isDealtEquallyOften() {
    Map<String, Integer> dealt = new HashMap<>();
    Dealer dealer = new Dealer(5, 3);
    for (int hash = 0; hash < 5 * 4 * 3 * 7; hash++) {
      dealt.merge(Arrays.toString(dealer.deal(hash)), 1, Integer::sum);
    }

    assertThat(dealt)
        .hasSize(5 * 4 * 3)
        .allSatisfy((hand, times) -> assertThat(times).isEqualTo(7));
  }

  @Test
  void hashesAreNumbersWithoutASign() {
    // 2^64 - 1 = 15 modulo 128 places: the first card is its remainder
    assertThat(new Dealer(128, 1).deal(-1L)).containsExactly(127);
    assertThat(new Dealer(100, 1).deal(-1L)).containsExactly(15);
  }
}
