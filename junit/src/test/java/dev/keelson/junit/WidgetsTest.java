package dev.keelson.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.junit.KeelsonTest.As;
import dev.keelson.junit.KeelsonTest.Kubeconfig;
import dev.keelson.junit.KeelsonTest.Namespace;
import dev.keelson.junit.KeelsonTest.Rule;
import dev.keelson.junit.KeelsonTest.User;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@KeelsonTest(
    manifests = "crds/widgets.yaml",
    users = {
      @User(
          name = "operator",
          rules =
              @Rule(
                  groups = "example.com",
                  resources = {"widgets", "widgets/status"},
                  verbs = {"get", "list", "watch", "patch"})),
      @User(name = "viewer", clusterRoles = "view")
    })
class WidgetsTest {

  private static GenericKubernetesResource widget(KubernetesClient client, String name) {
    return client.genericKubernetesResources("example.com/v1", "Widget").withName(name).get();
  }

  @Test
  void manifests_areInTheNamespaceOfTheClass(KubernetesClient client, @Namespace String namespace) {
    GenericKubernetesResource first = widget(client, "first");

    assertThat(first.getMetadata().getNamespace()).isEqualTo(namespace).startsWith("widgets-test-");
    assertThat(first.<Integer>get("spec", "size")).isEqualTo(3);
  }

  @Test
  void schemaOfType_isEnforced(KubernetesClient client) {
    GenericKubernetesResource wrong = new GenericKubernetesResource();
    wrong.setApiVersion("example.com/v1");
    wrong.setKind("Widget");
    wrong.setMetadata(
        new io.fabric8.kubernetes.api.model.ObjectMetaBuilder().withName("w").build());
    wrong.setAdditionalProperties(Map.of("spec", Map.of("size", 0)));

    assertThatThrownBy(() -> client.resource(wrong).create())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("should be greater than or equal to 1");
  }

  @Test
  void user_hasItsRightsAndNoMore(
      @As("operator") KubernetesClient operator, @As("viewer") KubernetesClient viewer) {
    assertThat(widget(operator, "first")).isNotNull();
    assertThat(viewer.configMaps().list().getItems()).isNotNull();
    assertThatThrownBy(() -> operator.configMaps().list())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("User \"operator\" cannot list resource \"configmaps\"");
    assertThatThrownBy(() -> viewer.pods().inAnyNamespace().list())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("at the cluster scope");
  }

  @Test
  void audit_countsTheRequestsOfAUser(@As("operator") KubernetesClient operator, AuditLog audit) {
    operator
        .genericKubernetesResources("example.com/v1", "Widget")
        .withName("first")
        .editStatus(
            widget -> {
              widget.setAdditionalProperty("status", Map.of("ready", true));
              return widget;
            });

    AuditEvent patch =
        audit.of("operator").verb("patch").resource("widgets/status").exactly(1).get(0);
    assertThat(patch.succeeded()).isTrue();
    assertThat(patch.body()).asString().contains("ready");
    audit.of("operator").writes().resource("widgets").none();
    assertThatThrownBy(() -> audit.of("operator").verb("patch").none())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("200 operator patch widgets/status.example.com");
  }

  @Test
  void kubeconfig_isOfTheUser(
      @Kubeconfig Path admin, @As("viewer") @Kubeconfig String viewer, KeelsonServer server)
      throws IOException {
    assertThat(Files.readString(admin)).contains(server.url()).contains("kubernetes-admin");
    assertThat(viewer).contains(server.url()).contains("current-context: viewer@keelson");
  }

  @Test
  void kubeconfig_hasTheNamespaceOfTheClass(
      @Kubeconfig Path file,
      @As("viewer") TestUser viewer,
      NamespacedKubernetesClient injected,
      @Namespace String namespace) {
    assertThat(Config.fromKubeconfig(file.toFile()).getNamespace()).isEqualTo(namespace);
    assertThat(injected.getNamespace()).isEqualTo(namespace);
    try (KubernetesClient client = viewer.fabric8()) {
      assertThat(client.getNamespace()).isEqualTo(namespace);
      assertThat(client.configMaps().list().getItems()).isNotEmpty();
    }
  }

  @Test
  void javaClient_works(ApiClient client, @Namespace String namespace) throws ApiException {
    assertThat(new CoreV1Api(client).listNamespacedConfigMap(namespace).execute().getItems())
        .isNotNull();
  }

  @Nested
  class WhenNested {

    @Test
    void server_isThatOfTheOuterClass(KubernetesClient client, @Namespace String namespace) {
      ConfigMap made =
          client
              .resource(
                  new ConfigMapBuilder().withNewMetadata().withName("n").endMetadata().build())
              .create();

      assertThat(made.getMetadata().getNamespace()).isEqualTo(namespace);
      assertThat(namespace).startsWith("widgets-test-");
    }
  }
}
