package dev.keelson.controller.volume;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.fit.NodeSelection;
import dev.keelson.controller.workload.PodNeeds;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Decides what becomes of a claim. Confined to the worker of the binder. */
final class ClaimSync {

  private static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
  private static final String OLD_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";
  private static final String IN_TREE = "kubernetes.io/";

  private final ApiClient client;
  private final Informer<VolumeFacts> volumes;
  private final Informer<StorageClassFacts> classes;
  private final BindingWrites writes;

  ClaimSync(
      ApiClient client,
      Informer<VolumeFacts> volumes,
      Informer<StorageClassFacts> classes,
      BindingWrites writes) {
    this.client = client;
    this.volumes = volumes;
    this.classes = classes;
    this.writes = writes;
  }

  Outcome sync(ApiObject stored) throws InterruptedException {
    ApiObject object = Migration.annotated(stored, List.of(PROVISIONER, OLD_PROVISIONER));
    if (object != stored) {
      object = client.update(ClaimState.RESOURCE, object).object();
    }
    ClaimState claim = ClaimState.of(object);
    if (claim.completed()) {
      return bound(object, claim);
    }
    return claim.volume().isEmpty() ? unbound(object, claim) : named(object, claim);
  }

  private Optional<ApiObject> volume(String name) throws InterruptedException {
    return client.get(VolumeFacts.RESOURCE, "", name);
  }

  private Outcome pending(ApiObject object) throws InterruptedException {
    ApiObject unused = writes.status(object, "Pending", null);
    return Outcome.DONE;
  }

  /** A claim that takes any volume. */
  private Outcome unbound(ApiObject object, ClaimState claim) throws InterruptedException {
    Optional<StorageClassFacts> storageClass =
        classes.get(new ObjectName("", claim.traits().storageClass()));
    boolean waits = storageClass.map(StorageClassFacts::waits).orElse(false);
    Predicate<VolumeFacts> free = waits ? onNode(claim.selectedNode()) : _ -> true;
    Optional<VolumeFacts> best = VolumeMatch.best(claim, volumes.list(), free);
    if (best.isPresent()) {
      ApiObject stored = volume(best.get().name()).orElse(null);
      if (stored == null || !takes(VolumeFacts.of(stored), claim)) {
        return Outcome.RETRY;
      }
      writes.bind(stored, object);
      return Outcome.DONE;
    }
    if (!claim.hasClass()) {
      Optional<StorageClassFacts> chosen = StorageClassFacts.defaultOf(classes.list());
      if (chosen.isPresent()) {
        Node name = Node.text(chosen.get().name());
        Written unused =
            client.update(
                ClaimState.RESOURCE,
                object.with("spec", object.root().map("spec").with("storageClassName", name)));
        return Outcome.DONE;
      }
    }
    if (waits && claim.selectedNode().isEmpty()) {
      tellWaiting(object, claim);
    } else if (!claim.traits().storageClass().isEmpty()) {
      return provision(object, claim, storageClass.orElse(null));
    } else {
      writes.claimEvent(
          object,
          Type.NORMAL,
          "FailedBinding",
          "no persistent volumes available for this claim and no storage class is set");
    }
    return pending(object);
  }

  /** The informer may be late: the volume may be taken, or have gone from its phase. */
  private static boolean takes(VolumeFacts volume, ClaimState claim) {
    return volume.isFor(claim)
        || (volume.claim() == null && volume.phase().equals("Available") && !volume.deleting());
  }

  /** The volumes that can be used on a node; none before it is known. */
  private Predicate<VolumeFacts> onNode(String name) throws InterruptedException {
    if (name.isEmpty()) {
      return _ -> false;
    }
    Selection one =
        new Selection(GroupVersion.CORE_V1.resource("nodes"), "", "", "metadata.name=" + name);
    List<ApiObject> found = client.list(one);
    if (found.isEmpty()) {
      return _ -> false;
    }
    Map<String, String> labels = found.getFirst().meta().labels();
    return volume -> {
      NodeSelection nodes = volume.nodes();
      return nodes == null || nodes.matches(name, labels);
    };
  }

  private void tellWaiting(ApiObject object, ClaimState claim) throws InterruptedException {
    List<String> pods = waitingPods(claim.name());
    String reason = pods.isEmpty() ? "WaitForFirstConsumer" : "WaitForPodScheduled";
    String message =
        switch (pods.size()) {
          case 0 -> "waiting for first consumer to be created before binding";
          case 1 -> "waiting for pod " + pods.getFirst() + " to be scheduled";
          default -> "waiting for pods " + String.join(",", pods) + " to be scheduled";
        };
    writes.claimEvent(object, Type.NORMAL, reason, message);
  }

