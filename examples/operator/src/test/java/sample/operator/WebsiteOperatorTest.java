package sample.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.junit.AuditLog;
import dev.keelson.junit.Faults;
import dev.keelson.junit.KeelsonServer;
import dev.keelson.junit.KeelsonTest;
import dev.keelson.junit.KeelsonTest.As;
import dev.keelson.junit.KeelsonTest.Namespace;
import dev.keelson.junit.KeelsonTest.Rule;
import dev.keelson.junit.KeelsonTest.User;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.Operator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@KeelsonTest(
    simulatedNodes = 2,
    manifests = "websites.yaml",
    users =
        @User(
            name = "website-operator",
            rules = {
              @Rule(
                  groups = "sample.dev",
                  resources = {"websites", "websites/status"},
                  verbs = {"get", "list", "watch", "patch"}),
              @Rule(
                  groups = "apps",
                  resources = "deployments",
                  verbs = {"get", "list", "watch", "create", "patch"})
            }))
class WebsiteOperatorTest {

  private final KubernetesClient admin;
  private final String namespace;
  private final Operator operator;

  WebsiteOperatorTest(
      KubernetesClient admin,
      @As("website-operator") KubernetesClient restricted,
      @Namespace String namespace) {
    this.admin = admin;
    this.namespace = namespace;
    operator =
        new Operator(
            config -> config.withKubernetesClient(restricted).withCloseClientOnStop(false));
    operator.register(new WebsiteReconciler(), config -> config.settingNamespace(namespace));
  }

  @BeforeEach
  void start() {
    operator.start();
  }

  @AfterEach
  void stop() {
    operator.stop();
  }

  private Website website(String name, String image) {
    Website website = new Website();
    website.setMetadata(new ObjectMetaBuilder().withName(name).withNamespace(namespace).build());
    website.setSpec(new Website.Spec());
    website.getSpec().image = image;
    website.getSpec().replicas = 2;
    return website;
  }

  private void awaitReady(String name) {
    admin
        .resources(Website.class)
        .withName(name)
        .waitUntilCondition(
            website -> website != null && website.getStatus() != null && website.getStatus().ready,
            60,
            TimeUnit.SECONDS);
  }

  @Test
  void website_becomesReady_andItsStatusIsWrittenOnce(AuditLog audit) {
    admin.resource(website("shop", "shop:1")).create();
    awaitReady("shop");

    assertThat(admin.apps().deployments().withName("shop").get().getSpec().getReplicas())
        .isEqualTo(2);
    audit
        .of("website-operator")
        .verb("patch")
        .resource("websites/status")
        .name("shop")
        .matching(
            "with ready: true",
            event ->
                event.body() instanceof Map<?, ?> body
                    && Map.of("ready", true).equals(body.get("status")))
        .exactly(1);
    audit.of("website-operator").code(403).none();
  }

  @Test
  void conflictsOfTheStatus_areRetried(KeelsonServer server) {
    try (Faults.Active conflicts =
        server.faults().on("patch").resource("websites/status").name("blog").times(2).conflict()) {
      admin.resource(website("blog", "blog:1")).create();
      awaitReady("blog");

      assertThat(conflicts.hits()).isEqualTo(2);
    }
  }

  @Test
  void deletedWebsite_takesItsDeploymentWithIt() {
    admin.resource(website("gone", "gone:1")).create();
    awaitReady("gone");
    admin.resources(Website.class).withName("gone").delete();

    admin
        .apps()
        .deployments()
        .withName("gone")
        .waitUntilCondition(deployment -> deployment == null, 60, TimeUnit.SECONDS);
  }

  @Test
  void websiteWithoutAnImage_isRefused() {
    assertThatThrownBy(() -> admin.resource(website("empty", "")).create())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("spec.image");
  }
}
