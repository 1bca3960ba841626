package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.PostgresProcess;
import dev.keelson.testing.RestClient;
import io.restassured.response.Response;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditTrailOnPostgresIT extends AuditTrailSuite {

  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  private final List<PostgresProcess> started = new ArrayList<>();

  @Override
  String trail(Path directory) {
    return postgres().url();
  }

  private PostgresProcess postgres() {
    Assumptions.assumeTrue(PostgresProcess.isInstalled(), "PostgreSQL is not installed");
    PostgresProcess postgres = PostgresProcess.start();
    started.add(postgres);
    return postgres;
  }

  @AfterAll
  void stopPostgres() {
    started.forEach(PostgresProcess::close);
  }

  @Test
  void databaseThatGoesAway_delaysNoRequest_andGetsEveryEventOnce(@TempDir Path directory) {
    PostgresProcess postgres = postgres();
    try (KeelsonProcess server =
        KeelsonProcess.start(
            directory, List.of("--audit-trail=" + postgres.url(), "--audit-trail-mode=blocking"))) {
      RestClient admin = RestClient.administrator(server);
      List<String> names = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        if (i == 20) {
          postgres.kill();
        } else if (i == 40) {
          postgres.startAgain();
        }
        names.add("c" + i);
        Response made = admin.post(CONFIG_MAPS, Map.of("metadata", Map.of("name", "c" + i)));
        assertThat(made.statusCode()).isEqualTo(201);
      }

      assertEventually(
          () ->
              assertThat(
                      admin
                          .get(
                              "/apis/audit.keelson.dev/v1/auditevents?fieldSelector=verb=create,"
                                  + "resource=configmaps,stage=ResponseComplete,namespace=default")
                          .<List<String>>path("items.objectRef.name"))
                  .isEqualTo(names.reversed()));
    }
  }

  @Test
  void twoServers_writeOneTrail(@TempDir Path directory) {
    PostgresProcess postgres = postgres();
    List<String> flags = List.of("--audit-trail=" + postgres.url());
    try (KeelsonProcess one = KeelsonProcess.start(directory.resolve("one"), flags);
        KeelsonProcess two = KeelsonProcess.start(directory.resolve("two"), flags)) {
      Response first =
          RestClient.administrator(one)
              .post(CONFIG_MAPS, Map.of("metadata", Map.of("name", "of-one")));
      Response second =
          RestClient.administrator(two)
              .post(CONFIG_MAPS, Map.of("metadata", Map.of("name", "of-two")));
      assertThat(List.of(first.statusCode(), second.statusCode())).containsOnly(201);

      RestClient admin = RestClient.administrator(one);
      assertEventually(
          () ->
              assertThat(
                      admin
                          .get(
                              "/apis/audit.keelson.dev/v1/auditevents?fieldSelector=verb=create,"
                                  + "resource=configmaps,stage=ResponseComplete,namespace=default")
                          .<List<String>>path("items.objectRef.name"))
                  .containsExactlyInAnyOrder("of-one", "of-two"));
    }
  }

  @Test
  void databaseThatIsAway_inModeBlockingStrict_failsRequests(@TempDir Path directory) {
    PostgresProcess postgres = postgres();
    List<String> flags =
        List.of("--audit-trail=" + postgres.url(), "--audit-trail-mode=blocking-strict");
    try (KeelsonProcess server = KeelsonProcess.start(directory, flags)) {
      RestClient admin = RestClient.administrator(server);
      assertThat(admin.post(CONFIG_MAPS, Map.of("metadata", Map.of("name", "before"))).statusCode())
          .isEqualTo(201);
      postgres.kill();

      assertThat(admin.post(CONFIG_MAPS, Map.of("metadata", Map.of("name", "away"))).statusCode())
          .isEqualTo(500);

      postgres.startAgain();
      assertEventually(
          () -> assertThat(admin.get(CONFIG_MAPS + "/away").statusCode()).isEqualTo(404));
    }
  }
}
