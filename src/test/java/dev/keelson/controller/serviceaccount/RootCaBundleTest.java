package dev.keelson.controller.serviceaccount;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RootCaBundleTest {

  private static final String ONE = certificate("b25l");
  private static final String TWO = certificate("dHdv");

  private static String certificate(String base64) {
    return "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n";
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nothing", "-----BEGIN CERTIFICATE-----\nb25l"})
  void whatIsNoBundle_isBegunAnew(String present) {
    assertThat(RootCaBundle.with(present, ONE)).isEqualTo(ONE);
    assertThat(RootCaBundle.with(ONE + present + "!", TWO)).isEqualTo(TWO);
  }

  @Test
  void serversWithTheirOwnAuthorities_comeToRest() {
    String both = RootCaBundle.with(RootCaBundle.with("", ONE), TWO);

    assertThat(both).isEqualTo(ONE + TWO);
    assertThat(RootCaBundle.with(both, ONE)).isSameAs(both);
    assertThat(RootCaBundle.with(both, TWO)).isSameAs(both);
  }

  @Test
  void aBundleOfTooMany_isBegunAnew() {
    String present = "";
    for (int i = 0; i < 10; i++) {
      present = RootCaBundle.with(present, certificate("abc" + i));
    }
    assertThat(present).contains("abc0", "abc9");

    assertThat(RootCaBundle.with(present, certificate("abc3"))).isEqualTo(present);
    assertThat(RootCaBundle.with(present + ONE, TWO)).isEqualTo(TWO);
  }
}
