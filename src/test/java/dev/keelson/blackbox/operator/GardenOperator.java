package dev.keelson.blackbox.operator;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An operator of the Java Operator SDK: keeps a ConfigMap for each bed of each {@link Garden}, and
 * leaves a ConfigMap {@code farewell-NAME} when a garden is deleted. Records what it writes.
 */
public final class GardenOperator implements AutoCloseable {

  private static final String LABEL = Garden.GROUP + "/garden";

  /** Longer than any pause of a server that restarts. */
  private static final int ATTEMPTS = 200;

  private final Operator operator;
  private final GardenReconciler reconciler = new GardenReconciler();

  /** Starts the operator; close it before the client. */
  public static GardenOperator start(KubernetesClient client) {
    GardenOperator started = new GardenOperator(client);
    started.operator.start();
    return started;
  }

  private GardenOperator(KubernetesClient client) {
    operator =
        new Operator(
            settings ->
                settings
                    .withKubernetesClient(client)
                    .withCloseClientOnStop(false)
                    .withReconciliationTerminationTimeout(Duration.ofSeconds(10)));
    operator.register(
        reconciler,
        settings ->
            settings.withRetry(
                new GenericRetry()
                    .setInitialInterval(100)
                    .setIntervalMultiplier(1.1)
                    .setMaxInterval(500)
                    .setMaxAttempts(ATTEMPTS)));
  }

  /**
   * What the operator did to ConfigMaps, in order: {@code create NAME}, {@code delete NAME}, ... It
   * may send a status twice, since its cache lags behind.
   */
  public List<String> actions() {
    return List.copyOf(reconciler.actions);
  }

  @Override
  public void close() {
    operator.stop();
  }

  /** Selects the ConfigMaps of a garden. */
  public static Map<String, String> labels(String garden) {
    return Map.of(LABEL, garden);
  }

  /** Public and with an empty constructor, as the SDK asks for. */
  @ControllerConfiguration
  public static final class GardenReconciler implements Reconciler<Garden>, Cleaner<Garden> {

    private final List<String> actions = new CopyOnWriteArrayList<>();

    @Override
    public List<EventSource<?, Garden>> prepareEventSources(EventSourceContext<Garden> context) {
      return List.of(
          new InformerEventSource<>(
              InformerEventSourceConfiguration.from(ConfigMap.class, Garden.class)
                  .withLabelSelector(LABEL)
                  .build(),
              context));
    }

    @Override
    public UpdateControl<Garden> reconcile(Garden garden, Context<Garden> context) {
      KubernetesClient client = context.getClient();
      String namespace = garden.getMetadata().getNamespace();
      String name = garden.getMetadata().getName();
      GardenSpec spec = garden.getSpec();
      List<String> beds = Objects.requireNonNullElse(spec.beds, List.of());
      for (String bed : beds) {
        String plant = spec.plants == null ? "grass" : spec.plants.getOrDefault(bed, "grass");
        keep(client, garden, bed, plant);
      }
      for (ConfigMap map :
          client.configMaps().inNamespace(namespace).withLabels(labels(name)).list().getItems()) {
        if (!beds.contains(map.getData().get("bed"))) {
          client.resource(map).delete();
          actions.add("delete " + map.getMetadata().getName());
        }
      }
      GardenStatus status = new GardenStatus();
      status.observedGeneration = garden.getMetadata().getGeneration();
      status.beds = beds.size();
      status.helpers = spec.helpers;
      if (garden.getStatus() != null
          && Objects.equals(garden.getStatus().observedGeneration, status.observedGeneration)) {
        return UpdateControl.noUpdate();
      }
      Garden answer = Garden.of(namespace, name, new GardenSpec());
      answer.setStatus(status);
      return UpdateControl.patchStatus(answer);
    }

    /** Creates or corrects the ConfigMap of a bed; writes nothing that is right already. */
    private void keep(KubernetesClient client, Garden garden, String bed, String plant) {
      ConfigMap wanted =
          new ConfigMapBuilder()
              .withNewMetadata()
              .withNamespace(garden.getMetadata().getNamespace())
              .withName(garden.getMetadata().getName() + "-" + bed)
              .withLabels(labels(garden.getMetadata().getName()))
              .endMetadata()
              .withData(Map.of("bed", bed, "plant", plant))
              .build();
      wanted.addOwnerReference(garden);
      ConfigMap found = client.resource(wanted).get();
      if (found == null) {
        client.resource(wanted).create();
        actions.add("create " + wanted.getMetadata().getName());
      } else if (!wanted.getData().equals(found.getData())) {
        client.resource(wanted).update();
        actions.add("update " + wanted.getMetadata().getName());
      }
    }

    @Override
    public DeleteControl cleanup(Garden garden, Context<Garden> context) {
      ConfigMap farewell =
          new ConfigMapBuilder()
              .withNewMetadata()
              .withNamespace(garden.getMetadata().getNamespace())
              .withName("farewell-" + garden.getMetadata().getName())
              .endMetadata()
              .withData(Map.of("uid", garden.getMetadata().getUid()))
              .build();
      context.getClient().resource(farewell).create();
      actions.add("create " + farewell.getMetadata().getName());
      return DeleteControl.defaultDelete();
    }
  }
}
