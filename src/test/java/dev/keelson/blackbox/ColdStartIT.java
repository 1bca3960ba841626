package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.Activator;
import dev.keelson.testing.EtcdExtension;
import dev.keelson.testing.EtcdProcess;
import io.restassured.RestAssured;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A request that comes while nothing runs. {@code ColdStartBench} measures how long it takes. */
@ExtendWith(EtcdExtension.class)
@Timeout(180)
class ColdStartIT {

  private static final String TOKEN = "0123456789abcdef";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private static RequestSpecification operator(Activator activator) {
    return RestAssured.given()
        .baseUri(activator.address().toString())
        .header("Authorization", "Bearer " + TOKEN)
        .header("Connection", "close")
        .contentType("application/json");
  }

  @Test
  void firstRequest_startsTheServerAndIsAnswered(EtcdProcess etcd, @TempDir Path directory)
      throws IOException {
    Path tokens =
        Files.writeString(directory.resolve("tokens.csv"), TOKEN + ",operator,1,system:masters\n");
    try (Activator activator =
        Activator.listen(
            directory.resolve("data"),
            List.of(
                "--etcd-servers=" + etcd.endpoint(),
                "--authorization-mode=Node,RBAC",
                "--token-auth-file=" + tokens))) {
      assertThat(activator.isActive()).isFalse();
      Map<String, Object> map = Map.of("metadata", Map.of("name", "cold"));

      assertThat(operator(activator).body(map).post(MAPS).statusCode()).isEqualTo(201);
      assertThat(activator.isActive()).isTrue();
      activator.scaleToZero();
      assertThat(activator.isActive()).isFalse();

      assertThat(operator(activator).get(MAPS + "/cold").statusCode()).isEqualTo(200);
      assertThat(activator.isActive()).isTrue();
    }
  }
}
