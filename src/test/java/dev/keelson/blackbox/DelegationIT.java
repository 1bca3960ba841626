package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestAuthority.Period;
import dev.keelson.testing.TestIdentity;
import dev.keelson.testing.WhoAmI;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A second server that asks a first one who users are, and what they may do. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(240)
class DelegationIT {

  private static final String TRUST =
      "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";

  private final TestAuthority clients = TestAuthority.root("clients", Period.now());
  private final TestAuthority proxies = TestAuthority.root("proxies", Period.now());
  private Path directory;
  private Path clientFile;
  private KeelsonProcess first;
  private KeelsonProcess second;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    this.directory = directory;
    clientFile = Files.writeString(directory.resolve("clients.pem"), clients.pem());
    Path proxyFile = Files.writeString(directory.resolve("proxies.pem"), proxies.pem());
    Path tokens =
        Files.writeString(
            directory.resolve("tokens.csv"), "of-ann,ann,7,\"dev\"\nof-ben,ben,8,\"dev\"\n");
    first =
        KeelsonProcess.start(
            directory.resolve("first"),
            List.of(
                "--authorization-mode=RBAC",
                "--token-auth-file=" + tokens,
                "--client-ca-file=" + clientFile,
                "--requestheader-client-ca-file=" + proxyFile,
                "--requestheader-username-headers=X-Remote-User",
                "--requestheader-group-headers=X-Remote-Group",
                "--requestheader-extra-headers-prefix=X-Remote-Extra-",
                "--requestheader-allowed-names=front"));
    kubectl = new Kubectl(first.kubeconfigFile(), Files.createDirectory(directory.resolve("home")));
    assertThat(kubectl.run("create", "serviceaccount", "builder")).contains("created");
    assertThat(
            kubectl.run(
                "create",
                "clusterrolebinding",
                "ann-views",
                "--clusterrole=view",
                "--user=ann",
                "--serviceaccount=default:builder"))
        .contains("created");
    assertEventually(
        () -> assertThat(RestClient.administrator(first).get(TRUST).statusCode()).isEqualTo(200));
    second =
        KeelsonProcess.start(
            directory.resolve("second"),
            List.of(
                "--authentication-kubeconfig=" + first.kubeconfigFile(),
                "--authorization-kubeconfig=" + first.kubeconfigFile(),
                "--authorization-always-allow-paths=/healthz,/open/*"));
  }

  @AfterAll
  void stop() {
    second.close();
    first.close();
  }

  @Test
  void first_saysWhomItTrusts_asKubeApiserverDoes() {
    Response trust = RestClient.administrator(first).get(TRUST);

    assertThat(trust.path("data.'client-ca-file'").toString()).startsWith(clients.pem().strip());
    assertThat(trust.path("data.'requestheader-client-ca-file'").toString())
        .isEqualTo(proxies.pem());
    assertThat(trust.path("data.'requestheader-username-headers'").toString())
        .isEqualTo("[\"X-Remote-User\"]");
    assertThat(trust.path("data.'requestheader-group-headers'").toString())
        .isEqualTo("[\"X-Remote-Group\"]");
    assertThat(trust.path("data.'requestheader-extra-headers-prefix'").toString())
        .isEqualTo("[\"X-Remote-Extra-\"]");
    assertThat(trust.path("data.'requestheader-allowed-names'").toString())
        .isEqualTo("[\"front\"]");
  }

  @Test
  void tokens_areReviewedByTheFirst() {
    WhoAmI nobody = new WhoAmI(second.address(), second.kubeconfig().asNobody());
    String account = kubectl.run("create", "token", "builder", "--duration=15m").strip();

    assertThat(nobody.bearer("of-ann").user()).isEqualTo("ann");
    assertThat(nobody.bearer("of-ann").groups()).containsExactly("dev", "system:authenticated");
    assertThat(nobody.bearer(account).user()).isEqualTo("system:serviceaccount:default:builder");
    assertThat(nobody.bearer("of-nobody").status()).isEqualTo(401);
  }

  @Test
  void certificates_countAsAtTheFirst() {
    assertThat(shows(clients.identity("CN=carl,O=ops")).ask().user()).isEqualTo("carl");
    assertThat(shows(administratorOfTheFirst()).ask().groups()).contains("system:masters");
    assertThat(shows(TestAuthority.root("others", Period.now()).identity("CN=x")).ask().status())
        .isEqualTo(401);
  }

  @Test
  void proxies_countAsAtTheFirst() {
    WhoAmI.Response who =
        shows(proxies.identity("CN=front"))
            .ask("X-Remote-User", "dora", "X-Remote-Group", "dev", "X-Remote-Extra-k", "v");
    assertThat(who.user()).isEqualTo("dora");
    assertThat(who.groups()).containsExactly("dev", "system:authenticated");
    assertThat(who.body()).contains("\"k\":[\"v\"]");

    assertThat(shows(proxies.identity("CN=back")).ask("X-Remote-User", "dora").status())
        .isEqualTo(401);
    assertThat(shows(clients.identity("CN=front")).ask("X-Remote-User", "dora").user())
        .isEqualTo("front");
  }

  @Test
  void first_decides() {
    assertThat(asBearer("of-ann", "/api/v1/namespaces/default/pods").statusCode()).isEqualTo(200);
    Response refused = asBearer("of-ben", "/api/v1/namespaces/default/pods");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.path("message").toString())
        .startsWith(
            "pods is forbidden: User \"ben\" cannot list resource \"pods\" in API group \"\" in the"
                + " namespace \"default\"");
    assertThat(asBearer("of-ann", "/api/v1/namespaces/default/secrets").statusCode())
        .isEqualTo(403);
  }

  @Test
  void openPaths_areForEveryone_andOthersAreNot() {
    assertThat(RestClient.nobody(second).get("/healthz").statusCode()).isEqualTo(200);
    assertThat(RestClient.nobody(second).get("/open/x").statusCode()).isEqualTo(404);
    assertThat(RestClient.nobody(second).get("/api/v1/pods").statusCode()).isEqualTo(403);
  }

  @Test
  void firstThatIsAway_endsTheStart_unlessThatIsTolerated() throws IOException {
    Path away = directory.resolve("away.kubeconfig");
    Files.writeString(
        away,
        Files.readString(first.kubeconfigFile())
            .replaceAll("server: .*", "server: https://127.0.0.1:1"));

    assertThatThrownBy(
            () ->
                KeelsonProcess.start(
                    directory.resolve("third"), List.of("--authentication-kubeconfig=" + away)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(
            "--authentication-kubeconfig: cannot look up the authentication configuration of the"
                + " cluster: java.net.ConnectException");

    try (KeelsonProcess third =
        KeelsonProcess.start(
            directory.resolve("third"),
            List.of(
                "--authentication-kubeconfig=" + away,
                "--authentication-tolerate-lookup-failure=true"))) {
      assertThat(
              new WhoAmI(third.address(), third.kubeconfig().asNobody()).bearer("of-ann").status())
          .isEqualTo(401);
    }
  }

  @Test
  void newAuthority_isToldOn() throws IOException {
    TestAuthority more = TestAuthority.root("more", Period.now());
    assertThat(shows(more.identity("CN=new")).ask().status()).isEqualTo(401);

    Files.writeString(clientFile, clients.pem() + more.pem());

    assertEventually(
        () ->
            assertThat(
                    RestClient.administrator(first)
                        .get(TRUST)
                        .path("data.'client-ca-file'")
                        .toString())
                .contains(more.pem().strip()));
    assertEventually(
        () -> assertThat(shows(more.identity("CN=new")).ask().user()).isEqualTo("new"));
  }

  private TestIdentity administratorOfTheFirst() {
    return new TestIdentity(first.kubeconfig().key(), List.of(first.kubeconfig().certificate()));
  }

  private WhoAmI shows(TestIdentity identity) {
    return new WhoAmI(second.address(), identity.trusting(second.kubeconfig().authority()));
  }

  private Response asBearer(String token, String path) {
    return RestClient.nobody(second).request().header("Authorization", "Bearer " + token).get(path);
  }
}
