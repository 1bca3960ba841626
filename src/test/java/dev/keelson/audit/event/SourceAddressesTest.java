package dev.keelson.audit.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order and the rules of apimachinery's SourceIPs. */
class SourceAddressesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | '' | 10.0.0.1:4711 | 10.0.0.1",
        "'' | '' | [2001:db8:0:0::1]:4711 | 2001:db8::1",
        "'' | '' | 0:0:0:0:0:0:0:1:4711 | ::1",
        "'' | '' | 10.0.0.1 | 10.0.0.1",
        "'' | '' | 2001:db8::1 | 2001:db8::1",
        "'' | '' | '' | ''",
        "1.1.1.1 | '' | 10.0.0.1:1 | 1.1.1.1 10.0.0.1",
        "'1.1.1.1, 2.2.2.2' | '' | 10.0.0.1:1 | 1.1.1.1 2.2.2.2 10.0.0.1",
        "'1.1.1.1,bad, ,2.2.2' | '' | 10.0.0.1:1 | 1.1.1.1 10.0.0.1",
        "1.1.1.1 | 3.3.3.3 | 10.0.0.1:1 | 1.1.1.1 3.3.3.3 10.0.0.1",
        "'1.1.1.1,3.3.3.3' | 1.1.1.1 | 10.0.0.1:1 | 1.1.1.1 3.3.3.3 10.0.0.1",
        "'' | 3.3.3.3 | 3.3.3.3:80 | 3.3.3.3",
        "10.0.0.1 | '' | 10.0.0.1:80 | 10.0.0.1",
        "'10.0.0.1,1.1.1.1' | '' | 10.0.0.1:80 | 10.0.0.1 1.1.1.1 10.0.0.1",
        "::ffff:1.2.3.4 | fe80::1%eth0 | 10.0.0.1:80 | 1.2.3.4 10.0.0.1",
      })
  void addresses_areThoseOfProxiesThenThePeer(
      String forwardedFor, String realIp, String peer, String expected) {
    assertThat(SourceAddresses.of(forwardedFor, realIp, peer))
        .isEqualTo(expected.isEmpty() ? List.of() : List.of(expected.split(" ", -1)));
  }
}
