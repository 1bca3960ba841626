package dev.keelson.http.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.request.Latencies;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.proto.ProtoSchemas;
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

  private void answered(String method, String path, Map<String, List<String>> query) {
    ApiRequest request =
        new ApiRequest(
            method, path, new Query(query), Map.of(), new byte[0], List.of(), "192.0.2.1");
    meters
        .begin(
            new Exchange(
                request,
                RequestInfoResolver.parse(method, path, Map.of()),
                new RequestContext(new UserInfo("ann", "", List.of(), Map.of()), "audit-1")))
        .ended(200, 1, 10);
  }

  /** Source: {@code TestCleanFieldValidation} of apiserver. */
  @Test
  void fieldValidation_isOneOfItsWordsOrInvalid() {
    answered("POST", "/api/v1/pods", Map.of());
    answered("POST", "/api/v1/pods", Map.of("fieldValidation", List.of("Ignore")));
    answered("POST", "/api/v1/pods", Map.of("fieldValidation", List.of("foo")));
    answered("POST", "/api/v1/pods", Map.of("fieldValidation", List.of("Strict", "Ignore")));

    String name = "field_validation_request_duration_seconds_count{field_validation=";
    assertThat(text()).contains(name + "\"\"} 1", name + "\"Ignore\"} 1", name + "\"invalid\"} 2");
  }

  /** Source: {@code cleanVerb} and {@code cleanDryRun} of apiserver. */
  @Test
  void verbAndDryRun_areCleaned() {
    ResourceCatalog catalog =
        new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct));
    RequestLabels.Source source = new RequestLabels.Source(catalog);
    String pod = "/api/v1/namespaces/n/pods/p";

    assertThat(labels(source, "GET", pod, Map.of()).verb()).isEqualTo("GET");
    assertThat(labels(source, "GET", pod, Map.of("watch", List.of("true"))).verb())
        .isEqualTo("WATCH");
    assertThat(labels(source, "GET", pod, Map.of("watch", List.of("0"))).verb()).isEqualTo("GET");
    assertThat(labels(source, "DELETE", pod, Map.of()).dryRun()).isEmpty();
    assertThat(labels(source, "DELETE", pod, Map.of("dryRun", List.of("All", "All"))).dryRun())
        .isEqualTo("All");
    assertThat(labels(source, "DELETE", pod, Map.of("dryRun", List.of("All", "x"))).dryRun())
        .isEqualTo("invalid");
    assertThat(labels(source, "DELETE", pod, Map.of("dryRun", List.of(""))).dryRun())
        .isEqualTo("invalid");
  }

  private static RequestLabels labels(
      RequestLabels.Source source, String method, String path, Map<String, List<String>> query) {
    return source.of(
        new Exchange(
            new ApiRequest(
                method, path, new Query(query), Map.of(), new byte[0], List.of(), "192.0.2.1"),
            RequestInfoResolver.parse(method, path, Map.of()),
            new RequestContext(new UserInfo("ann", "", List.of(), Map.of()), "audit-1")));
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
