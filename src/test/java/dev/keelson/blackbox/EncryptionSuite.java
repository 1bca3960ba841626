package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Encryption at rest with local keys: what lies in the store, and how keys are rotated from start
 * to start.
 */
@Timeout(180)
abstract class EncryptionSuite {

  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final String MIGRATIONS =
      "/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations";
  private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String OPEN =
      "'schema':{'openAPIV3Schema':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String WORD = "correct-horse-battery-staple";
  private static final String BASE64 =
      Base64.getEncoder().encodeToString(WORD.getBytes(StandardCharsets.UTF_8));

  private final Path home;

  /** The prefix of the keys: the tests share an etcd, and have keys of their own. */
  private final String prefix;

  private final List<String> flags;
  private final Path configuration;

  EncryptionSuite(Path home, List<String> flags) {
    this.home = home;
    this.prefix = "/encryption/" + home.getFileName();
    this.configuration = home.resolve("encryption.yaml");
    List<String> all = new ArrayList<>(flags);
    all.add("--etcd-prefix=" + prefix);
    all.add(KeelsonProcess.FEW_CONTROLLERS);
    all.add("--encryption-provider-config=" + configuration);
    this.flags = List.copyOf(all);
  }

  /** The store without encryption. */
  abstract RevisionedStore store();

