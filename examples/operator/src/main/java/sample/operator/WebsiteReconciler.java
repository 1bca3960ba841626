package sample.operator;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Keeps a Deployment for each website, and says in its status whether the pods are available. */
@ControllerConfiguration
public class WebsiteReconciler implements Reconciler<Website> {

  @Override
  public List<EventSource<?, Website>> prepareEventSources(EventSourceContext<Website> context) {
    return List.of(
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Deployment.class, Website.class).build(),
            context));
  }

  @Override
  public UpdateControl<Website> reconcile(Website website, Context<Website> context) {
    Optional<Deployment> known = context.getSecondaryResource(Deployment.class);
    int replicas = website.getSpec().replicas == null ? 1 : website.getSpec().replicas;
    if (!known.map(found -> fits(found, website, replicas)).orElse(false)) {
      context.getClient().resource(wanted(website, replicas)).serverSideApply();
    }
    boolean ready =
        known
            .map(Deployment::getStatus)
            .map(
                status ->
                    status.getAvailableReplicas() != null
                        && status.getAvailableReplicas() == replicas)
            .orElse(false);
    if (website.getStatus() != null && website.getStatus().ready == ready) {
      return UpdateControl.noUpdate();
    }
    Website patch = new Website();
    patch.setMetadata(
        new ObjectMetaBuilder()
            .withName(website.getMetadata().getName())
            .withNamespace(website.getMetadata().getNamespace())
            .build());
    patch.setStatus(new Website.Status());
    patch.getStatus().ready = ready;
    return UpdateControl.patchStatus(patch);
  }

  private static boolean fits(Deployment found, Website website, int replicas) {
    return found.getSpec().getReplicas() == replicas
        && found
            .getSpec()
            .getTemplate()
            .getSpec()
            .getContainers()
            .get(0)
            .getImage()
            .equals(website.getSpec().image);
  }

  private static Deployment wanted(Website website, int replicas) {
    ObjectMeta meta = website.getMetadata();
    Map<String, String> labels = Map.of("website", meta.getName());
    Deployment deployment =
        new DeploymentBuilder()
            .withNewMetadata()
            .withName(meta.getName())
            .withNamespace(meta.getNamespace())
            .endMetadata()
            .withNewSpec()
            .withReplicas(replicas)
            .withNewSelector()
            .withMatchLabels(labels)
            .endSelector()
            .withNewTemplate()
            .withNewMetadata()
            .withLabels(labels)
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName("web")
            .withImage(website.getSpec().image)
            .endContainer()
            .endSpec()
            .endTemplate()
            .endSpec()
            .build();
    deployment.addOwnerReference(website);
    return deployment;
  }
}
