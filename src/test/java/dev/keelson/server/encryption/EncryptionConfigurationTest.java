package dev.keelson.server.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.GroupResource;
import dev.keelson.config.option.EncryptionOptions;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.encryption.ResourceTransformers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file, its causes in kube-apiserver's words, and the transformers that come of it. */
class EncryptionConfigurationTest {

  private static final String HEAD =
      "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n";
  private static final String KEY = "MDEyMzQ1Njc4OWFiY2RlZg==";
  private static final Bytes PATH = Bytes.utf8("/registry/secrets/default/demo");

  private static EncryptionConfiguration parse(String yaml) {
    return ConfigurationReader.read(yaml.getBytes(StandardCharsets.UTF_8));
  }

  private static String rule(String resources, String provider) {
    return HEAD
        + "resources:\n- resources: ["
        + resources
        + "]\n  providers:\n  - "
        + provider
        + "\n";
  }

  private static void assertInvalid(String yaml, String message) {
    assertThatThrownBy(() -> ConfigurationValidation.check(parse(yaml), false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Secrets | resources[0].resources[0]: Invalid value: \"Secrets\": resource name should not"
            + " contain capital letters",
        "'*' | resources[0].resources[0]: Invalid value: \"*\": use '*.' to encrypt all the"
            + " resources from core API group or *.* to encrypt all resources",
        "serviceipallocations | resources[0].resources[0]: Invalid value:"
            + " \"serviceipallocations\": resources which do not have REST API/s cannot be"
            + " encrypted",
        "events.events.k8s.io | resources[0].resources[0]: Invalid value:"
            + " \"events.events.k8s.io\": '*.events.k8s.io' objects are stored using the 'events'"
            + " API group in etcd. Use 'events' instead in the config file",
        "ingresses.extensions | resources[0].resources[0]: Invalid value:"
            + " \"ingresses.extensions\": 'extensions' group has been removed and cannot be used"
            + " for encryption",
        "secrets.* | resources[0].resources[0]: Invalid value: \"secrets.*\": encrypting the same"
            + " resource across groups is not supported",
        "secrets, secrets | resources[0].resources: Invalid value: [\"secrets\",\"secrets\"]: the"
            + " same resource cannot be specified multiple times",
        "secrets, '*.' | resources[0].resources: Invalid value: [\"secrets\",\"*.\"]: using"
            + " overlapping resources such as 'secrets' and '*.' in the same resource list is not"
            + " allowed as they will be masked",
        "deployments.apps, '*.*' | resources[0].resources: Invalid value:"
            + " [\"deployments.apps\",\"*.*\"]: using overlapping resources such as 'secrets' and"
            + " '*.' in the same resource list is not allowed as they will be masked",
      },
      quoteCharacter = '\0')
  void resourceNames_areChecked(String resources, String message) {
    assertInvalid(rule(resources, "identity: {}"), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "aesgcm: {keys: []} | aesgcm.keys: Required value: at least one keys is required",
        "aescbc: {keys: [{secret: MDEyMzQ1Njc4OWFiY2RlZg==}]} | aescbc.keys[0].name: Required"
            + " value: name is a mandatory field for a key",
        "aescbc: {keys: [{name: a}]} | aescbc.keys[0].secret: Required value: secret is a"
            + " mandatory field for a key",
        "aesgcm: {keys: [{name: a, secret: '?'}]} | aesgcm.keys[0].secret: Invalid value:"
            + " \"REDACTED\": secrets must be base64 encoded",
        "aesgcm: {keys: [{name: a, secret: MDE=}]} | aesgcm.keys[0].secret: Invalid value:"
            + " \"REDACTED\": secret is not of the expected length, got 2, expected one of [16 24"
            + " 32]",
        "secretbox: {keys: [{name: a, secret: MDEyMzQ1Njc4OWFiY2RlZg==}]} |"
            + " secretbox.keys[0].secret: Invalid value: \"REDACTED\": secret is not of the"
            + " expected length, got 16, expected one of [32]",
        "kms: {apiVersion: v2, endpoint: 'unix:///x'} | kms.name: Required value: name is a"
            + " mandatory field for a provider",
        "kms: {apiVersion: v2, name: 'a:b', endpoint: 'unix:///x'} | kms.name: Invalid value:"
            + " \"a:b\": invalid KMS provider name a:b, must not contain ':'",
        "kms: {apiVersion: v2, name: a} | kms.endpoint: Invalid value: \"\": endpoint is a"
            + " mandatory field for a kms",
        "kms: {apiVersion: v2, name: a, endpoint: 'tcp://x'} | kms.endpoint: Invalid value:"
            + " \"tcp://x\": unsupported scheme \"tcp\" for KMS provider, only unix is supported",
        "kms: {apiVersion: v2, name: a, endpoint: 'unix:///x', timeout: 0s} | kms.timeout: Invalid"
            + " value: \"0s\": timeout should be a positive value",
        "kms: {apiVersion: v2, name: a, endpoint: 'unix:///x', cachesize: 5} | kms.cachesize:"
            + " Invalid value: 5: cachesize is not supported in v2",
        "kms: {name: a, endpoint: 'unix:///x', cachesize: 0} | kms.cachesize: Invalid value: 0:"
            + " cachesize should be a positive value, or negative to disable",
        "kms: {apiVersion: v3, name: a, endpoint: 'unix:///x'} | kms.apiVersion: Invalid value:"
            + " \"v3\": unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are"
            + " supported",
      },
      quoteCharacter = '\0')
  void providers_areChecked(String provider, String message) {
    assertInvalid(rule("secrets", provider), "resources[0].providers[0]." + message);
  }

  @Test
  void missingParts_areRequired() {
    assertInvalid(HEAD, "resources: Required value: at least one resources is required");
    assertInvalid(
        HEAD + "resources:\n- resources: []\n",
        "[resources[0].resources: Required value: at least one resources[0].resources is required,"
            + " resources[0].providers: Required value: at least one resources[0].providers is"
            + " required]");
    assertInvalid(
        rule("secrets", "identity:"),
        "resources[0].providers[0]: Invalid value: {}: provider does not contain any of the"
            + " expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity");
  }

  @Test
  void twoProvidersInOneElement_areRejected_withoutTheirKeys() {
    String yaml =
        rule("secrets", "{identity: {}, aesgcm: {keys: [{name: a, secret: " + KEY + "}]}}");

    assertInvalid(
        yaml,
        "resources[0].providers[0]: Invalid value: {...}: more than one provider specified in a"
            + " single element, should split into different list elements");
  }

  @Test
  void kmsNames_areUnique() {
    String two =
        rule("secrets", "kms: {apiVersion: v2, name: a, endpoint: 'unix:///x'}")
            + "  - kms: {apiVersion: v2, name: a, endpoint: 'unix:///y'}\n";

    assertInvalid(
        two,
        "resources[0].providers[1].kms.name: Invalid value: \"a\": duplicate KMS provider name a,"
            + " names must be unique");
  }

  @Test
  void unknownFields_andKinds_areRejected() {
    assertThatThrownBy(() -> parse(rule("secrets", "aesgcm: {keyz: []}") + "  extra: 1\nmore: 2\n"))
        .hasMessage(
            "strict decoding error: unknown field \"more\", unknown field"
                + " \"resources[0].extra\", unknown field"
                + " \"resources[0].providers[0].aesgcm.keyz\"");
    assertThatThrownBy(() -> parse("apiVersion: v1\nkind: Secret\n"))
        .hasMessageStartingWith("no kind \"Secret\" is registered for version \"v1\"");
    assertThatThrownBy(() -> parse("kind: EncryptionConfiguration\n"))
        .hasMessage("Object 'apiVersion' is missing");
    assertThat(parse("apiVersion: v1\nkind: EncryptionConfig\n").resources()).isEmpty();
  }

  private static ResourceTransformers transformers(String yaml) {
    EncryptionConfiguration configuration = parse(yaml);
    ConfigurationValidation.check(configuration, false);
    return ConfiguredTransformers.of(configuration, InstantSource.system(), new LateListener())
        .transformers();
  }

  private static String written(ResourceTransformers transformers, String resource) {
    return transformers.of(ResourceNames.parse(resource)).toStorage(Bytes.utf8("{}"), PATH).utf8();
  }

  @Test
  void rules_applyInOrder_andTheRestIsPlain() {
    ResourceTransformers some =
        transformers(
            HEAD
                + """
                resources:
                - resources: [secrets, things.example.com]
                  providers:
                  - secretbox: {keys: [{name: one, secret: %1$s}]}
                - resources: ['*.apps']
                  providers:
                  - aescbc: {keys: [{name: two, secret: %2$s}, {name: one, secret: %2$s}]}
                  - identity: {}
                - resources: ['*.']
                  providers:
                  - aesgcm: {keys: [{name: three, secret: %2$s}]}
                """
                    .formatted("MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", KEY));

    assertThat(written(some, "secrets")).startsWith("k8s:enc:secretbox:v1:one:");
    assertThat(written(some, "things.example.com")).startsWith("k8s:enc:secretbox:v1:one:");
    assertThat(written(some, "deployments.apps")).startsWith("k8s:enc:aescbc:v1:two:");
    assertThat(written(some, "pods")).startsWith("k8s:enc:aesgcm:v1:three:");
    assertThat(written(some, "jobs.batch")).isEqualTo("{}");
    assertThat(some.transformers()).containsKey(new GroupResource("", "*"));
  }

  @Test
  void rule_thatAnEarlierOneIncludes_isRejected() {
    String masked =
        rule("'*.'", "identity: {}") + "- resources: [secrets]\n  providers: [{identity: {}}]\n";

    assertThatThrownBy(() -> transformers(masked))
        .hasMessage(
            "error while building transformers: resource \"secrets\" is masked by earlier rule"
                + " \"*.\"");
  }

  @Test
  void kmsV1_isRefused_inKubernetesWords() {
    assertThatThrownBy(() -> transformers(rule("secrets", "kms: {name: a, endpoint: 'unix:///x'}")))
        .hasMessage(
            "error while building transformers: KMSv1 is deprecated and will only receive security"
                + " updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to"
                + " use the deprecated KMSv1 feature.");
  }

  @Test
  void changedFile_isApplied_andABadOneIsNot(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("encryption.yaml");
    Files.writeString(file, rule("secrets", "identity: {}"));
    EncryptionService service =
        EncryptionService.open(new EncryptionOptions(file, true), InstantSource.system());

    Files.writeString(file, rule("secrets", "aesgcm: {keys: [{name: one, secret: " + KEY + "}]}"));
    service.look();
    assertThat(written(service.transformers(), "secrets")).startsWith("k8s:enc:aesgcm:v1:one:");

    Files.writeString(file, rule("secrets", "aesgcm: {}"));
    service.look();
    assertThat(written(service.transformers(), "secrets")).startsWith("k8s:enc:aesgcm:v1:one:");

    Files.delete(file);
    service.look();
    Files.writeString(file, rule("secrets", "identity: {}"));
    service.look();
    assertThat(written(service.transformers(), "secrets")).isEqualTo("{}");
  }

  @Test
  void abstractSocket_isRefused() {
    assertThatThrownBy(
            () ->
                transformers(
                    rule("secrets", "kms: {apiVersion: v2, name: a, endpoint: 'unix:///@a'}")))
        .hasMessage(
            "error while building transformers: endpoint \"unix:///@a\": the path of a socket in"
                + " the file system is expected, such as unix:///run/kms.sock");
  }

  @Test
  void startFailure_namesTheFlagAndTheFile(@TempDir Path directory) throws IOException {
    Path file = Files.createFile(directory.resolve("empty.yaml"));

    assertThatThrownBy(
            () ->
                EncryptionService.open(new EncryptionOptions(file, false), InstantSource.system()))
        .isInstanceOf(StartupException.class)
        .hasMessage(
            "--encryption-provider-config: error while parsing file: error while loading file:"
                + " encryption provider configuration file \"%s\" is empty".formatted(file));
  }
}