  private static String key(String provider, String name, int fill) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) fill);
    return "- %s: {keys: [{name: %s, secret: %s}]}"
        .formatted(provider, name, Base64.getEncoder().encodeToString(key));
  }

  private KeelsonProcess start(String... providers) throws IOException {
    return start(List.of(), providers);
  }

  private KeelsonProcess start(List<String> more, String... providers) throws IOException {
    return startFor("[secrets, widgets.example.com]", more, providers);
  }

  private KeelsonProcess startFor(String resources, List<String> more, String... providers)
      throws IOException {
    Files.writeString(
        configuration,
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: EncryptionConfiguration
        resources:
        - resources: %s
          providers:
          %s
        """
            .formatted(resources, String.join("\n  ", providers)));
    return KeelsonProcess.start(home, Stream.of(flags, more).flatMap(List::stream).toList());
  }

  private String stored(String key) {
    try (RevisionedStore store = store()) {
      Entry entry = store.get(Bytes.utf8(prefix + key), RevisionedStore.NEWEST).entry();
      return new String(
          Objects.requireNonNull(entry, key).value().array(), StandardCharsets.ISO_8859_1);
    }
  }

  private String storedSecret() {
    return stored("/secrets/default/demo");
  }

  private static Map<String, Object> secret() {
    return Map.of(
        "apiVersion",
        "v1",
        "kind",
        "Secret",
        "metadata",
        Map.of("name", "demo"),
        "stringData",
        Map.of("password", WORD));
  }

  private static Response created(RestClient client, String path, Object object) {
    Response created = client.post(path, object);
    assertThat(created.statusCode()).as(created.asString()).isEqualTo(201);
    return created;
  }

  /** Writes the object back as it was read; returns whether its revision changed. */
  private static boolean touched(RestClient client, String path) {
    Response read = client.get(path);
    assertThat(read.statusCode()).as(read.asString()).isEqualTo(200);
    Response put = client.request().contentType("application/json").body(read.asString()).put(path);
    assertThat(put.statusCode()).as(put.asString()).isEqualTo(200);
    return !put.jsonPath()
        .getString("metadata.resourceVersion")
        .equals(read.jsonPath().getString("metadata.resourceVersion"));
  }

  private static void assertServed(RestClient client) {
    Response read = client.get(SECRETS + "/demo");
    assertThat(read.statusCode()).as(read.asString()).isEqualTo(200);
    assertThat(read.jsonPath().getString("data.password")).isEqualTo(BASE64);
    Response list = client.get(SECRETS);
    assertThat(list.statusCode()).as(list.asString()).isEqualTo(200);
    assertThat(list.jsonPath().getList("items.data.password")).contains(BASE64);
  }

  @Test
  void secrets_areNowhereOnDisk_andKeysRotateFromStartToStart() throws IOException {
    try (KeelsonProcess server = start(key("aesgcm", "one", 1), "- identity: {}")) {
      RestClient client = RestClient.administrator(server);
      created(client, SECRETS, secret());
      created(
          client,
          CONFIG_MAPS,
          Map.of(
              "apiVersion",
              "v1",
              "kind",
              "ConfigMap",
              "metadata",
              Map.of("name", "open"),
              "data",
              Map.of("key", "open-value")));
      assertServed(client);
      assertThat(touched(client, SECRETS + "/demo")).isFalse();
      // the log that SQLite has not yet moved into its file must not hold it either
      assertNowhere(home);
      server.kill();
    }
    assertNowhere(home);
    assertThat(storedSecret()).startsWith("k8s:enc:aesgcm:v1:one:").doesNotContain(WORD, BASE64);
    assertThat(stored("/configmaps/default/open")).startsWith("{").contains("open-value");

    try (KeelsonProcess server =
        start(key("secretbox", "two", 2), key("aesgcm", "one", 1), "- identity: {}")) {
      RestClient client = RestClient.administrator(server);
      assertServed(client);
      assertThat(touched(client, SECRETS + "/demo")).isTrue();
      assertThat(touched(client, SECRETS + "/demo")).isFalse();
      assertThat(touched(client, CONFIG_MAPS + "/open")).isFalse();
      server.stop();
    }
    assertThat(storedSecret()).startsWith("k8s:enc:secretbox:v1:two:");

    try (KeelsonProcess server = start("- identity: {}", key("secretbox", "two", 2))) {
      RestClient client = RestClient.administrator(server);
      assertServed(client);
      assertThat(touched(client, SECRETS + "/demo")).isTrue();
      server.stop();
    }
    assertThat(storedSecret()).startsWith("{").contains(BASE64);
  }

  @Test
  void customResources_areEncrypted_byNameByGroupAndByWildcard() throws IOException {
    String stored = "/example.com/widgets/default/demo";
    String definition = "/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com";
    try (KeelsonProcess server = start(key("aesgcm", "one", 1), "- identity: {}")) {
      RestClient client = RestClient.administrator(server);
      created(client, DEFINITIONS, CustomTypes.widgets(OPEN).replace('\'', '"'));
      assertEventually(() -> assertThat(client.get(WIDGETS).statusCode()).isEqualTo(200));
      created(client, WIDGETS, widget());
      assertWidgetServed(client);
      assertNowhere(home);
      server.kill();
    }
    assertNowhere(home);
    assertThat(stored(stored)).startsWith("k8s:enc:aesgcm:v1:one:").doesNotContain(WORD);
    assertThat(stored(definition)).startsWith("{");

    try (KeelsonProcess server =
        startFor(
            "['*.example.com']",
            List.of(),
            key("secretbox", "two", 2),
            key("aesgcm", "one", 1),
            "- identity: {}")) {
      RestClient client = RestClient.administrator(server);
      assertWidgetServed(client);
      assertThat(touched(client, WIDGETS + "/demo")).isTrue();
      assertThat(touched(client, WIDGETS + "/demo")).isFalse();
      assertThat(touched(client, DEFINITIONS + "/widgets.example.com")).isFalse();
      server.stop();
    }
    assertThat(stored(stored)).startsWith("k8s:enc:secretbox:v1:two:").doesNotContain(WORD);

    try (KeelsonProcess server =
        startFor(
            "['*.*']",
            List.of(),
            key("aescbc", "three", 3),
            key("secretbox", "two", 2),
            "- identity: {}")) {
      RestClient client = RestClient.administrator(server);
      assertWidgetServed(client);
      assertThat(touched(client, WIDGETS + "/demo")).isTrue();
      assertThat(touched(client, DEFINITIONS + "/widgets.example.com")).isTrue();
      assertWidgetServed(client);
      server.stop();
    }
    assertThat(stored(stored)).startsWith("k8s:enc:aescbc:v1:three:").doesNotContain(WORD);
    assertThat(stored(definition)).startsWith("k8s:enc:aescbc:v1:three:");
  }

  private static Map<String, Object> widget() {
    return Map.of(
        "apiVersion",
        "example.com/v1",
        "kind",
        "Widget",
        "metadata",
        Map.of("name", "demo"),
        "spec",
        Map.of("password", WORD));
  }

  private static void assertWidgetServed(RestClient client) {
    Response read = client.get(WIDGETS + "/demo");
    assertThat(read.statusCode()).as(read.asString()).isEqualTo(200);
    assertThat(read.<String>path("spec.password")).isEqualTo(WORD);
    assertThat(client.get(WIDGETS).<List<String>>path("items.spec.password")).containsExactly(WORD);
  }

  @Test
  void lostKey_failsReadsOfItsObjects_andNothingElse() throws IOException {
    try (KeelsonProcess server = start(key("aescbc", "lost", 3))) {
      created(RestClient.administrator(server), SECRETS, secret());
      server.stop();
    }
    assertThat(storedSecret()).startsWith("k8s:enc:aescbc:v1:lost:");

    try (KeelsonProcess server = start(key("aesgcm", "new", 4), "- identity: {}")) {
      RestClient client = RestClient.administrator(server);
      Response one = client.get(SECRETS + "/demo");
      assertInternalError(one, "no matching prefix found");
      Response list = client.get(SECRETS);
      assertInternalError(
          list,
          "unable to transform key \""
              + prefix
              + "/secrets/default/demo\": no matching prefix found");
      Response patch =
          client
              .request()
              .contentType("application/merge-patch+json")
              .body("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
              .patch(SECRETS + "/demo");
      assertInternalError(patch, "no matching prefix found");
      assertThat(client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);

      Map<String, Object> other =
          Map.of(
              "apiVersion",
              "v1",
              "kind",
              "Secret",
              "metadata",
              Map.of("name", "other"),
              "stringData",
              Map.of("password", WORD));
      created(client, SECRETS, other);
      Response read = client.get(SECRETS + "/other");
      assertThat(read.statusCode()).as(read.asString()).isEqualTo(200);
      assertThat(read.jsonPath().getString("data.password")).isEqualTo(BASE64);
      server.stop();
    }
    assertThat(stored("/secrets/default/other")).startsWith("k8s:enc:aesgcm:v1:new:");
  }

  @Test
  void migrations_moveOldObjectsToTheNewKey_andToTheNewMediaType() throws IOException {
    Map<String, Object> map = new LinkedHashMap<>(Map.of("apiVersion", "v1", "kind", "ConfigMap"));
    map.put("metadata", Map.of("name", "moved"));
    map.put("data", Map.of("key", "value"));
    Map<String, Object> secret = new LinkedHashMap<>(secret());
    secret.put("metadata", Map.of("name", "moved"));
    try (KeelsonProcess server = start(key("aesgcm", "one", 1))) {
      RestClient client = RestClient.administrator(server);
      created(client, SECRETS, secret);
      created(client, CONFIG_MAPS, map);
      server.stop();
    }
    assertThat(stored("/secrets/default/moved")).startsWith("k8s:enc:aesgcm:v1:one:");

    try (KeelsonProcess server =
        start(
            List.of(
                "--feature-gates=StorageVersionMigrator=true",
                "--runtime-config=storagemigration.k8s.io/v1beta1=true",
                "--controllers=storage-version-migrator-controller",
                "--authorization-mode=RBAC",
                "--storage-media-type=application/vnd.kubernetes.protobuf"),
            key("secretbox", "two", 2),
            key("aesgcm", "one", 1))) {
      RestClient client = RestClient.administrator(server);
      String before = revision(client, SECRETS + "/moved");
      migrated(client, "secrets");
      migrated(client, "configmaps");
      assertThat(revision(client, SECRETS + "/moved")).isNotEqualTo(before);
      assertThat(client.get(SECRETS + "/moved").jsonPath().getString("data.password"))
          .isEqualTo(BASE64);
      assertThat(client.get(SECRETS + "/moved").jsonPath().getList("metadata.managedFields"))
          .hasSize(1);
      server.stop();
    }
    assertThat(stored("/secrets/default/moved")).startsWith("k8s:enc:secretbox:v1:two:");
    assertThat(stored("/configmaps/default/moved")).startsWith("k8s\u0000");
  }

  private static String revision(RestClient client, String path) {
    return client.get(path).jsonPath().getString("metadata.resourceVersion");
  }

  private static void migrated(RestClient client, String resource) {
    created(
        client,
        MIGRATIONS,
        Map.of(
            "apiVersion",
            "storagemigration.k8s.io/v1beta1",
            "kind",
            "StorageVersionMigration",
            "metadata",
            Map.of("name", resource),
            "spec",
            Map.of("resource", Map.of("group", "", "resource", resource))));
    assertEventually(
        () ->
            assertThat(
                    client
                        .get(MIGRATIONS + "/" + resource)
                        .jsonPath()
                        .<Map<String, String>>getList("status.conditions"))
                .extracting(each -> each.get("type") + each.get("status") + each.get("reason"))
                .containsExactly(
                    "RunningFalseStorageVersionMigrationInProgress",
                    "SucceededTrueStorageVersionMigrationSucceeded"));
  }

  private static void assertInternalError(Response answer, String cause) {
    assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(500);
    assertThat(answer.jsonPath().getString("reason")).isEqualTo("InternalError");
    assertThat(answer.jsonPath().getString("message"))
        .isEqualTo("Internal error occurred: " + cause);
    assertThat(answer.jsonPath().getString("details.causes[0].message")).isEqualTo(cause);
  }

  /** No file below {@code directory} has the word, as it is or in base64. */
  private static void assertNowhere(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertThat(content.contains(WORD) || content.contains(BASE64)).as("%s", file).isFalse();
      }
    }
  }
}
