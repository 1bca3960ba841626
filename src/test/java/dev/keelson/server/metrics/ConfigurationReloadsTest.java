package dev.keelson.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.health.Metrics;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.storage.encryption.kms.KeyIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigurationReloadsTest {

  private static final String PREFIX = "apiserver_authorization_config_controller_";
  private static final String SERVER = "apiserver_id_hash=\"" + KeyIds.hash("apiserver-x") + "\"";

  @TempDir private Path directory;

  private final Metrics metrics = new Metrics();
  private final FileReloader files = new FileReloader();

  private List<String> shown() {
    return metrics
        .answer()
        .body()
        .lines()
        .filter(line -> line.startsWith("apiserver_auth"))
        .toList();
  }

  private static String info(String content) {
    return PREFIX + "last_config_info{" + SERVER + ",hash=\"" + KeyIds.hash(content) + "\"} 1";
  }

  @Test
  void changedConfiguration_isCounted_andTheOneInEffectIsTold() throws IOException {
    Path file = Files.writeString(directory.resolve("f"), "1");
    FileReloader.Current<Integer> unused =
        files.follow(
            "--authorization-config", List.of(file), texts -> Integer.valueOf(texts.getFirst()));
    ConfigurationReloads reloads =
        new ConfigurationReloads(
            files, metrics, () -> Instant.ofEpochSecond(1000), () -> "apiserver-x");
    files.counting(reloads::reloaded);
    assertThat(shown())
        .containsExactly(
            PREFIX
                + "automatic_reload_last_timestamp_seconds{"
                + SERVER
                + ",status=\"success\"} 1000",
            PREFIX + "automatic_reloads_total{" + SERVER + ",status=\"success\"} 1",
            info("1"));

    Files.writeString(file, "2");
    files.look();
    Files.writeString(file, "no");
    files.look();
    reloads.reloaded("--token-auth-file", "success");

    assertThat(shown())
        .containsExactly(
            PREFIX
                + "automatic_reload_last_timestamp_seconds{"
                + SERVER
                + ",status=\"failure\"} 1000",
            PREFIX
                + "automatic_reload_last_timestamp_seconds{"
                + SERVER
                + ",status=\"success\"} 1000",
            PREFIX + "automatic_reloads_total{" + SERVER + ",status=\"failure\"} 1",
            PREFIX + "automatic_reloads_total{" + SERVER + ",status=\"success\"} 2",
            info("2"));
  }

  @Test
  void authentication_isNotCountedAtTheStart() throws IOException {
    Path file = Files.writeString(directory.resolve("f"), "1");
    FileReloader.Current<String> unused =
        files.follow("--authentication-config", List.of(file), List::getFirst);
    ConfigurationReloads reloads =
        new ConfigurationReloads(
            files, metrics, () -> Instant.ofEpochSecond(1000), () -> "apiserver-x");
    files.counting(reloads::reloaded);

    assertThat(shown()).containsExactly(info("1").replace("authorization", "authentication"));
  }
}
