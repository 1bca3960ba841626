package dev.keelson.controller.ipam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.value.Cidr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeBlocksTest {

  private static NodeBlocks of(String range, int length) {
    return new NodeBlocks(Cidr.parse(range), length);
  }

  private static String take(NodeBlocks blocks) {
    return blocks.take().map(Cidr::toString).orElse("none");
  }

  @ParameterizedTest
  @CsvSource({
    "10.244.0.0/16,   24, 10.244.0.0/24, 10.244.1.0/24",
    "10.244.7.9/16,   24, 10.244.0.0/24, 10.244.1.0/24",
    "127.123.3.0/28,  30, 127.123.3.0/30, 127.123.3.4/30",
    "10.0.0.0/24,     24, 10.0.0.0/24,   none",
    "255.255.255.0/31, 32, 255.255.255.0/32, 255.255.255.1/32",
    "fd00:1::/48,     64, fd00:1::/64,   fd00:1:0:1::/64",
    "2001:db8::/40,   56, 2001:db8::/56, 2001:db8:0:100::/56",
    "ffff::/112,     128, ffff::/128,    ffff::1/128",
  })
  void blocks_followEachOther(String range, int length, String first, String second) {
    NodeBlocks blocks = of(range, length);

    assertThat(take(blocks)).isEqualTo(first);
    assertThat(take(blocks)).isEqualTo(second);
  }

  @Test
  void blocks_areUsedAgainAsLateAsPossible() {
    NodeBlocks blocks = of("10.0.0.0/22", 24);
    assertThat(take(blocks)).isEqualTo("10.0.0.0/24");
    assertThat(blocks.mark(Cidr.parse("10.0.0.0/24"), false)).isTrue();

    assertThat(take(blocks)).isEqualTo("10.0.1.0/24");
    assertThat(take(blocks)).isEqualTo("10.0.2.0/24");
    assertThat(take(blocks)).isEqualTo("10.0.3.0/24");
    assertThat(take(blocks)).isEqualTo("10.0.0.0/24");
    assertThat(take(blocks)).isEqualTo("none");
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.1.0/24,  10.0.0.0/24, 10.0.2.0/24",
    "10.0.1.128/25, 10.0.0.0/24, 10.0.2.0/24",
    "10.0.0.0/23,  10.0.2.0/24, 10.0.3.0/24",
    "10.0.2.0/23,  10.0.0.0/24, 10.0.1.0/24",
    "10.0.0.0/22,  none,        none",
    "10.0.0.0/8,   none,        none",
  })
  void blocksThatAreTakenOtherwise_areLeftOut(String other, String first, String second) {
    NodeBlocks blocks = of("10.0.0.0/22", 24);

    assertThat(blocks.mark(Cidr.parse(other), true)).isTrue();

    assertThat(take(blocks)).isEqualTo(first);
    assertThat(take(blocks)).isEqualTo(second);
    assertThat(blocks.mark(Cidr.parse(other), false)).isTrue();
    assertThat(take(blocks)).isNotEqualTo("none");
  }

  @ParameterizedTest
  @CsvSource({"10.0.4.0/24", "11.0.0.0/8", "fd00::/64"})
  void blocksOfOtherRanges_areNone(String other) {
    NodeBlocks blocks = of("10.0.0.0/22", 24);

    assertThat(blocks.mark(Cidr.parse(other), true)).isFalse();
    assertThat(take(blocks)).isEqualTo("10.0.0.0/24");
  }

  @ParameterizedTest
  @CsvSource({"10.0.0.0/8, 25", "10.0.0.0/24, 23", "10.0.0.0/24, 33"})
  void lengthsThatDoNotFit_areRefused(String range, int length) {
    assertThatThrownBy(() -> of(range, length)).isInstanceOf(IllegalArgumentException.class);
  }
}
