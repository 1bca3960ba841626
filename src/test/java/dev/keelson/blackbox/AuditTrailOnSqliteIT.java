package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditTrailOnSqliteIT extends AuditTrailSuite {

  @Override
  String trail(Path directory) {
    return "sqlite:" + directory.resolve("trail.db");
  }

  @Test
  void serverWithoutATrail_doesNotServeIt(@TempDir Path directory) {
    try (KeelsonProcess plain = KeelsonProcess.start(directory, List.of())) {
      RestClient client = RestClient.administrator(plain);

      assertThat(client.get("/apis/audit.keelson.dev/v1").statusCode()).isEqualTo(404);
      assertThat(client.get("/apis/audit.keelson.dev/v1/auditevents").statusCode()).isEqualTo(404);
      assertThat(client.get("/apis").asString()).doesNotContain("audit.keelson.dev");
      assertThat(client.get("/openapi/v3").asString()).doesNotContain("audit.keelson.dev");
    }
  }
}
