package dev.keelson.controller.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.informer.ObjectName;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BootstrapTokenTest {

  private static final Instant NOW = Instant.parse("2026-05-01T00:00:00Z");

  private static BootstrapToken token(String name, String id, String secret, String expiration) {
    return new BootstrapToken(
        new ObjectName("kube-system", name), "u", id, secret, expiration, /* signs= */ true);
  }

  @ParameterizedTest
  @CsvSource({
    "bootstrap-token-abcdef, abcdef, s, '', true",
    "bootstrap-token-abcdef, abcdee, s, '', false",
    "bootstrap-token-abcdef, '', s, '', false",
    "bootstrap-token-abcdef, abcdef, '', '', false",
    "bootstrap-token-abcdeF, abcdeF, s, '', false",
    "bootstrap-token-abc-def, def, s, '', false",
    "bootstrap-token-abcdef, abcdef, s, 2026-05-01T00:00:01Z, true",
    "bootstrap-token-abcdef, abcdef, s, 2026-05-01T00:00:00Z, false",
    "bootstrap-token-abcdef, abcdef, s, tomorrow, false",
  })
  void token_signsIfItIsWhole(
      String name, String id, String secret, String expiration, boolean signs) {
    assertThat(token(name, id, secret, expiration).signsAt(NOW)).isEqualTo(signs);
  }

  @Test
  void timeLeft_isThatUntilTheExpiration() {
    assertThat(token("a", "a", "s", "").left(NOW)).isEmpty();
    assertThat(token("a", "a", "s", "2026-05-01T02:00:00+01:00").left(NOW))
        .contains(Duration.ofHours(1));
    assertThat(token("a", "a", "s", "x").left(NOW)).contains(Duration.ZERO);
  }

  /** The example of Kubernetes' own test. */
  @Test
  void signature_isThatOfKubernetes() {
    assertThat(
            BootstrapSigner.signature(
                "Hello from the other side. I must have called a thousand times.",
                "joshua",
                "my voice is my passcode"))
        .isEqualTo(
            "eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9..VShe2taLd-YTrmWuRkcL_8QTNDHYxQIEBsAYYiIj1_8");
  }
}
