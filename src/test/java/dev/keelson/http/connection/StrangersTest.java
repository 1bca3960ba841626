package dev.keelson.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

final class StrangersTest {

  private final Strangers strangers = new Strangers(2);

  private static InetAddress address(String text) throws UnknownHostException {
    return InetAddress.getByName(text);
  }

  @Test
  void address_hasSoManyConnections_andGivesThemBack() throws Exception {
    InetAddress one = address("192.0.2.1");
    assertThat(strangers.enter(one)).isTrue();
    assertThat(strangers.enter(one)).isTrue();
    assertThat(strangers.enter(one)).isFalse();
    assertThat(strangers.enter(address("192.0.2.2"))).isTrue();

    strangers.leave(one);

    assertThat(strangers.enter(one)).isTrue();
    assertThat(strangers.of(one)).isEqualTo(2);
  }

  @Test
  void addressesOfAnIpv6Network_countAsOne() throws Exception {
    assertThat(strangers.enter(address("2001:db8:0:1::1"))).isTrue();
    assertThat(strangers.enter(address("2001:db8:0:1:ffff::2"))).isTrue();
    assertThat(strangers.enter(address("2001:db8:0:1::3"))).isFalse();
    assertThat(strangers.enter(address("2001:db8:0:2::1"))).isTrue();
  }

  @Test
  void ipv4AddressInIpv6_isTheIpv4Address() throws Exception {
    assertThat(strangers.enter(address("::ffff:192.0.2.1"))).isTrue();
    assertThat(strangers.of(address("192.0.2.1"))).isEqualTo(1);
  }
}
