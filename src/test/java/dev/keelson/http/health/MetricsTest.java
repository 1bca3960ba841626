package dev.keelson.http.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupResource;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.RequestMetrics;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.SchemaNode.StructSchema;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MetricsTest {

  private static final ResourceCatalog CATALOG =
      new ResourceCatalog(
          BuiltInResources.all(name -> new StructSchema(name, false, false, List::of)));

  private final RequestLabels.Source labels = new RequestLabels.Source(CATALOG);
  private final Metrics metrics = new Metrics();
  private final RequestMeters requests = new RequestMeters(metrics, labels, () -> Instant.EPOCH);

  /**
   * Method, path with query, and the labels: verb, group, version, resource, sub, scope, dry run.
   */
  static Stream<List<String>> requests() {
    return Stream.of(
        List.of("GET", "/api/v1/namespaces/d/pods/p", "GET,,v1,pods,,resource,"),
        List.of("GET", "/api/v1/namespaces/d/pods", "LIST,,v1,pods,,namespace,"),
        List.of("GET", "/api/v1/pods", "LIST,,v1,pods,,cluster,"),
        List.of("GET", "/api/v1/pods?watch=1", "WATCH,,v1,pods,,cluster,"),
        List.of("POST", "/api/v1/namespaces/d/pods", "POST,,v1,pods,,resource,"),
        List.of(
            "PUT",
            "/apis/apps/v1/namespaces/d/deployments/x/status",
            "PUT,apps,v1,deployments,status,resource,"),
        List.of(
            "PATCH",
            "/apis/apps/v1/namespaces/d/deployments/x?dryRun=All",
            "PATCH,apps,v1,deployments,,resource,All"),
        List.of("DELETE", "/api/v1/namespaces/d/pods", "DELETECOLLECTION,,v1,pods,,namespace,"),
        List.of("GET", "/api/v1/namespaces/d/pods/p/made-up", "GET,,v1,pods,other,resource,"),
        List.of("GET", "/apis/made.up/v1/things", "GET,,,other,,,"),
        List.of("BREW", "/apis/made.up/v1/things", "other,,,other,,,"),
        List.of("GET", "/livez/ping", "GET,,,,/livez,,"),
        List.of("GET", "/metrics", "GET,,,,/metrics,,"),
        List.of("GET", "/made-up/path", "GET,,,,,,"));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void request_isNamedAsKubernetesNamesIt(List<String> methodPathLabels) {
    RequestLabels found = labels.of(exchange(methodPathLabels.get(0), methodPathLabels.get(1)));

    assertThat(
            String.join(
                ",",
                found.verb(),
                found.group(),
                found.version(),
                found.resource(),
                found.subresource(),
                found.scope(),
                found.dryRun()))
        .isEqualTo(methodPathLabels.get(2));
  }

  private void record(String method, String path, int status, int millis) {
    requests.begin(exchange(method, path)).ended(status, millis * 1_000_000L, 2_000);
  }

  @Test
  void requests_areCountedByCodeAndTimed() {
    record("GET", "/api/v1/pods", 200, 30);
    record("GET", "/api/v1/pods", 200, 3);
    record("GET", "/api/v1/pods", 429, 0);

    String labels =
        "component=\"apiserver\",dry_run=\"\",group=\"\",resource=\"pods\",scope=\"cluster\","
            + "subresource=\"\",verb=\"LIST\",version=\"v1\"";
    assertThat(text())
        .contains("# TYPE apiserver_request_total counter\n")
        .contains("apiserver_request_total{code=\"200\"," + labels + "} 2\n")
        .contains("apiserver_request_total{code=\"429\"," + labels + "} 1\n")
        .contains("# TYPE apiserver_request_duration_seconds histogram\n")
        .contains("apiserver_request_duration_seconds_bucket{" + labels + ",le=\"0.005\"} 2\n")
        .contains("apiserver_request_duration_seconds_bucket{" + labels + ",le=\"0.05\"} 3\n")
        .contains("apiserver_request_duration_seconds_count{" + labels + "} 3\n");
  }

  @Test
  void healthChecks_areCountedForNoComponent() {
    record("GET", "/livez", 200, 1);

    assertThat(text())
        .contains(
            "apiserver_request_total{code=\"200\",component=\"\",dry_run=\"\",group=\"\","
                + "resource=\"\",scope=\"\",subresource=\"/livez\",verb=\"GET\",version=\"\"} 1\n");
  }

  @Test
  void madeUpResources_shareOneMeter() {
    for (int i = 0; i < 100; i++) {
      record("GET", "/apis/g" + i + "/v1/things", 404, 0);
    }

    assertThat(text().lines().filter(line -> line.startsWith("apiserver_request_total{")))
        .singleElement()
        .asString()
        .endsWith(" 100");
  }

  @Test
  void storeCalls_areTimed() {
    metrics.recordStore(
        "create", new GroupResource("apps", "deployments"), false, Duration.ofMillis(1));

    assertThat(text())
        .contains(
            "etcd_request_duration_seconds_count{group=\"apps\",operation=\"create\","
                + "resource=\"deployments\"} 1\n");
  }

  @Test
  void gauges_areReadWhenAsked() {
    int[] value = {1};
    metrics.gauge(
        "apiserver_current_inflight_requests", Map.of("request_kind", "mutating"), () -> value[0]);

    value[0] = 7;

    assertThat(text())
        .contains("apiserver_current_inflight_requests{request_kind=\"mutating\"} 7\n");
  }

  @Test
  void process_isDescribed() {
    // as the Quarkus extension does
    for (MeterBinder binder :
        List.of(new UptimeMetrics(), new FileDescriptorMetrics(), new JvmMemoryMetrics())) {
      binder.bindTo(metrics.registry());
    }

    assertThat(text())
        .containsPattern("\nprocess_cpu_seconds_total \\d")
        .containsPattern("\nprocess_resident_memory_bytes \\d")
        .containsPattern("\nprocess_virtual_memory_bytes \\d")
        .containsPattern("\nprocess_open_fds \\d")
        .containsPattern("\nprocess_max_fds \\d")
        .containsPattern("\nprocess_start_time_seconds \\d")
        .containsPattern("\njvm_memory_used_bytes\\{area=\"heap\",id=\"[^\"]+\"} \\d");
  }

  private String text() {
    TextResponse answer = metrics.answer();
    assertThat(answer.headers())
        .containsEntry(
            "Content-Type", "text/plain; version=0.0.4; charset=utf-8; escaping=underscores");
    return answer.body();
  }

  private static final String PODS =
      "group=\"\",resource=\"pods\",scope=\"resource\",subresource=\"\",verb=\"POST\",version=\"v1\"";

  @Test
  void refusals_areTerminationsOfTheirComponent() {
    Exchange refused = exchange("POST", "/api/v1/namespaces/d/pods?dryRun=All");
    refused.context().refusedBy(RequestContext.Refuser.APISERVER);
    requests.begin(refused).ended(429, 0, 0);
    Exchange away = exchange("GET", "/api/v1/pods");
    away.context().refusedBy(RequestContext.Refuser.AGGREGATOR);
    requests.begin(away).ended(503, 0, 0);
    record("POST", "/api/v1/namespaces/d/pods", 429, 0);

    assertThat(text())
        .contains("# TYPE apiserver_request_terminations_total counter\n")
        .contains(
            "apiserver_request_terminations_total{code=\"429\",component=\"apiserver\","
                + PODS
                + "} 1\n")
        .containsPattern(
            "apiserver_request_terminations_total\\{code=\"503\",component=\"aggregator\",.* 1\n");
  }

  @Test
  void requestThatTimesOut_isTerminated_andItsHandlerCountedWhenItEnds() {
    RequestMetrics.Running running = requests.begin(exchange("POST", "/api/v1/namespaces/d/pods"));
    running.timedOut();

    assertThat(text())
        .contains(
            "apiserver_request_terminations_total{code=\"504\",component=\"apiserver\","
                + PODS
                + "} 1\n")
        .doesNotContain("apiserver_request_post_timeout_total");

    running.ended(200, 0, 0);

    assertThat(text())
        .contains(
            "apiserver_request_post_timeout_total{source=\"timeout-handler\",status=\"ok\"} 1\n")
        .contains(
            "apiserver_request_terminations_total{code=\"504\",component=\"apiserver\","
                + PODS
                + "} 1\n");
  }

  @Test
  void responseThatIsCut_isAbortedOnce() {
    RequestMetrics.Running running = requests.begin(exchange("POST", "/api/v1/namespaces/d/pods"));
    running.cut();
    running.cut();

    assertThat(text()).contains("apiserver_request_aborts_total{" + PODS + "} 1\n");
  }

  private static Exchange exchange(String method, String target) {
    int mark = target.indexOf('?');
    Query query = Query.parse(mark < 0 ? "" : target.substring(mark + 1));
    String path = mark < 0 ? target : target.substring(0, mark);
    ApiRequest request = new ApiRequest(method, path, query, Map.of(), new byte[0], List.of(), "");
    RequestContext context = new RequestContext(new UserInfo("ann", "", List.of(), Map.of()), "");
    return new Exchange(request, RequestInfoResolver.parse(method, path, query.firsts()), context);
  }
}
