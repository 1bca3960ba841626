package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.election.LeaderWrites;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.manager.SharedInformers;
import dev.keelson.controller.token.LegacyTokenCleaner;
import dev.keelson.http.loopback.Loopback;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controllers of tokens in a server, with the roles of Kubernetes. */
final class TokensOnServerTest {

  private static final GroupVersionResource SECRETS = AdministeredServer.core("secrets");
  private static final GroupVersionResource MAPS = AdministeredServer.core("configmaps");
  private static final GroupVersionResource ACCOUNTS = AdministeredServer.core("serviceaccounts");
  private static final String TRACKING = "kube-apiserver-legacy-service-account-token-tracking";
  private static final Duration YEAR = Duration.ofDays(365);

  @TempDir private Path directory;
  private AdministeredServer server;

  @BeforeEach
  void start() {
    server =
        new AdministeredServer(
            directory, "bootstrap-signer-controller,token-cleaner-controller,serviceaccount");
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private void token(String id, String expiration) throws InterruptedException {
    ApiObject unused =
        server.create(
            SECRETS,
            "Secret",
            ("{'metadata':{'name':'bootstrap-token-%s','namespace':'kube-system'},"
                    + "'type':'bootstrap.kubernetes.io/token','stringData':{'token-id':'%s',"
                    + "'token-secret':'0123456789abcdef','usage-bootstrap-signing':'true'%s}}")
                .formatted(
                    id, id, expiration.isEmpty() ? "" : ",'expiration':'" + expiration + "'"));
  }

  private Map<String, String> info() {
    return server.find(MAPS, "kube-public", "cluster-info").map("data").texts();
  }

  @Test
  void clusterInfo_isSignedByTheTokensThatHold() throws Exception {
    token("aaaaaa", "");
    token("bbbbbb", Instant.now().plusSeconds(3600).toString());
    token("cccccc", "2020-01-01T00:00:00Z");
    ApiObject unused =
        server.create(
            MAPS,
            "ConfigMap",
            "{'metadata':{'name':'cluster-info','namespace':'kube-public'},"
                + "'data':{'kubeconfig':'content','jws-kubeconfig-dddddd':'old'}}");

    Eventually.assertEventually(
        () ->
            assertThat(info())
                .containsOnlyKeys("kubeconfig", "jws-kubeconfig-aaaaaa", "jws-kubeconfig-bbbbbb"));
    // {"alg":"HS256","kid":"aaaaaa"}
    assertThat(info().get("jws-kubeconfig-aaaaaa"))
        .startsWith("eyJhbGciOiJIUzI1NiIsImtpZCI6ImFhYWFhYSJ9..");
    Eventually.assertEventually(
        () ->
            assertThat(server.find(SECRETS, "kube-system", "bootstrap-token-cccccc").isEmpty())
                .isTrue());

    server.patch(
        SECRETS,
        "kube-system",
        "bootstrap-token-bbbbbb",
        "",
        "{'stringData':{'expiration':'2020-01-01T00:00:00Z'}}");

    Eventually.assertEventually(
        () -> assertThat(info()).containsOnlyKeys("kubeconfig", "jws-kubeconfig-aaaaaa"));
    assertThat(server.find(SECRETS, "kube-system", "bootstrap-token-aaaaaa").isEmpty()).isFalse();
  }

  /** One look of the cleaner at a time; ends when a Secret is as expected. */
  private void clean(Instant time, Runnable expectation) {
    Loopback loopback = server.server.api().loopback();
    var own =
        loopback.as(
            new UserInfo(
                "system:kube-controller-manager", "", List.of("system:authenticated"), Map.of()),
            "test");
    SharedInformers informers = new SharedInformers(new ApiClient(own), System::nanoTime);
    informers.start();
    try (LegacyTokenCleaner cleaner =
        new LegacyTokenCleaner(
            new ControllerContext(
                own,
                loopback::serviceAccount,
                LeaderWrites.withoutElection(),
                informers,
                () -> time,
                System::nanoTime),
            YEAR)) {
      cleaner.start();
      Eventually.assertEventually(expectation);
    }
  }

  private MapNode legacy(String name) {
    return server.find(SECRETS, "default", name);
  }

  private void account(String name, String secret) throws InterruptedException {
    ApiObject account =
        server.create(
            ACCOUNTS,
            "ServiceAccount",
            "{'metadata':{'name':'%s','namespace':'default'},'secrets':[%s]}"
                .formatted(name, secret.isEmpty() ? "" : "{'name':'" + secret + "'}"));
    ApiObject unused =
        server.create(
            SECRETS,
            "Secret",
            ("{'metadata':{'name':'%s-token','namespace':'default','annotations':{"
                    + "'kubernetes.io/service-account.name':'%s',"
                    + "'kubernetes.io/service-account.uid':'%s'}},"
                    + "'type':'kubernetes.io/service-account-token'}")
                .formatted(name, name, account.meta().uid()));
  }

  @Test
  void unusedGeneratedToken_isMarkedAndThenDeleted() throws Exception {
    account("old", "old-token");
    account("manual", "");
    account("mounted", "mounted-token");
    Eventually.assertEventually(
        () -> assertThat(server.find(MAPS, "kube-system", TRACKING).isEmpty()).isFalse());
    Eventually.assertEventually(
        () -> assertThat(server.find(ACCOUNTS, "default", "default").isEmpty()).isFalse());
    ApiObject unused =
        server.create(
            AdministeredServer.core("pods"),
            "Pod",
            "{'metadata':{'name':'web','namespace':'default'},'spec':{'containers':[{'name':'main',"
                + "'image':'nginx'}],'volumes':[{'name':'t','secret':{'secretName':'mounted-token'}}]}}");
    Instant later = Instant.now().plus(YEAR).plus(Duration.ofDays(3));
    String invalid = "kubernetes.io/legacy-token-invalid-since";

    clean(
        later,
        () ->
            assertThat(legacy("old-token").map("metadata").map("labels").text(invalid))
                .isEqualTo(later.toString().substring(0, 10)));
    clean(
        later.plus(YEAR).plus(Duration.ofDays(2)),
        () -> assertThat(legacy("old-token").isEmpty()).isTrue());

    for (String kept : List.of("manual-token", "mounted-token")) {
      assertThat(legacy(kept).isEmpty()).isFalse();
      assertThat(legacy(kept).map("metadata").map("labels").has(invalid)).isFalse();
    }
  }
}
