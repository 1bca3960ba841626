package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.PostgresProcess;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.SmallDisk;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Servers whose audit is on a disk that gets full in the middle of an event, and has room again
 * later. Writes of ConfigMaps are recorded with their bodies, and nothing else is.
 */
@Timeout(300)
class AuditOnFullDiskIT {

  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String EVENTS =
      "/apis/audit.keelson.dev/v1/auditevents?fieldSelector=resource=configmaps";

  private static final String POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      rules:
      - level: Request
        verbs: [create]
        resources: [{group: "", resources: [configmaps]}]
      - level: None
      """;

  /** So many writes before, on and after the full disk. */
  private static final int WRITES = 12;

  @TempDir Path directory;

  private Path mounted;
  private Path policy;

  @BeforeEach
  void prepare() throws IOException {
    mounted = Files.createDirectory(directory.resolve("disk"));
    policy = Files.writeString(directory.resolve("policy.yaml"), POLICY);
  }

  private KeelsonProcess start(SmallDisk disk, String... flags) {
    List<String> all = new ArrayList<>(List.of(flags));
    all.add("--audit-policy-file=" + policy);
    return KeelsonProcess.startWith(disk.launcher(), directory.resolve("data"), all);
  }

  /** Writes of many sizes, so that the disk ends anywhere in an event. */
  private static List<Integer> write(RestClient client, String prefix) {
    List<Integer> codes = new ArrayList<>();
    for (int i = 0; i < WRITES; i++) {
      String value = "x".repeat(1 + i * 1237 % 6000);
      Response answer =
          client.post(
              CONFIG_MAPS,
              Map.of("metadata", Map.of("name", prefix + i), "data", Map.of("k", value)));
      if (answer.statusCode() == 500) {
        assertThat(answer.<String>path("kind")).isEqualTo("Status");
        assertThat(answer.<String>path("message"))
            .isEqualTo("Internal error occurred: failed to store audit event");
      }
      codes.add(answer.statusCode());
    }
    return codes;
  }

  private static int counted(RestClient client, String metric) {
    Matcher line =
        Pattern.compile("(?m)^" + Pattern.quote(metric) + " ([0-9.e+]+)$")
            .matcher(client.get("/metrics").asString());
    return line.find() ? (int) Double.parseDouble(line.group(1)) : 0;
  }

  private static int events(RestClient client) {
    return counted(client, "apiserver_audit_event_total");
  }

  private static int lost(RestClient client, String plugin) {
    return counted(client, "apiserver_audit_error_total{plugin=\"" + plugin + "\"}");
  }

  /** The lines of the log, each of which is a whole event. */
  private static List<String> lines(Path log) {
    try {
      String text = Files.readString(log);
      assertThat(text).endsWith("\n");
      List<String> lines = text.lines().toList();
      assertThat(lines)
          .allSatisfy(
              line ->
                  assertThat(
                          JsonParser.parseString(line).getAsJsonObject().get("kind").getAsString())
                      .isEqualTo("Event"));
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"batch", "blocking", "blocking-strict"})
  void log_hasWholeLinesOnly_andMissesWhatIsCounted(String mode) {
    try (SmallDisk disk = SmallDisk.mount(mounted, 256);
        KeelsonProcess server =
            start(
                disk,
                "--audit-log-path=" + mounted.resolve("audit.log"),
                "--audit-log-mode=" + mode,
                "--audit-log-batch-max-size=3",
                "--audit-log-batch-max-wait=10ms")) {
      RestClient client = RestClient.administrator(server);
      Path log = disk.path().resolve("audit.log");
      assertThat(write(client, "before-")).containsOnly(201);
      assertEventually(() -> assertThat(lines(log)).hasSize(2 * WRITES));

      disk.fill();
      List<Integer> codes = write(client, "full-");
      if (mode.equals("blocking-strict")) {
        assertThat(codes).contains(500);
        assertThat(counted(client, "apiserver_audit_requests_rejected_total"))
            .isEqualTo(codes.stream().filter(code -> code == 500).count());
      } else {
        assertThat(codes).containsOnly(201);
      }
      assertEventually(() -> assertThat(lines(log)).hasSize(events(client) - lost(client, "log")));
      assertThat(lost(client, "log")).isPositive();
      // nothing else stops
      assertThat(client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
      assertThat(client.get("/readyz").statusCode()).isEqualTo(200);

      disk.free();
      int missing = lost(client, "log");
      assertThat(write(client, "after-")).containsOnly(201);
      assertEventually(() -> assertThat(lines(log)).hasSize(events(client) - missing));
      assertThat(lost(client, "log")).isEqualTo(missing);
      assertThat(lines(log).getLast()).contains("\"name\":\"after-" + (WRITES - 1) + "\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"batch", "blocking"})
  void spool_keepsWhatIsWhole_andMissesWhatIsCounted(String mode) throws IOException {
    Assumptions.assumeTrue(PostgresProcess.isInstalled(), "PostgreSQL is not installed");
    mounted = Files.createDirectories(directory.resolve("data/audit-spool"));
    try (PostgresProcess postgres = PostgresProcess.start();
        SmallDisk disk = SmallDisk.mount(mounted, 256);
        KeelsonProcess server =
            start(disk, "--audit-trail=" + postgres.url(), "--audit-trail-mode=" + mode)) {
      RestClient client = RestClient.administrator(server);
      assertThat(write(client, "before-")).containsOnly(201);
      assertEventually(() -> assertThat(trail(client)).hasSize(2 * WRITES));
      postgres.kill();
      assertThat(write(client, "waiting-")).containsOnly(201);
      assertEventually(() -> assertThat(spooled(disk)).contains("waiting-" + (WRITES - 1)));

      disk.fill();
      assertThat(write(client, "full-")).containsOnly(201);
      assertEventually(() -> assertThat(lost(client, "trail")).isPositive());
      disk.free();
      assertThat(write(client, "after-")).containsOnly(201);
      postgres.startAgain();

      assertEventually(
          () -> assertThat(trail(client)).hasSize(events(client) - lost(client, "trail")));
      assertThat(trail(client)).doesNotHaveDuplicates();
      for (int i = 0; i < WRITES; i++) {
        assertThat(trail(client)).contains("waiting-" + i, "after-" + i);
      }
    }
  }

  private static String spooled(SmallDisk disk) {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.list(disk.path())) {
      for (Path file : files.toList()) {
        all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all.toString();
  }

  /** Each event of the trail: the object where it is recorded, and else the name of the event. */
  private static List<String> trail(RestClient client) {
    Response list = client.get(EVENTS);
    assertThat(list.statusCode()).as(list.asString()).isEqualTo(200);
    List<Map<String, Object>> items = list.path("items");
    return items.stream()
        .map(item -> item.get("requestObject") instanceof Map<?, ?> object ? object : item)
        .map(item -> item.get("metadata") instanceof Map<?, ?> metadata ? metadata : item)
        .map(metadata -> String.valueOf(metadata.get("name")))
        .toList();
  }

  @Test
  void sqliteTrail_onAFullDisk_getsEveryEventLater() throws Exception {
    Path copy = Files.createDirectory(directory.resolve("copy"));
    try (SmallDisk disk = SmallDisk.mount(mounted, 16 * 1024);
        KeelsonProcess server =
            start(
                disk,
                "--audit-trail=sqlite:" + mounted.resolve("trail.db"),
                "--audit-trail-mode=blocking")) {
      RestClient client = RestClient.administrator(server);
      assertThat(write(client, "before-")).containsOnly(201);
      assertEventually(() -> assertThat(trail(client)).hasSize(2 * WRITES));

      disk.fill();
      assertThat(write(client, "full-")).containsOnly(201);
      // what is there can be searched
      assertThat(trail(client)).hasSizeGreaterThanOrEqualTo(2 * WRITES);
      assertEventually(() -> assertThat(server.log()).contains("event=audit-trail-unavailable"));
      disk.free();
      assertThat(write(client, "after-")).containsOnly(201);

      assertEventually(() -> assertThat(trail(client)).hasSize(3 * 2 * WRITES));
      assertThat(trail(client)).doesNotHaveDuplicates();
      assertThat(lost(client, "trail")).isZero();
      int unused = server.stop();
      assertIntact(disk, copy);
    }
  }

  @Test
  void sqliteTrail_onAFullDisk_inModeBlockingStrict_failsRequests() throws Exception {
    Path copy = Files.createDirectory(directory.resolve("copy"));
    try (SmallDisk disk = SmallDisk.mount(mounted, 16 * 1024);
        KeelsonProcess server =
            start(
                disk,
                "--audit-trail=sqlite:" + mounted.resolve("trail.db"),
                "--audit-trail-mode=blocking-strict")) {
      RestClient client = RestClient.administrator(server);
      assertThat(write(client, "before-")).containsOnly(201);

      disk.fill();
      assertThat(write(client, "full-")).contains(500);
      assertThat(client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
      disk.free();
      assertThat(write(client, "after-")).containsOnly(201);

      assertThat(trail(client)).hasSize(events(client) - lost(client, "trail"));
      server.kill();
      assertIntact(disk, copy);
    }
  }

  /** SQLite does not find a file by the path of another namespace, so a copy is looked at. */
  private static void assertIntact(SmallDisk disk, Path copy) throws IOException, SQLException {
    for (String name : List.of("trail.db", "trail.db-wal")) {
      Path file = disk.path().resolve(name);
      if (Files.exists(file)) {
        Path unused = Files.copy(file, copy.resolve(name));
      }
    }
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + copy.resolve("trail.db"));
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("PRAGMA integrity_check")) {
      assertThat(result.next()).isTrue();
      assertThat(result.getString(1)).isEqualTo("ok");
    }
  }
}
