package dev.keelson.http.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.request.Latencies;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.ResourceCatalog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RequestMetersTest {

  private final Metrics metrics = new Metrics();
  private final RequestMeters meters =
      new RequestMeters(
          metrics,
          new RequestLabels.Source(new ResourceCatalog(List.of())),
          InstantSource.fixed(Instant.EPOCH));

  private List<String> text() {
    return metrics.answer().body().lines().toList();
  }

  @Test
  void indicator_leavesOutWebhooksAndQueues() {
    ApiRequest request =
        new ApiRequest(
            "GET", "/api/v1/pods", Query.NONE, Map.of(), new byte[0], List.of(), "192.0.2.1");
    RequestContext context =
        new RequestContext(new UserInfo("ann", "", List.of(), Map.of()), "audit-1");
    context.latencies().add(Latencies.Layer.QUEUE_WAIT, Duration.ofSeconds(3).toNanos());
    context.latencies().add(Latencies.Layer.MUTATING_WEBHOOK, Duration.ofSeconds(2).toNanos());

    meters
        .begin(
            new Exchange(
                request,
                RequestInfoResolver.parse(request.method(), request.path(), Map.of()),
                context))
        .ended(200, Duration.ofSeconds(6).toNanos(), 10);

    assertThat(text())
        .anyMatch(line -> line.matches("apiserver_request_duration_seconds_sum\\{.*} 6"))
        .anyMatch(line -> line.matches("apiserver_request_sli_duration_seconds_sum\\{.*} 1"));
  }

  @Test
  void impersonations_areCountedAndTimedByModeAndDecision() {
    meters.impersonated("user-info", Duration.ofMillis(3));
    meters.impersonated("", Duration.ofMillis(3));
    meters.impersonationChecked("legacy", false, Duration.ofMillis(3));
    meters.impersonationChecked("legacy", true, Duration.ofMillis(3));

    assertThat(text())
        .contains(
            "apiserver_impersonation_attempts_total{decision=\"allowed\",mode=\"user-info\"} 1",
            "apiserver_impersonation_attempts_total{decision=\"denied\",mode=\"\"} 1",
            "apiserver_impersonation_attempts_duration_seconds_bucket{decision=\"denied\","
                + "mode=\"\",le=\"0.004\"} 1",
            "apiserver_impersonation_authorization_attempts_total{decision=\"denied\","
                + "mode=\"legacy\"} 1",
            "apiserver_impersonation_authorization_attempts_duration_seconds_count{decision="
                + "\"allowed\",mode=\"legacy\"} 1");
  }
}
