package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.testing.KeelsonProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The fabric8 client, by its typed and its generic interface. */
@Timeout(120)
abstract class Fabric8Suite {

  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final ResourceDefinitionContext CRON_JOBS =
      new ResourceDefinitionContext.Builder()
          .withGroup("batch")
          .withVersion("v1")
          .withKind("CronJob")
          .withPlural("cronjobs")
          .withNamespaced(true)
          .build();

  private final KubernetesClient client;
  private final String namespace = "fabric8-" + COUNT.incrementAndGet();

  Fabric8Suite(KeelsonProcess server) throws IOException {
    Config config = Config.fromKubeconfig(Files.readString(server.kubeconfigFile()));
    client = new KubernetesClientBuilder().withConfig(config).build();
    assertThat(
            client
                .namespaces()
                .resource(
                    new NamespaceBuilder().withNewMetadata().withName(namespace).and().build())
                .create()
                .getStatus()
                .getPhase())
        .isEqualTo("Active");
  }

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void configMap_isCreatedReadEditedListedAndDeleted() {
    ConfigMap created =
        client
            .configMaps()
            .inNamespace(namespace)
            .resource(
                new ConfigMapBuilder()
                    .withNewMetadata()
                    .withName("settings")
                    .addToLabels("app", "a")
                    .and()
                    .addToData("colour", "blue")
                    .build())
            .create();

    assertThat(created.getMetadata().getUid()).isNotEmpty();
    ConfigMap edited =
        client
            .configMaps()
            .inNamespace(namespace)
            .withName("settings")
            .edit(map -> new ConfigMapBuilder(map).addToData("colour", "red").build());
    assertThat(edited.getData()).containsEntry("colour", "red");
    assertThat(client.configMaps().inNamespace(namespace).withLabel("app", "a").list().getItems())
        .singleElement()
        .isEqualTo(edited);
    assertThat(
            client
                .configMaps()
                .inAnyNamespace()
                .withField("metadata.name", "settings")
                .list()
                .getItems())
        .contains(edited);
    assertThat(client.configMaps().inNamespace(namespace).withName("settings").delete()).hasSize(1);
    assertThat(client.configMaps().inNamespace(namespace).withName("settings").get()).isNull();
  }

  @Test
  void secret_carriesBytes() {
    Secret created =
        client
            .secrets()
            .inNamespace(namespace)
            .resource(
                new SecretBuilder()
                    .withNewMetadata()
                    .withName("password")
                    .and()
                    .addToData("k", "AP8=")
                    .build())
            .create();

    assertThat(created.getData()).containsEntry("k", "AP8=");
  }

  @Test
  void deployment_isReplacedAndItsStatusApart() {
    Deployment created =
        client.apps().deployments().inNamespace(namespace).resource(deployment()).create();
    assertThat(created.getMetadata().getGeneration()).isEqualTo(1);

    Deployment wanted =
        new DeploymentBuilder(created)
            .editSpec()
            .withReplicas(3)
            .endSpec()
            .withNewStatus()
            .withReplicas(7)
            .endStatus()
            .build();
    Deployment replaced =
        client.apps().deployments().inNamespace(namespace).resource(wanted).update();
    Deployment withStatus =
        client
            .apps()
            .deployments()
            .inNamespace(namespace)
            .resource(
                new DeploymentBuilder(replaced).withNewStatus().withReplicas(2).endStatus().build())
            .updateStatus();

    assertThat(replaced.getSpec().getReplicas()).isEqualTo(3);
    assertThat(replaced.getMetadata().getGeneration()).isEqualTo(2);
    assertThat(replaced.getStatus().getReplicas()).isNull();
    assertThat(withStatus.getStatus().getReplicas()).isEqualTo(2);
    assertThat(withStatus.getMetadata().getGeneration()).isEqualTo(2);
  }

