package dev.keelson.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** IP addresses and networks as Go reads and prints them. */
class IpAddressTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, 10.0.0.1",
    "0.0.0.0, 0.0.0.0",
    "::, ::",
    "::1, ::1",
    "2001:DB8::0:1, 2001:db8::1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "1:0:0:0:0:0:0:0, 1::",
    "::ffff:10.1.2.3, 10.1.2.3",
    "64:ff9b::1.2.3.4, 64:ff9b::102:304"
  })
  void address_isPrintedAsInRfc5952(String in, String printed) {
    assertThat(IpAddress.parse(in)).hasToString(printed).isEqualTo(IpAddress.parse(printed));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10.0.0",
        "10.0.0.1.2",
        "10.0.0.256",
        "10.0.0.01",
        "1.2.3.4 ",
        "0x7f.0.0.1",
        "10.1",
        "::g",
        "1::2::3",
        "12345::",
        "00001::",
        ":::",
        "1:2:3:4:5:6:7",
        "fe80::1%eth0",
        "::1.2.3.04",
        "::1.2.3",
        "[::1]",
        "localhost",
        "１.2.3.4"
      })
  void text_thatIsNoAddress_isRefused(String text) {
    assertThat(IpAddress.tryParse(text)).isEmpty();
    assertThat(IpAddress.isIpv4(text) || IpAddress.isIpv6(text)).isFalse();
    assertThatThrownBy(() -> IpAddress.parse(text))
        .isInstanceOf(ValueFormatException.class)
        .hasMessageContaining("unable to parse IP");
  }

  @Test
  void address_printedAndRead_isTheSame() {
    Random random = new Random(17);
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
      random.nextBytes(bytes);
      for (int zeros = random.nextInt(bytes.length); zeros > 0; zeros--) {
        bytes[random.nextInt(bytes.length)] = 0;
      }
      IpAddress address = IpAddress.of(bytes);

      assertThat(IpAddress.parse(address.toString())).isEqualTo(address);
      assertThat(IpAddress.parse(address.address().getHostAddress())).isEqualTo(address);
    }
  }

  @Test
  void mappedAddress_isIpv6InTextOnly() {
    assertThat(IpAddress.isIpv6("::ffff:10.1.2.3")).isTrue();
    assertThat(IpAddress.isIpv4("::ffff:10.1.2.3")).isFalse();
    assertThat(IpAddress.parse("::ffff:10.1.2.3").family()).hasToString("IPv4");
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.0.1, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.1.2.3/32, 10.1.2.3, true",
    "0.0.0.0/0, 1.2.3.4, true",
    "0.0.0.0/0, ::1, false",
    "2001:db8::/33, 2001:db8:7fff::, true",
    "2001:db8::/33, 2001:db8:8000::, false",
    "::/0, ffff::, true"
  })
  void network_containsTheAddressesOfItsPrefix(String network, String address, boolean contained) {
    assertThat(Cidr.parse(network).contains(IpAddress.parse(address))).isEqualTo(contained);
  }

  @Test
  void network_containsSmallerOnesAndItself() {
    Cidr network = Cidr.parse("10.1.0.0/16");

    assertThat(network.contains(network)).isTrue();
    assertThat(network.contains(Cidr.parse("10.1.128.0/17"))).isTrue();
    assertThat(network.contains(Cidr.parse("10.0.0.0/8"))).isFalse();
    assertThat(network.contains(Cidr.parse("2001:db8::/64"))).isFalse();
    assertThat(Cidr.parse("::ffff:10.1.2.0/120")).isEqualTo(Cidr.parse("10.1.2.0/24"));
  }

  @Test
  void network_masked_beginsWithItsFirstAddress() {
    Random random = new Random(19);
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
      random.nextBytes(bytes);
      Cidr network = new Cidr(IpAddress.of(bytes), random.nextInt(bytes.length * 8 + 1));
      Cidr masked = network.masked();

      assertThat(Cidr.parse(network.toString())).isEqualTo(network);
      assertThat(masked.get(0)).isEqualTo(masked.address());
      assertThat(masked.contains(network) && network.contains(masked)).isTrue();
      assertThat(masked.get(network.indexOf(masked.address()).longValue()))
          .isEqualTo(masked.address());
      assertThat(masked.indexOf(network.address())).isLessThan(masked.size());
    }
  }

  @Test
  void network_hasTheAddressesOfItsSize() {
    Cidr network = Cidr.parse("10.0.3.7/24");

    assertThat(network.get(0)).hasToString("10.0.3.0");
    assertThat(network.get(255)).hasToString("10.0.3.255");
    assertThatThrownBy(() -> network.get(256)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.0",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/08",
        "10.0.0.0/+8",
        "::/129",
        "/8",
        "10.0.0/8",
        "fe80::%lo/64",
        "10.0.0.0/8/8",
        "10.0.0.0/1000",
        "::ffff:10.0.0.0/90"
      })
  void text_thatIsNoNetwork_isRefused(String text) {
    assertThat(Cidr.tryParse(text)).isEmpty();
    assertThatThrownBy(() -> Cidr.parse(text)).hasMessage("invalid CIDR address: " + text);
  }
}
