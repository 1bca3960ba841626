package dev.keelson.controller.volume;

import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.function.Consumer;

/** Decides what becomes of a volume. Confined to the worker of the binder. */
final class VolumeSync {

  private static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

  private final ApiClient client;
  private final BindingWrites writes;
  private final Consumer<ObjectName> queue;

  /**
   * @param queue takes claims to look at
   */
  VolumeSync(ApiClient client, BindingWrites writes, Consumer<ObjectName> queue) {
    this.client = client;
    this.writes = writes;
    this.queue = queue;
  }

  Outcome sync(ApiObject stored) throws InterruptedException {
    ApiObject object = Migration.annotated(stored, List.of(PROVISIONED_BY));
    if (object != stored) {
      object = client.update(VolumeFacts.RESOURCE, object).object();
    }
    VolumeFacts volume = VolumeFacts.of(object);
    VolumeFacts.ClaimReference reference = volume.claim();
    if (reference == null || reference.uid().isEmpty()) {
      ApiObject unused = writes.phase(object, "Available");
      return Outcome.DONE;
    }
    ApiObject claim =
        client
            .get(ClaimState.RESOURCE, reference.namespace(), reference.name())
            .filter(found -> found.meta().uid().equals(reference.uid()))
            .orElse(null);
    if (claim == null) {
      release(object, volume);
      return Outcome.DONE;
    }
    ClaimState state = ClaimState.of(claim);
    if (state.volume().isEmpty()) {
      await(object, volume, claim, state);
    } else if (state.volume().equals(volume.name())) {
      ApiObject unused = writes.phase(object, "Bound");
    } else if (object.meta().annotations().containsKey(PROVISIONED_BY)
        && policy(object).equals("Delete")) {
      release(object, volume);
    } else {
      writes.unbind(object);
    }
    return Outcome.DONE;
  }

  /** The claim is to be bound. */
  private void await(ApiObject object, VolumeFacts volume, ApiObject claim, ClaimState state) {
    if (volume.traits().mode().equals(state.traits().mode())) {
      queue.accept(state.name());
      return;
    }
    writes.volumeEvent(
        object,
        Type.WARNING,
        "VolumeMismatch",
        "Cannot bind PersistentVolume to requested PersistentVolumeClaim \""
            + state.name().name()
            + "\" due to incompatible volumeMode.");
    writes.claimEvent(
        claim,
        Type.WARNING,
        "VolumeMismatch",
        "Cannot bind PersistentVolume \""
            + volume.name()
            + "\" to requested PersistentVolumeClaim due to incompatible volumeMode.");
  }

  private static String policy(ApiObject object) {
    return object.root().map("spec").text("persistentVolumeReclaimPolicy");
  }

  /** A volume that failed stays so, for the user to see. */
  private void release(ApiObject object, VolumeFacts volume) throws InterruptedException {
    ApiObject released =
        volume.phase().equals("Failed") ? object : writes.phase(object, "Released");
    switch (policy(object)) {
      case "Retain" -> {
        // an administrator decides
      }
      case "Recycle" ->
          writes.fail(released, "VolumeFailedRecycle", "No recycler plugin found for the volume!");
      case "Delete" -> {
        if (!deletedElsewhere(object)) {
          writes.fail(
              released,
              "VolumeFailedDelete",
              "error getting deleter volume plugin for volume \""
                  + volume.name()
                  + "\": no deletable volume plugin matched");
        }
      }
      default ->
          writes.fail(
              released,
              "VolumeUnknownReclaimPolicy",
              "Volume has unrecognized PersistentVolumeReclaimPolicy");
    }
  }

  /** Whether the provisioner that made the volume deletes it. */
  private static boolean deletedElsewhere(ApiObject object) {
    MapNode spec = object.root().map("spec");
    String provisioner = object.meta().annotations().getOrDefault(PROVISIONED_BY, "");
    return (!provisioner.isEmpty() && !provisioner.startsWith("kubernetes.io/"))
        || object.meta().annotations().containsKey(Migration.MIGRATED_TO)
        || spec.has("csi");
  }
}