  private List<String> waitingPods(ObjectName claim) throws InterruptedException {
    Selection unscheduled =
        new Selection(
            GroupVersion.CORE_V1.resource("pods"), claim.namespace(), "", "spec.nodeName=");
    return client.list(unscheduled).stream()
        .filter(pod -> uses(pod, claim.name()))
        .filter(
            pod -> !List.of("Succeeded", "Failed").contains(pod.root().map("status").text("phase")))
        .map(pod -> pod.meta().name())
        .toList();
  }

  private static boolean uses(ApiObject pod, String claim) {
    return pod.root().map("spec").maps("volumes").stream()
        .anyMatch(
            volume ->
                volume.map("persistentVolumeClaim").text("claimName").equals(claim)
                    || (volume.has("ephemeral")
                        && claim.equals(PodNeeds.volumeClaim(pod, volume))));
  }

  /** Tells an external provisioner to make a volume. */
  private Outcome provision(
      ApiObject object, ClaimState claim, @Nullable StorageClassFacts storageClass)
      throws InterruptedException {
    if (storageClass == null) {
      failProvisioning(
          object,
          "storageclass.storage.k8s.io \"" + claim.traits().storageClass() + "\" not found");
      return Outcome.DONE;
    }
    String driver = Migration.driver(storageClass.provisioner());
    if (driver.startsWith(IN_TREE)) {
      failProvisioning(object, "no volume plugin matched name: " + driver);
      return Outcome.DONE;
    }
    Map<String, String> known = object.meta().annotations();
    if (!driver.equals(known.get(PROVISIONER)) || !driver.equals(known.get(OLD_PROVISIONER))) {
      Written unused =
          client.update(
              ClaimState.RESOURCE,
              Annotations.set(
                  Annotations.set(object, OLD_PROVISIONER, driver), PROVISIONER, driver));
    }
    writes.claimEvent(
        object,
        Type.NORMAL,
        "ExternalProvisioning",
        "Waiting for a volume to be created either by the external provisioner '"
            + driver
            + "' or manually by the system administrator. If volume creation is delayed, please"
            + " verify that the provisioner is running and correctly registered.");
    return Outcome.DONE;
  }

  private void failProvisioning(ApiObject object, String message) {
    writes.claimEvent(object, Type.WARNING, "ProvisioningFailed", message);
  }

  /** A claim that names its volume and has not been bound. */
  private Outcome named(ApiObject object, ClaimState claim) throws InterruptedException {
    ApiObject stored = volume(claim.volume()).orElse(null);
    if (stored == null) {
      return pending(object);
    }
    VolumeFacts volume = VolumeFacts.of(stored);
    if (volume.claim() == null) {
      String mismatch = VolumeMatch.mismatch(claim, volume);
      if (!mismatch.isEmpty()) {
        writes.claimEvent(
            object,
            Type.WARNING,
            "VolumeMismatch",
            "Cannot bind to requested volume \"" + volume.name() + "\": " + mismatch);
        return pending(object);
      }
      writes.bind(stored, object);
      return Outcome.DONE;
    }
    if (volume.isFor(claim)) {
      writes.bind(stored, object);
      return Outcome.DONE;
    }
    writes.claimEvent(
        object,
        Type.WARNING,
        "FailedBinding",
        "volume \"" + volume.name() + "\" already bound to a different claim.");
    return claim.byController() ? Outcome.RETRY : pending(object);
  }

  private Outcome bound(ApiObject object, ClaimState claim) throws InterruptedException {
    if (claim.volume().isEmpty()) {
      writes.lose(
          object,
          "ClaimLost",
          "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!");
      return Outcome.DONE;
    }
    ApiObject stored = volume(claim.volume()).orElse(null);
    if (stored == null) {
      writes.lose(
          object,
          "ClaimLost",
          "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
      return Outcome.DONE;
    }
    VolumeFacts.ClaimReference reference = VolumeFacts.of(stored).claim();
    if (reference == null || reference.uid().equals(claim.uid())) {
      writes.bind(stored, object);
    } else {
      writes.lose(
          object,
          "ClaimMisbound",
          "Two claims are bound to the same volume, this one is bound incorrectly");
    }
    return Outcome.DONE;
  }
}
