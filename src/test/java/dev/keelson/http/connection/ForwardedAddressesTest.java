package dev.keelson.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.Query;
import dev.keelson.value.Cidr;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardedAddressesTest {

  private static final ApiRequest REQUEST =
      new ApiRequest(
          "GET",
          "/",
          Query.NONE,
          Map.of(
              "x-forwarded-for",
              List.of("203.0.113.9"),
              "x-real-ip",
              List.of("203.0.113.9"),
              "accept",
              List.of("*/*")),
          new byte[0],
          List.of(),
          "10.1.2.3:4567");

  @ParameterizedTest
  @CsvSource({
    "'',             10.1.2.3,  true,  true",
    "'',             10.1.2.3,  false, false",
    "10.1.0.0/16,    10.1.2.3,  false, true",
    "10.1.0.0/16,    10.1.2.3,  true,  true",
    "10.1.0.0/16,    10.2.2.3,  true,  false",
    "10.1.0.0/16,    10.2.2.3,  false, false",
    "2001:db8::/32,  2001:db8::1, false, true",
    "2001:db8::/32,  10.1.2.3,  true,  false",
    "10.1.0.0/16,    unix,      true,  false",
  })
  void headers_areThoseOfTrustedPeers(String proxy, String peer, boolean tls, boolean believed) {
    ForwardedAddresses forwarded =
        new ForwardedAddresses(proxy.isEmpty() ? List.of() : List.of(Cidr.parse(proxy)));

    ApiRequest seen = forwarded.believed(REQUEST, peer, tls);

    assertThat(seen.header("X-Forwarded-For")).isEqualTo(believed ? "203.0.113.9" : "");
    assertThat(seen.header("X-Real-Ip")).isEqualTo(believed ? "203.0.113.9" : "");
    assertThat(seen.header("Accept")).isEqualTo("*/*");
  }

  @Test
  void requestWithoutThem_staysAsItIs() {
    ApiRequest plain = REQUEST.withHeaders(Map.of());

    assertThat(new ForwardedAddresses(List.of()).believed(plain, "10.1.2.3", false))
        .isSameAs(plain);
  }
}
