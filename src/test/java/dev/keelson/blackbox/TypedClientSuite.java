package dev.keelson.blackbox;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.blackbox.operator.Garden;
import dev.keelson.blackbox.operator.GardenDefinition;
import dev.keelson.blackbox.operator.GardenSpec;
import dev.keelson.blackbox.operator.GardenStatus;
import dev.keelson.testing.KeelsonProcess;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** fabric8's typed client for a custom resource whose definition comes from its Java class. */
@Timeout(120)
abstract class TypedClientSuite {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final KubernetesClient client;
  private final String namespace = "typed-client-" + COUNT.incrementAndGet();
  private final MixedOperation<Garden, KubernetesResourceList<Garden>, Resource<Garden>> gardens;
  private @TempDir Path generated;

  TypedClientSuite(KeelsonProcess server) throws IOException {
    Config config = Config.fromKubeconfig(Files.readString(server.kubeconfigFile()));
    client = new KubernetesClientBuilder().withConfig(config).build();
    gardens = client.resources(Garden.class);
  }

  @BeforeEach
  void define() throws IOException {
    assertThat(GardenDefinition.install(client, generated).getStatus().getStoredVersions())
        .containsExactly("v1");
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName(namespace).and().build())
        .create();
  }

  @AfterEach
  void remove() {
    client
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName(Garden.DEFINITION)
        .withTimeout(60, TimeUnit.SECONDS)
        .delete();
    client.close();
  }

  private Garden create(String name, String... beds) {
    return client.resource(Garden.of(namespace, name, GardenSpec.of(beds))).create();
  }

  private Resource<Garden> named(String name) {
    return gardens.inNamespace(namespace).withName(name);
  }

  private static String revision(Garden garden) {
    return garden.getMetadata().getName() + " " + garden.getMetadata().getResourceVersion();
  }

  private static KubernetesClientException failure(Runnable call) {
    return Objects.requireNonNull(
        catchThrowableOfType(KubernetesClientException.class, call::run), "not refused");
  }

  private static void assertCause(
      KubernetesClientException failure, int code, String reason, String field) {
    assertThat(failure.getCode()).isEqualTo(code);
    Status status = failure.getStatus();
    assertThat(status.getReason()).isEqualTo(reason);
    assertThat(status.getDetails().getCauses()).extracting(StatusCause::getField).contains(field);
  }

  @Test
  void generatedDefinition_isStoredAsItWasSent() {
    CustomResourceDefinition definition =
        client.apiextensions().v1().customResourceDefinitions().withName(Garden.DEFINITION).get();

    assertThat(definition.getStatus().getAcceptedNames().getShortNames()).containsExactly("gdn");
    CustomResourceDefinitionVersion version = definition.getSpec().getVersions().getFirst();
    assertThat(version.getAdditionalPrinterColumns())
        .extracting(column -> column.getName() + " " + column.getJsonPath())
        .containsExactlyInAnyOrder("Gardener .spec.gardener", "Beds .status.beds");
    assertThat(version.getSubresources().getScale().getSpecReplicasPath())
        .isEqualTo(".spec.helpers");
    JSONSchemaProps spec =
        requireNonNull(version.getSchema().getOpenAPIV3Schema().getProperties().get("spec"));
    assertThat(spec.getXKubernetesValidations())
        .extracting(rule -> rule.getMessage())
        .containsExactly("helpers need a gardener");
    assertThat(requireNonNull(spec.getProperties().get("helpers")).getMaximum()).isEqualTo(9);
  }

  @Test
  void object_isCreatedPatchedReplacedListedAndDeleted() {
    Garden created = create("g", "roses");
    assertThat(created.getMetadata().getUid()).isNotEmpty();
    assertThat(created.getSpec().gardener).isEqualTo("nobody");
    assertThat(created.getSpec().helpers).isEqualTo(1);
    assertThat(created.getSpec().plants).isNull();

    Garden edited =
        named("g")
            .edit(
                garden -> {
                  garden.getSpec().gardener = "anna";
                  return garden;
                });
    Garden merged =
        named("g")
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                "{\"spec\":{\"plants\":{\"roses\":\"red\"}},\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
    assertThat(merged.getSpec().gardener).isEqualTo("anna");
    assertThat(merged.getSpec().plants).isEqualTo(Map.of("roses", "red"));
    assertThat(merged.getMetadata().getGeneration()).isEqualTo(3);

    KubernetesClientException stale = failure(() -> client.resource(edited).update());
    assertThat(stale.getCode()).isEqualTo(409);
    Garden wanted = Garden.of(namespace, "g", GardenSpec.of("herbs"));
    wanted.getMetadata().setResourceVersion(merged.getMetadata().getResourceVersion());
    Garden replaced = client.resource(wanted).update();
    assertThat(replaced.getSpec().beds).containsExactly("herbs");
    assertThat(replaced.getSpec().gardener).isEqualTo("nobody");
    assertThat(replaced.getMetadata().getLabels()).isEmpty();

    Garden other = create("h");
    assertThat(gardens.inNamespace(namespace).list().getItems())
        .extracting(TypedClientSuite::revision)
        .containsExactly(revision(replaced), revision(other));
    assertThat(
            gardens
                .inNamespace(namespace)
                .withField("spec.gardener", "nobody")
                .withoutField("metadata.name", "h")
                .list()
                .getItems())
        .extracting(TypedClientSuite::revision)
        .containsExactly(revision(replaced));
    assertThat(named("g").delete()).hasSize(1);
    assertThat(named("g").get()).isNull();
  }

  @Test
  void serverSideApply_ownsFields_andTellsConflicts() {
    Garden first = Garden.of(namespace, "g", GardenSpec.of("roses"));
    first.getSpec().gardener = "anna";
    Garden applied = client.resource(first).fieldManager("one").serverSideApply();
    assertThat(applied.getSpec().gardener).isEqualTo("anna");
    assertThat(applied.getMetadata().getManagedFields())
        .singleElement()
        .satisfies(entry -> assertThat(entry.getManager()).isEqualTo("one"))
        .satisfies(entry -> assertThat(entry.getOperation()).isEqualTo("Apply"));

    Garden second = Garden.of(namespace, "g", new GardenSpec());
    second.getSpec().gardener = "berta";
    assertCause(
        failure(() -> client.resource(second).fieldManager("two").serverSideApply()),
        409,
        "Conflict",
        ".spec.gardener");
    Garden forced = client.resource(second).fieldManager("two").forceConflicts().serverSideApply();
    assertThat(forced.getSpec().gardener).isEqualTo("berta");
    assertThat(forced.getSpec().beds).containsExactly("roses");

    // what one no longer applies goes, except what two owns
    Garden less = Garden.of(namespace, "g", new GardenSpec());
    Garden left = client.resource(less).fieldManager("one").serverSideApply();
    assertThat(left.getSpec().beds).isNull();
    assertThat(left.getSpec().gardener).isEqualTo("berta");
  }

  @Test
  void status_isApartFromTheSpec() {
    Garden created = create("g", "roses");
    assertThat(created.getStatus()).isNull();
    created.setStatus(new GardenStatus());
    created.getStatus().beds = 7;
    created.getSpec().gardener = "ignored";

    Garden updated = client.resource(created).updateStatus();
    assertThat(updated.getStatus().beds).isEqualTo(7);
    assertThat(updated.getSpec().gardener).isEqualTo("nobody");
    assertThat(updated.getMetadata().getGeneration()).isEqualTo(1);

    Garden edited =
        named("g")
            .editStatus(
                garden -> {
                  garden.getStatus().helpers = 3;
                  return garden;
                });
    assertThat(edited.getStatus().beds).isEqualTo(7);
    assertThat(edited.getStatus().helpers).isEqualTo(3);

    Garden own = Garden.of(namespace, "g", new GardenSpec());
    own.setStatus(new GardenStatus());
    own.getStatus().observedGeneration = 1L;
    Garden applied =
        client
            .resource(own)
            .subresource("status")
            .patch(
                new PatchContext.Builder()
                    .withPatchType(PatchType.SERVER_SIDE_APPLY)
                    .withFieldManager("operator")
                    .withForce(true)
                    .build());
    assertThat(applied.getStatus().observedGeneration).isEqualTo(1);
    assertThat(applied.getStatus().beds).isEqualTo(7);

    // and the main path leaves the status as it is
    Garden wanted = Garden.of(namespace, "g", GardenSpec.of("herbs"));
    wanted.setStatus(new GardenStatus());
    Garden replaced = client.resource(wanted).update();
    assertThat(replaced.getStatus().beds).isEqualTo(7);
    assertThat(replaced.getMetadata().getGeneration()).isEqualTo(2);
  }

  @Test
  void scale_changesTheHelpers() {
    Garden created = create("g");
    assertThat(created.getSpec().helpers).isEqualTo(1);

    assertThat(named("g").scale().getSpec().getReplicas()).isEqualTo(1);
    assertThat(named("g").scale(4).getSpec().helpers).isEqualTo(4);
    assertCause(failure(() -> named("g").scale(12)), 422, "Invalid", "spec.helpers");
  }

  @Test
  void invalidObjects_areRefusedWithTheirCauses() {
    GardenSpec spec = GardenSpec.of("roses");
    spec.helpers = 10;
    spec.gardener = "Anna";
    KubernetesClientException invalid =
        failure(() -> client.resource(Garden.of(namespace, "g", spec)).create());
    assertCause(invalid, 422, "Invalid", "spec.helpers");
    assertCause(invalid, 422, "Invalid", "spec.gardener");

    spec.helpers = 5;
    spec.gardener = null;
    KubernetesClientException rule =
        failure(() -> client.resource(Garden.of(namespace, "g", spec)).create());
    assertCause(rule, 422, "Invalid", "spec.helpers");
    assertThat(rule.getStatus().getMessage()).contains("helpers need a gardener");
  }

  @Test
  void watch_tellsEveryChange() throws InterruptedException {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    Watcher<Garden> watcher =
        new Watcher<>() {
          @Override
          public void eventReceived(Action action, Garden garden) {
            seen.add(action + " " + garden.getSpec().gardener);
          }

          @Override
          public void onClose(WatcherException cause) {
            seen.add("closed " + cause.getMessage());
          }
        };
    try (Watch open = gardens.inNamespace(namespace).watch(watcher)) {
      assertThat(open).isNotNull();
      Garden created = create("g");
      created.getSpec().gardener = "anna";
      Garden replaced = client.resource(created).update();
      assertThat(client.resource(replaced).delete()).hasSize(1);

      assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("ADDED nobody");
      assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("MODIFIED anna");
      assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("DELETED anna");
    }
  }

  @Test
  void informer_followsTheObjects() throws InterruptedException {
    Garden before = create("before");
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    ResourceEventHandler<Garden> handler =
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(Garden garden) {
            seen.add("added " + garden.getMetadata().getName());
          }

          @Override
          public void onUpdate(Garden old, Garden garden) {
            seen.add("updated " + garden.getMetadata().getName());
          }

          @Override
          public void onDelete(Garden garden, boolean finalStateUnknown) {
            seen.add("deleted " + garden.getMetadata().getName());
          }
        };
    try (SharedIndexInformer<Garden> informer = gardens.inNamespace(namespace).inform(handler)) {
      assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("added before");
      Garden after = create("after");
      assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("added after");
      after.getSpec().beds = List.of("pond");
      Garden changed = client.resource(after).update();
      assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("updated after");
      assertThat(client.resource(before).delete()).hasSize(1);
      assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("deleted before");
      assertThat(informer.getStore().list())
          .extracting(TypedClientSuite::revision)
          .containsExactly(revision(changed));
    }
  }
}
