package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.Eventually;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The names of {@code docs/metrics.md}, and the series that the queries of the API server's boards
 * and alerts of the Prometheus community's kubernetes-mixin need, after a few requests.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class MetricNamesIT {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z0-9_]+)` \\| (yes|no) \\|");

  private KeelsonProcess server;
  private RestClient administrator;
  private String metrics;

  @BeforeAll
  void useServer(@TempDir Path directory) {
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--authorization-mode=RBAC",
                "--watch-cache-sizes=leases.coordination.k8s.io#0",
                KeelsonProcess.FEW_CONTROLLERS));
    administrator = RestClient.administrator(server);
    String map = "{\"metadata\":{\"name\":\"m\"},\"data\":{\"a\":\"b\"}}";
    assertThat(
            administrator
                .request()
                .contentType("application/json")
                .body(map)
                .post(MAPS)
                .statusCode())
        .isEqualTo(201);
    assertThat(administrator.get(MAPS + "/m").statusCode()).isEqualTo(200);
    assertThat(administrator.get(MAPS).statusCode()).isEqualTo(200);
    assertThat(administrator.get("/api/v1/configmaps").statusCode()).isEqualTo(200);
    assertThat(administrator.get("/apis/coordination.k8s.io/v1/leases").statusCode())
        .isEqualTo(200);
    assertThat(
            administrator
                .get(
                    MAPS
                        + "?watch=1&sendInitialEvents=true&allowWatchBookmarks=true"
                        + "&resourceVersionMatch=NotOlderThan&timeoutSeconds=1")
                .statusCode())
        .isEqualTo(200);
    assertThat(administrator.get("/api/v1/componentstatuses").statusCode()).isEqualTo(200);
    assertThat(RestClient.nobody(server).get("/api/v1/pods").statusCode()).isEqualTo(403);
    Eventually.assertEventually(
        () ->
            assertThat(administrator.get("/metrics").asString())
                .contains("\napiserver_storage_objects{resource=\"configmaps\"}"));
    metrics = administrator.get("/metrics").asString();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void names_areServedAsDocumented() throws IOException {
    List<MatchResult> rows =
        ROW.matcher(Files.readString(Path.of("docs", "metrics.md"))).results().toList();
    Set<String> documented =
        rows.stream()
            .filter(row -> row.group(2).equals("yes"))
            .map(row -> row.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> served = new TreeSet<>();
    for (MatchResult row : rows) {
      if (metrics.contains("\n# TYPE " + row.group(1) + " ")) {
        served.add(row.group(1));
      }
    }

    assertThat(rows).hasSizeGreaterThan(70);
    assertThat(served).isEqualTo(documented);
  }

  /** A name and the matchers of its labels, each a regular expression, as in the mixin's rules. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "apiserver_request_total code=2.. verb=POST",
        "apiserver_request_total code=2.. verb=GET",
        "apiserver_request_total code=4.. verb=LIST",
        "apiserver_request_sli_duration_seconds_count verb=LIST|GET",
        "apiserver_request_sli_duration_seconds_count verb=POST|PUT|PATCH|DELETE",
        "apiserver_request_sli_duration_seconds_bucket verb=LIST|GET scope=resource| le=1",
        "apiserver_request_sli_duration_seconds_bucket verb=LIST|GET scope=namespace le=5",
        "apiserver_request_sli_duration_seconds_bucket verb=LIST|GET scope=cluster le=30",
        "apiserver_request_sli_duration_seconds_bucket verb=POST subresource= le=1",
        "apiserver_client_certificate_expiration_seconds_count",
        "apiserver_client_certificate_expiration_seconds_bucket le=.*",
        "apiserver_current_inflight_requests request_kind=mutating",
        "etcd_request_duration_seconds_bucket operation=create le=\\+Inf",
        "etcd_request_duration_seconds_bucket operation=.+ resource=.+ le=\\+Inf",
        "apiserver_request_sli_duration_seconds_bucket verb=GET|LIST resource=.+ version=.+ le=.+",
        "apiserver_request_total resource=.+ code=.+ verb=.+",
        "apiserver_longrunning_requests verb=WATCH resource=.+",
        "apiserver_storage_objects resource=.+",
        "apiserver_admission_controller_admission_duration_seconds_bucket name=.+ operation=.+",
        "kubernetes_build_info git_version=v1\\.36\\..+",
        "kubernetes_feature_enabled name=.+",
        "workqueue_adds_total name=.+",
        "workqueue_depth name=.+",
        "workqueue_queue_duration_seconds_bucket name=.+ le=\\+Inf",
        "process_resident_memory_bytes",
        "process_cpu_seconds_total",
        "go_goroutines",
      })
  void seriesOfBoards_haveValues(String query) {
    String[] parts = query.split(" ", -1);

    List<String> found = new ArrayList<>();
    for (String line : metrics.split("\n", -1)) {
      if (line.startsWith(parts[0] + "{") || line.startsWith(parts[0] + " ")) {
        boolean matches = true;
        for (int i = 1; i < parts.length; i++) {
          String label = parts[i].substring(0, parts[i].indexOf('='));
          String value = parts[i].substring(parts[i].indexOf('=') + 1);
          matches &= Pattern.compile("[{,]" + label + "=\"(" + value + ")\"").matcher(line).find();
        }
        if (matches) {
          found.add(line);
        }
      }
    }

    assertThat(found)
        .isNotEmpty()
        .anyMatch(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))) >= 0);
  }

  @Test
  void authentications_areCountedByResult() {
    assertThat(metrics)
        .containsPattern("\nauthentication_attempts\\{result=\"success\"} [1-9]")
        .contains("\n# TYPE authentication_attempts counter\n")
        .containsPattern("\nauthorization_attempts_total\\{result=\"no-opinion\"} [1-9]");
  }

  @Test
  void watches_areCountedAtTheirEnd() {
    assertThat(metrics)
        .containsPattern("\napiserver_request_total\\{.*resource=\"configmaps\".*verb=\"WATCH\"")
        .containsPattern("\napiserver_longrunning_requests\\{.*resource=\"configmaps\".*} 0\n")
        .containsPattern(
            "\n"
                + "apiserver_watch_events_total\\{group=\"\",resource=\"configmaps\",version=\"v1\"}"
                + " [2-9]");
  }
}
