package dev.keelson.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.health.Metrics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Source of names and digests: {@code metrics_test.go} of apiserver's OIDC authenticator. */
class IssuerMetersTest {

  private static final String PREFIX = "apiserver_authentication_jwt_authenticator_";
  private static final String ISSUER =
      "jwt_issuer_hash=\"sha256:29b34beedc55b972f2428f21bc588f9d38e5e8f7a7af825486e7bb4fd9caa2ad\"";
  private static final String SERVER =
      "apiserver_id_hash=\"sha256:14f9d63e669337ac6bfda2e2162915ee6a6067743eddd4e5c374b572f951ff37\"";
  private static final String FETCHED = PREFIX + "jwks_fetch_last_timestamp_seconds{";

  private final Metrics metrics = new Metrics();
  private final IssuerMeters meters =
      new IssuerMeters(
          metrics, InstantSource.fixed(Instant.ofEpochSecond(7)), () -> "testAPIServerID");

  private List<String> text() {
    return metrics.answer().body().lines().filter(line -> line.startsWith(PREFIX)).toList();
  }

  @Test
  void verifiedTokens_areTimedByTheirResult() {
    meters.verified("testIssuer", true, Duration.ofMillis(1));
    meters.verified("testIssuer", false, Duration.ofMillis(7));

    assertThat(text())
        .contains(
            PREFIX + "latency_seconds_bucket{" + ISSUER + ",result=\"success\",le=\"0.001\"} 1",
            PREFIX + "latency_seconds_bucket{" + ISSUER + ",result=\"failure\",le=\"0.005\"} 0",
            PREFIX + "latency_seconds_bucket{" + ISSUER + ",result=\"failure\",le=\"10\"} 1",
            PREFIX + "latency_seconds_count{" + ISSUER + ",result=\"failure\"} 1");
  }

  @Test
  void keySets_areNamedByTheDigestOfTheLastOne_untilTheIssuerIsRemoved() {
    meters.fetched("testIssuer", "one");
    meters.fetched("testIssuer", "two");
    meters.notFetched("testIssuer");

    assertThat(text())
        .containsExactlyInAnyOrder(
            PREFIX
                + "jwks_fetch_last_key_set_info{"
                + SERVER
                + ",hash=\"sha256:3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3\","
                + ISSUER
                + "} 1",
            FETCHED + SERVER + "," + ISSUER + ",result=\"success\"} 7",
            FETCHED + SERVER + "," + ISSUER + ",result=\"failure\"} 7");

    meters.removed("testIssuer");

    assertThat(text()).isEmpty();
  }
}
