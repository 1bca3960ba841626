package dev.keelson.controller.volume;

import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import org.jspecify.annotations.Nullable;

/** The writes of the binder; each needs the state that was read. */
final class BindingWrites {

  private static final String YES = "yes";
  private static final String RESIZED = "volume.alpha.kubernetes.io/pre-resize-capacity";

  private final ApiClient client;
  private final EventRecorder events;

  BindingWrites(ApiClient client, EventRecorder events) {
    this.client = client;
    this.events = events;
  }

  /** Binds both to each other; what is so already is not written. */
  void bind(ApiObject volume, ApiObject claim) throws InterruptedException {
    ApiObject bound = phase(bindVolume(volume, claim), "Bound");
    ApiObject unused = status(bindClaim(claim, bound.meta().name()), "Bound", bound);
  }

  private ApiObject bindVolume(ApiObject volume, ApiObject claim) throws InterruptedException {
    VolumeFacts facts = VolumeFacts.of(volume);
    ClaimState wanted = ClaimState.of(claim);
    ApiObject changed = volume;
    VolumeFacts.ClaimReference known = facts.claim();
    if (known == null
        || !known.key().equals(wanted.name().toString())
        || !known.uid().equals(wanted.uid())) {
      MapNode reference =
          MapNode.builder(6)
              .put("kind", Node.text("PersistentVolumeClaim"))
              .put("namespace", Node.text(wanted.name().namespace()))
              .put("name", Node.text(wanted.name().name()))
              .put("uid", Node.text(wanted.uid()))
              .put("apiVersion", Node.text("v1"))
              .put("resourceVersion", Node.text(claim.meta().resourceVersion()))
              .build();
      changed = changed.with("spec", changed.root().map("spec").with("claimRef", reference));
    }
    if (!facts.isFor(wanted)
        && !volume.meta().annotations().containsKey(ClaimState.BY_CONTROLLER)) {
      changed = Annotations.set(changed, ClaimState.BY_CONTROLLER, YES);
    }
    return changed == volume ? volume : client.update(VolumeFacts.RESOURCE, changed).object();
  }

  private ApiObject bindClaim(ApiObject claim, String volume) throws InterruptedException {
    ClaimState state = ClaimState.of(claim);
    ApiObject changed = claim;
    if (!state.volume().equals(volume)) {
      changed =
          changed.with("spec", changed.root().map("spec").with("volumeName", Node.text(volume)));
      if (!state.byController()) {
        changed = Annotations.set(changed, ClaimState.BY_CONTROLLER, YES);
      }
    }
    if (!state.completed()) {
      changed = Annotations.set(changed, ClaimState.COMPLETED, YES);
    }
    return changed == claim ? claim : client.update(ClaimState.RESOURCE, changed).object();
  }

  /** Frees a volume whose claim is bound to another. */
  void unbind(ApiObject volume) throws InterruptedException {
    MapNode spec = volume.root().map("spec");
    ApiObject changed;
    if (volume.meta().annotations().containsKey(ClaimState.BY_CONTROLLER)) {
      changed =
          Annotations.set(
              volume.with("spec", spec.without("claimRef")), ClaimState.BY_CONTROLLER, null);
    } else {
      // it stays reserved for a claim of that name
      changed = volume.with("spec", spec.with("claimRef", spec.map("claimRef").without("uid")));
    }
    ApiObject unused = phase(client.update(VolumeFacts.RESOURCE, changed).object(), "Available");
  }

  /** Sets the phase of a volume. */
  ApiObject phase(ApiObject volume, String phase) throws InterruptedException {
    return phase(volume, phase, "");
  }

  private ApiObject phase(ApiObject volume, String phase, String message)
      throws InterruptedException {
    MapNode status = volume.root().map("status");
    if (status.text("phase").equals(phase)) {
      return volume;
    }
    MapNode changed = status.with("phase", Node.text(phase));
    return client
        .updateStatus(
            VolumeFacts.RESOURCE,
            volume.with(
                "status",
                message.isEmpty()
                    ? changed.without("message")
                    : changed.with("message", Node.text(message))))
        .object();
  }

  /** Sets the phase of a volume to Failed, with an Event if it was not. */
  void fail(ApiObject volume, String reason, String message) throws InterruptedException {
    if (volume.root().map("status").text("phase").equals("Failed")) {
      return;
    }
    ApiObject unused = phase(volume, "Failed", message);
    volumeEvent(volume, Type.WARNING, reason, message);
  }

  /**
   * Sets the status of a claim.
   *
   * @param volume whose size and access modes it tells; null for none
   */
  ApiObject status(ApiObject claim, String phase, @Nullable ApiObject volume)
      throws InterruptedException {
    MapNode status = claim.root().map("status");
    MapNode changed = volume == null ? cleared(status) : told(status, phase, volume);
    if (!status.text("phase").equals(phase)) {
      changed = changed.with("phase", Node.text(phase));
    }
    return changed.equals(status)
        ? claim
        : client.updateStatus(ClaimState.RESOURCE, claim.with("status", changed)).object();
  }

  private static MapNode cleared(MapNode status) {
    return status.has("accessModes") || status.has("capacity")
        ? status.without("accessModes").without("capacity")
        : status;
  }

  /** The size of a claim that is bound already may differ on purpose. */
  private static MapNode told(MapNode status, String phase, ApiObject volume) {
    MapNode spec = volume.root().map("spec");
    MapNode changed =
        spec.items("accessModes").equals(status.items("accessModes"))
            ? status
            : status.with("accessModes", new Node.Items(spec.items("accessModes")));
    if (status.text("phase").equals(phase)) {
      return changed;
    }
    String before = volume.meta().annotations().getOrDefault(RESIZED, "");
    if (Quantity.tryParse(before).isPresent()) {
      changed =
          changed.with("capacity", changed.map("capacity").with("storage", Node.text(before)));
    } else if (differs(spec.map("capacity"), status.map("capacity"))) {
      changed = changed.with("capacity", spec.map("capacity"));
    }
    String attributes = spec.text("volumeAttributesClassName");
    return attributes.isEmpty()
        ? changed
        : changed.with("currentVolumeAttributesClassName", Node.text(attributes));
  }

  private static boolean differs(MapNode capacity, MapNode known) {
    var size = Quantity.tryParse(known.text("storage"));
    return size.isEmpty() || !size.equals(Quantity.tryParse(capacity.text("storage")));
  }

  /** Sets the phase of a claim to Lost, with an Event if it was not. */
  void lose(ApiObject claim, String reason, String message) throws InterruptedException {
    if (!claim.root().map("status").text("phase").equals("Lost")) {
      ApiObject unused = status(claim, "Lost", null);
      claimEvent(claim, Type.WARNING, reason, message);
    }
  }

  void claimEvent(ApiObject claim, Type type, String reason, String message) {
    events.record(
        ClaimState.of(claim).reference(claim.meta().resourceVersion()), type, reason, message);
  }

  void volumeEvent(ApiObject volume, Type type, String reason, String message) {
    events.record(
        new ObjectReference(
            "v1",
            "PersistentVolume",
            "",
            volume.meta().name(),
            volume.meta().uid(),
            volume.meta().resourceVersion(),
            ""),
        type,
        reason,
        message);
  }
}
