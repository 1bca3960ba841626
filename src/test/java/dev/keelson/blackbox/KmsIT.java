package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.KmsPlugin;
import dev.keelson.testing.RestClient;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Encryption with a key management service on a Unix socket, and the reload of the file. */
@Timeout(240)
class KmsIT {

  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final String DEMO = SECRETS + "/demo";
  private static final String IDENTITY = "- identity: {}";
  private static final String AES =
      "- aesgcm: {keys: [{name: one, secret: MDEyMzQ1Njc4OWFiY2RlZg==}]}";

  private final Path home;
  private final Path configuration;
  private final KmsPlugin plugin;
  private final String kms;

  KmsIT(@TempDir Path home) {
    this.home = home;
    configuration = home.resolve("encryption.yaml");
    plugin = new KmsPlugin(home.resolve("kms.sock"));
    kms = "- kms: {apiVersion: v2, name: demo, endpoint: '" + plugin.endpoint() + "'}";
  }

  private void configure(String... providers) throws IOException {
    Path next = home.resolve("next.yaml");
    Files.writeString(
        next,
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: EncryptionConfiguration
        resources:
        - resources: [secrets]
          providers:
          %s
        """
            .formatted(String.join("\n  ", providers)));
    Files.move(next, configuration, StandardCopyOption.REPLACE_EXISTING);
  }

  private KeelsonProcess start() {
    return KeelsonProcess.start(
        home,
        List.of(
            KeelsonProcess.FEW_CONTROLLERS,
            "--encryption-provider-config=" + configuration,
            "--encryption-provider-config-automatic-reload=true"));
  }

  private String stored() {
    try (RevisionedStore store =
        SqliteStore.open(
            SqliteOptions.defaults(home.resolve("keelson.db")), InstantSource.system())) {
      Entry entry =
          store.get(Bytes.utf8("/registry/secrets/default/demo"), RevisionedStore.NEWEST).entry();
      return new String(Objects.requireNonNull(entry).value().array(), StandardCharsets.ISO_8859_1);
    }
  }

  private static void create(RestClient client, String name, int code) {
    Response created =
        client.post(
            SECRETS,
            Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Secret",
                "metadata",
                Map.of("name", name),
                "stringData",
                Map.of("password", "word-" + name)));
    assertThat(created.statusCode()).as(created.asString()).isEqualTo(code);
  }

  /** Writes the object back as it was read. */
  private static void touch(RestClient client) {
    Response put = client.put(DEMO, client.get(DEMO).asString());
    assertThat(put.statusCode()).as(put.asString()).isEqualTo(200);
  }

  @Test
  void serviceThatGoesAndComes_andAFileThatChanges() throws Exception {
    plugin.start();
    configure(kms, IDENTITY);
    try (KeelsonProcess server = start()) {
      RestClient client = RestClient.administrator(server);
      create(client, "demo", 201);
      assertThat(client.get("/readyz?verbose").asString()).contains("[+]kms-providers ok");
      assertThat(client.get("/healthz/kms-providers").statusCode()).isEqualTo(200);
      assertThat(client.get("/livez/kms-providers").statusCode()).isEqualTo(404);
      assertThat(client.get("/livez?verbose").asString())
          .doesNotContain("kms-providers")
          .contains("[+]poststarthook/start-encryption-provider-config-automatic-reload ok");

      plugin.stop();
      assertThat(client.get(DEMO).statusCode()).isEqualTo(200);
      create(client, "away", 201);
      server.stop();
    }
    assertThat(stored()).startsWith("k8s:enc:kms:v2:demo:").doesNotContain("word-demo");

    try (KeelsonProcess server = start()) {
      RestClient client = RestClient.administrator(server);
      assertAway(client.get(DEMO));
      create(client, "other", 500);
      assertThat(client.get("/readyz/kms-providers").statusCode()).isEqualTo(500);
      assertThat(client.get("/api/v1/namespaces/default/configmaps").statusCode()).isEqualTo(200);

      plugin.start();
      assertEventually(
          () -> assertThat(client.get("/readyz/kms-providers").statusCode()).isEqualTo(200));
      assertThat(client.get(DEMO).statusCode()).isEqualTo(200);
      assertThat(plugin.calls("Decrypt")).isPositive();

      configure(AES, kms);
      assertReloads(client, "success");
      touch(client);
      configure("- aesgcm: {}");
      assertReloads(client, "failure");
      assertThat(client.get(DEMO).statusCode()).isEqualTo(200);
      assertMetrics(client);
      server.stop();
    }
    assertThat(stored()).startsWith("k8s:enc:aesgcm:v1:one:");
  }

  /** As Kubernetes' TestAllowUnsafeMalformedObjectDeletionFeature without the feature. */
  @Test
  void keyThatAReloadDrops_failsReadsOfItsObjects_thoughTheyAreInMemory() throws Exception {
    configure(AES);
    try (KeelsonProcess server = start()) {
      RestClient client = RestClient.administrator(server);
      create(client, "demo", 201);
      assertThat(client.get(DEMO).statusCode()).isEqualTo(200);
      assertThat(client.get(SECRETS).statusCode()).isEqualTo(200);

      configure("- aescbc: {keys: [{name: two, secret: MDEyMzQ1Njc4OWFiY2RlZg==}]}");
      assertReloads(client, "success");

      assertInternalError(client.get(DEMO), "no matching prefix found");
      assertInternalError(
          client.get(SECRETS),
          "unable to transform key \"/registry/secrets/default/demo\": no matching prefix found");
      assertInternalError(client.delete(DEMO), "no matching prefix found");
      create(client, "other", 201);
      assertThat(client.get(SECRETS + "/other").statusCode()).isEqualTo(200);
      assertThat(client.delete(SECRETS + "/other").statusCode()).isEqualTo(200);

      configure(AES);
      assertEventually(() -> assertThat(client.get(DEMO).statusCode()).isEqualTo(200));
      assertThat(client.get(SECRETS).statusCode()).isEqualTo(200);
      server.stop();
    }
  }

  private static void assertInternalError(Response answer, String message) {
    assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(500);
    assertThat(answer.jsonPath().getString("message"))
        .isEqualTo("Internal error occurred: " + message);
  }

  private static void assertAway(Response answer) {
    assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(500);
    assertThat(answer.jsonPath().getString("message"))
        .isEqualTo("Internal error occurred: got unexpected nil transformer");
  }

  private static void assertReloads(RestClient client, String status) {
    assertEventually(
        () ->
            assertThat(client.get("/metrics").asString())
                .containsPattern(
                    "apiserver_encryption_config_controller_automatic_reloads_total\\{"
                        + "apiserver_id_hash=\"sha256:[0-9a-f]{64}\",status=\""
                        + status
                        + "\"} 1"));
  }

  private static void assertMetrics(RestClient client) {
    assertThat(client.get("/metrics").asString())
        .contains(
            "apiserver_storage_transformation_operations_total{status=\"OK\",transformation_type"
                + "=\"to_storage\",transformer_prefix=\"k8s:enc:aesgcm:v1:\"}",
            "apiserver_storage_transformation_duration_seconds_bucket{",
            "apiserver_storage_envelope_transformation_cache_misses_total",
            "apiserver_storage_data_key_generation_duration_seconds_count",
            "apiserver_envelope_encryption_kms_operations_latency_seconds_count{grpc_status_code"
                + "=\"OK\",method_name=\"/v2.KeyManagementService/Status\",provider_name=\"demo\"}",
            "apiserver_envelope_encryption_key_id_hash_total{",
            "apiserver_envelope_encryption_dek_source_cache_size{provider_name=\"demo\"} ",
            "apiserver_envelope_encryption_key_id_hash_last_timestamp_seconds{",
            "apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds{",
            "apiserver_encryption_config_controller_automatic_reload_last_timestamp_seconds{",
            "apiserver_encryption_config_controller_last_config_info{");
  }
}
