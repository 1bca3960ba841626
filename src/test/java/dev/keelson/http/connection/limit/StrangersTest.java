package dev.keelson.http.connection.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StrangersTest {

  private final Strangers strangers = new Strangers(2, 4);
  private final List<String> gone = new ArrayList<>();

  private static InetAddress address(String text) throws UnknownHostException {
    return InetAddress.getByName(text);
  }

  private Strangers.Stranger named(String name) {
    return () -> gone.add(name);
  }

  private boolean enter(String address) throws UnknownHostException {
    return strangers.enter(address(address), named(address));
  }

  @Test
  void address_hasSoManyConnections_andGivesThemBack() throws Exception {
    InetAddress one = address("192.0.2.1");
    Strangers.Stranger first = named("first");
    assertThat(strangers.enter(one, first)).isTrue();
    assertThat(enter("192.0.2.1")).isTrue();
    assertThat(enter("192.0.2.1")).isFalse();
    assertThat(enter("192.0.2.2")).isTrue();

    strangers.leave(first);
    strangers.leave(first);

    assertThat(enter("192.0.2.1")).isTrue();
    assertThat(strangers.of(one)).isEqualTo(2);
    assertThat(gone).isEmpty();
  }

  @Test
  void crowdOfAddresses_losesItsOldest() throws Exception {
    Strangers.Stranger authenticated = named("authenticated");
    assertThat(strangers.enter(address("192.0.2.9"), authenticated)).isTrue();
    for (int i = 0; i < 3; i++) {
      assertThat(enter("192.0.2." + i)).isTrue();
    }
    strangers.leave(authenticated);
    assertThat(enter("192.0.2.3")).isTrue();
    assertThat(gone).isEmpty();

    assertThat(enter("192.0.2.4")).isTrue();
    assertThat(enter("192.0.2.5")).isTrue();

    assertThat(gone).containsExactly("192.0.2.0", "192.0.2.1");
    assertThat(strangers.of(address("192.0.2.0"))).isZero();
    assertThat(strangers.of(address("192.0.2.5"))).isEqualTo(1);
  }

  @Test
  void addressWithTooMany_displacesNobody() throws Exception {
    assertThat(enter("192.0.2.1")).isTrue();
    assertThat(enter("192.0.2.2")).isTrue();
    assertThat(enter("192.0.2.3")).isTrue();
    assertThat(enter("192.0.2.3")).isTrue();

    assertThat(enter("192.0.2.3")).isFalse();

    assertThat(gone).isEmpty();
  }

  @Test
  void addressesOfAnIpv6Network_countAsOne() throws Exception {
    assertThat(enter("2001:db8:0:1::1")).isTrue();
    assertThat(enter("2001:db8:0:1:ffff::2")).isTrue();
    assertThat(enter("2001:db8:0:1::3")).isFalse();
    assertThat(enter("2001:db8:0:2::1")).isTrue();
  }

  @Test
  void ipv4AddressInIpv6_isTheIpv4Address() throws Exception {
    assertThat(enter("::ffff:192.0.2.1")).isTrue();
    assertThat(strangers.of(address("192.0.2.1"))).isEqualTo(1);
  }
}