  @Test
  void errors_areWhatTheClientExpects() {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName("p")
            .and()
            .withNewSpec()
            .addNewContainer()
            .withName("c")
            .withImage("i")
            .endContainer()
            .endSpec()
            .build();
    Pod created = client.pods().inNamespace(namespace).resource(pod).create();
    Pod newer =
        client
            .pods()
            .inNamespace(namespace)
            .withName("p")
            .edit(p -> new PodBuilder(p).editMetadata().addToLabels("a", "b").and().build());

    assertThat(newer.getMetadata().getLabels()).containsEntry("a", "b");
    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(() -> client.pods().inNamespace(namespace).resource(pod).create())
        .satisfies(e -> assertThat(e.getCode()).isEqualTo(409))
        .satisfies(e -> assertThat(e.getStatus().getReason()).isEqualTo("AlreadyExists"));
    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(
            () ->
                client
                    .pods()
                    .inNamespace(namespace)
                    .resource(created)
                    .lockResourceVersion(created.getMetadata().getResourceVersion())
                    .update())
        .satisfies(e -> assertThat(e.getCode()).isEqualTo(409))
        .satisfies(e -> assertThat(e.getStatus().getReason()).isEqualTo("Conflict"));
    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(() -> client.pods().inNamespace("nowhere").resource(pod).create())
        .satisfies(e -> assertThat(e.getCode()).isEqualTo(404))
        .satisfies(
            e ->
                assertThat(e.getStatus().getMessage())
                    .isEqualTo("namespaces \"nowhere\" not found"));
  }

  @Test
  void genericResources_needNoClass() {
    GenericKubernetesResource job = new GenericKubernetesResource();
    job.setApiVersion("batch/v1");
    job.setKind("CronJob");
    job.setMetadata(
        new ConfigMapBuilder().withNewMetadata().withName("nightly").and().build().getMetadata());
    job.setAdditionalProperty(
        "spec",
        Map.of(
            "schedule",
            "5 4 * * *",
            "jobTemplate",
            Map.of(
                "spec",
                Map.of(
                    "template",
                    Map.of(
                        "spec",
                        Map.of(
                            "restartPolicy",
                            "Never",
                            "containers",
                            List.of(Map.of("name", "c", "image", "i"))))))));

    GenericKubernetesResource created =
        client.genericKubernetesResources(CRON_JOBS).inNamespace(namespace).resource(job).create();

    assertThat(created.<String>get("spec", "schedule")).isEqualTo("5 4 * * *");
    assertThat(
            client.genericKubernetesResources(CRON_JOBS).inNamespace(namespace).list().getItems())
        .hasSize(1);
    assertThat(client.batch().v1().cronjobs().inNamespace(namespace).withName("nightly").get())
        .isNotNull();
  }

  @Test
  void manifests_areLoadedAndCreated() throws IOException {
    Path file = Path.of("src", "test", "resources", "apps", "noticeboard.yaml");
    try (InputStream in = Files.newInputStream(file)) {
      List<HasMetadata> created = client.load(in).inNamespace(namespace).create();

      assertThat(created).hasSize(6).allMatch(item -> !item.getMetadata().getUid().isEmpty());
    }
    assertThat(client.services().inNamespace(namespace).list().getItems()).hasSize(3);
    assertThat(client.apps().deployments().inNamespace(namespace).delete()).isNotNull();
    assertThat(client.apps().deployments().inNamespace(namespace).list().getItems()).isEmpty();
  }

  @Test
  void version_isThatOfAServer() {
    assertThat(Objects.requireNonNull(client.getKubernetesVersion()).getMajor()).isEqualTo("1");
    assertThat(client.supports(Deployment.class)).isTrue();
  }

  private static Deployment deployment() {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("web")
        .and()
        .withNewSpec()
        .withReplicas(1)
        .withNewSelector()
        .addToMatchLabels("app", "web")
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .addToLabels("app", "web")
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("c")
        .withImage("i")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }
}
