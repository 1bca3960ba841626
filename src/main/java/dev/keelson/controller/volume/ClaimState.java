package dev.keelson.controller.volume;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.LabelSelector;
import dev.keelson.client.informer.Index;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.workload.Owner;
import dev.keelson.controller.workload.Selectors;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the binder and the scheduler keep of a PersistentVolumeClaim.
 *
 * @param traits what the volume must have
 * @param hasClass whether it names a class, if only the empty one
 * @param selector null to select all volumes
 * @param volume the {@code spec.volumeName}; empty if it names none
 * @param completed whether it has been bound once
 * @param byController whether the binder chose the volume
 * @param podUid the uid of its controller, the pod of an ephemeral volume; empty without one
 * @param selectedNode where its first consumer shall run; empty if nobody has said so
 */
public record ClaimState(
    ObjectName name,
    String uid,
    VolumeTraits traits,
    boolean hasClass,
    @Nullable LabelSelector selector,
    String volume,
    String phase,
    boolean completed,
    boolean byController,
    boolean deleting,
    String podUid,
    String selectedNode) {

  /** The API resource. */
  public static final GroupVersionResource RESOURCE =
      GroupVersion.CORE_V1.resource("persistentvolumeclaims");

  static final String COMPLETED = "pv.kubernetes.io/bind-completed";
  static final String BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";
  static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  /** Finds claims by their volume; those that have not been bound by the empty text as well. */
  static final Index<ClaimState> BY_VOLUME =
      new Index<>(
          claim ->
              claim.completed() || claim.volume().isEmpty()
                  ? List.of(claim.completed() ? "/" + claim.volume() : "")
                  : List.of("", "/" + claim.volume()));

  /** Informers of PersistentVolumeClaims. */
  public static final InformerType<ClaimState> TYPE =
      new InformerType<>(RESOURCE, ClaimState::of, List.of(BY_VOLUME));

  /** What is kept of an object. */
  public static ClaimState of(ApiObject object) {
    MapNode spec = object.root().map("spec");
    Owner owner = Owner.of(object.meta());
    var annotations = object.meta().annotations();
    return new ClaimState(
        ObjectName.of(object.meta()),
        object.meta().uid(),
        VolumeTraits.of(object.meta(), spec, spec.map("resources").map("requests")),
        annotations.containsKey(VolumeTraits.CLASS) || spec.has("storageClassName"),
        spec.has("selector") ? Selectors.of(spec.map("selector")).orElse(null) : null,
        spec.text("volumeName"),
        object.root().map("status").text("phase"),
        annotations.containsKey(COMPLETED),
        annotations.containsKey(BY_CONTROLLER),
        object.meta().deleting(),
        owner == null ? "" : owner.uid(),
        annotations.getOrDefault(SELECTED_NODE, ""));
  }

  /** The subject of Events and of the reference in the volume. */
  ObjectReference reference(String resourceVersion) {
    return new ObjectReference(
        "v1", "PersistentVolumeClaim", name.namespace(), name.name(), uid, resourceVersion, "");
  }
}
