package dev.keelson.registry.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.value.Cidr;
import dev.keelson.value.IpAddress;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arithmetic of ranges; numbers as in Kubernetes' allocator tests. */
class RangesTest {

  private static AddressBlock block(String cidr) {
    return new AddressBlock(Cidr.parse(cidr));
  }

  @ParameterizedTest
  @CsvSource({
    "192.168.0.0/32, 0, 0",
    "192.168.0.0/31, 0, 0",
    "192.168.0.0/30, 2, 0",
    "192.168.0.0/28, 14, 0",
    "192.168.0.0/27, 30, 16",
    "192.168.0.0/24, 254, 16",
    "192.168.0.0/23, 510, 32",
    "192.168.0.0/20, 4094, 256",
    "10.0.0.0/16, 65534, 256",
    "2001:db8::/128, 0, 0",
    "2001:db8::/126, 3, 0",
    "2001:db8::/120, 255, 16",
    "2001:db8::/112, 65535, 256",
    "2001:db8::/64, 9223372036854775807, 256"
  })
  void addresses_haveASizeAndABand(String cidr, long size, long band) {
    assertThat(block(cidr).size()).isEqualTo(size);
    assertThat(block(cidr).staticBand()).isEqualTo(band);
  }

  @ParameterizedTest
  @CsvSource({
    "192.168.0.0/24, 192.168.0.0, false",
    "192.168.0.0/24, 192.168.0.1, true",
    "192.168.0.0/24, 192.168.0.254, true",
    "192.168.0.0/24, 192.168.0.255, false",
    "2001:db8::/120, 2001:db8::, false",
    "2001:db8::/120, 2001:db8::ff, true",
    "2001:db8::/64, 2001:db8::ffff:ffff:ffff:ffff, true"
  })
  void networkAndBroadcastAddress_areNotAllocated(String cidr, String address, boolean free) {
    assertThat(block(cidr).isAllocatable(IpAddress.parse(address))).isEqualTo(free);
  }

  @Test
  void largeIpv6Range_isNotUsable() {
    assertThat(block("2001:db8::/63").usable()).isFalse();
    assertThat(block("2001:db8::/64").usable()).isTrue();
    assertThat(block("10.0.0.0/8").usable()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "30000, 30015, 0",
    "30000, 30016, 16",
    "30000, 30511, 16",
    "30000, 31023, 32",
    "30000, 32767, 86",
    "20000, 32767, 128"
  })
  void ports_areTakenFromTheUpperBandFirst(int first, int last, int band) {
    PortBitmap ports = PortBitmap.empty(first, last);
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < last - first + 1; i++) {
      int port = ports.next(random).orElseThrow();
      assertThat(seen.add(port)).isTrue();
      assertThat(port >= first + band).isEqualTo(i < last - first + 1 - band);
      ports = ports.with(port);
    }
    assertThat(ports.next(random)).isEqualTo(OptionalInt.empty());
    assertThat(ports.without(first + 3).next(random)).hasValue(first + 3);
  }
}
