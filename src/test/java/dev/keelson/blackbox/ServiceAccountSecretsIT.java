package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WhoAmI;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of service accounts that live in Secrets, and those that end with other objects. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class ServiceAccountSecretsIT {

  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";

  private KeelsonProcess server;
  private RestClient administrator;
  private Kubectl kubectl;
  private WhoAmI nobody;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    server = KeelsonProcess.start(directory.resolve("data"), List.of());
    administrator = RestClient.administrator(server);
    kubectl =
        new Kubectl(server.kubeconfigFile(), Files.createDirectory(directory.resolve("home")));
    nobody = new WhoAmI(server.address(), server.kubeconfig().asNobody());
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void secret_isFilled_andItsTokenIsTheAccount_untilTheAccountGoes() {
    String uid = account("filled");
    secret("filled-token", "filled", Map.of());

    String token = token("filled-token");
    Response secret = administrator.get(SECRETS + "/filled-token");
    assertThat(text(secret, "namespace")).isEqualTo("default");
    assertThat(text(secret, "'ca.crt'")).startsWith("-----BEGIN CERTIFICATE-----");
    assertThat(secret.path("metadata.annotations.'kubernetes.io/service-account.uid'").toString())
        .isEqualTo(uid);
    WhoAmI.Response who = nobody.bearer(token);
    assertThat(who.user()).isEqualTo("system:serviceaccount:default:filled");
    assertThat(who.groups())
        .containsExactly(
            "system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated");
    String today = LocalDate.now(ZoneOffset.UTC).toString();
    assertEventually(
        () ->
            assertThat(
                    administrator
                        .get(SECRETS + "/filled-token")
                        .<String>path("metadata.labels.'kubernetes.io/legacy-token-last-used'"))
                .isEqualTo(today));

    assertThat(administrator.delete(ACCOUNTS + "/filled").statusCode()).isEqualTo(200);

    assertThat(nobody.bearer(token).status()).isEqualTo(401);
    assertGone("filled-token");
  }

  @Test
  void token_endsWithItsSecret_andTheAccountForgetsIt() {
    account("listed");
    secret("listed-token", "listed", Map.of());
    String token = token("listed-token");
    assertThat(
            kubectl.run(
                "patch",
                "serviceaccount",
                "listed",
                "--patch",
                "{\"secrets\":[{\"name\":\"listed-token\"},{\"name\":\"other\"}]}"))
        .contains("patched");

    assertThat(administrator.delete(SECRETS + "/listed-token").statusCode()).isEqualTo(200);

    assertThat(nobody.bearer(token).status()).isEqualTo(401);
    assertEventually(
        () ->
            assertThat(administrator.get(ACCOUNTS + "/listed").path("secrets.name").toString())
                .isEqualTo("[other]"));
  }

  @Test
  void secretOfNobody_orOfAnother_isRemoved() {
    account("other");
    secret("of-nobody", "nobody", Map.of());
    secret("of-another", "other", Map.of("kubernetes.io/service-account.uid", "not-this"));

    assertGone("of-nobody");
    assertGone("of-another");
  }

  @Test
  void tokenOfTheSecret_isMadeAnewWhenItIsTakenOut_andTheOldOneEnds() {
    account("renewed");
    secret("renewed-token", "renewed", Map.of());
    String old = token("renewed-token");

    assertThat(
            kubectl.run(
                "patch", "secret", "renewed-token", "--patch", "{\"data\":{\"token\":null}}"))
        .contains("patched");

    String next = token("renewed-token");
    assertThat(nobody.bearer(next).user()).endsWith(":renewed");
    assertThat(old).isNotEmpty();
  }

  @Test
  void tokenThatIsMarkedInvalid_is401() {
    account("invalid");
    secret("invalid-token", "invalid", Map.of());
    String token = token("invalid-token");
    assertThat(
            kubectl.run(
                "label",
                "secret",
                "invalid-token",
                "kubernetes.io/legacy-token-invalid-since=2026-01-01"))
        .contains("labeled");

    assertThat(nobody.bearer(token).status()).isEqualTo(401);
  }

  @Test
  void boundToken_endsWithItsSecret() {
    account("bound");
    assertThat(kubectl.run("create", "secret", "generic", "anchor")).contains("created");
    String token =
        kubectl
            .run(
                "create",
                "token",
                "bound",
                "--bound-object-kind=Secret",
                "--bound-object-name=anchor",
                "--duration=15m")
            .strip();
    assertThat(nobody.bearer(token).user()).endsWith(":bound");

    assertThat(kubectl.run("delete", "secret", "anchor")).contains("deleted");

    assertThat(nobody.bearer(token).status()).isEqualTo(401);
    assertThat(kubectl.run("create", "secret", "generic", "anchor")).contains("created");
    assertThat(nobody.bearer(token).status()).isEqualTo(401);
  }

  @Test
  void use_isTracked() {
    assertEventually(
        () ->
            assertThat(
                    administrator
                        .get(
                            "/api/v1/namespaces/kube-system/configmaps/"
                                + "kube-apiserver-legacy-service-account-token-tracking")
                        .statusCode())
                .isEqualTo(200));
  }

  private String account(String name) {
    return administrator
        .post(ACCOUNTS, Map.of("metadata", Map.of("name", name)))
        .path("metadata.uid")
        .toString();
  }

  private void secret(String name, String account, Map<String, String> more) {
    Map<String, String> annotations = new java.util.HashMap<>(more);
    annotations.put("kubernetes.io/service-account.name", account);
    assertThat(
            administrator
                .post(
                    SECRETS,
                    Map.of(
                        "metadata",
                        Map.of("name", name, "annotations", annotations),
                        "type",
                        "kubernetes.io/service-account-token"))
                .statusCode())
        .isEqualTo(201);
  }

  private String token(String secret) {
    assertEventually(
        () ->
            assertThat(administrator.get(SECRETS + "/" + secret).<Object>path("data.token"))
                .isNotNull());
    return text(administrator.get(SECRETS + "/" + secret), "token");
  }

  private static String text(Response secret, String key) {
    return new String(
        Base64.getDecoder().decode(secret.path("data." + key).toString()), StandardCharsets.UTF_8);
  }

  private void assertGone(String secret) {
    assertEventually(
        () -> assertThat(administrator.get(SECRETS + "/" + secret).statusCode()).isEqualTo(404));
  }
}
