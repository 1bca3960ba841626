package dev.keelson.server.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CipherSuitesTest {

  private static final List<String> NAMED =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_RSA_WITH_RC4_128_SHA",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");

  @Test
  void suites_thatTheJdkHas_areOffered_andTheOthersMissing() {
    assertThat(CipherSuites.offered(NAMED))
        .containsExactly("TLS_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
    assertThat(CipherSuites.missing(NAMED)).containsExactly("TLS_RSA_WITH_RC4_128_SHA");
  }

  @Test
  void withoutSuites_nothingIsMissing() {
    assertThat(CipherSuites.offered(List.of())).isEmpty();
    assertThat(CipherSuites.missing(List.of())).isEmpty();
  }
}
