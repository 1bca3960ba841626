package dev.keelson.controller.volume;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.Index;
import dev.keelson.client.informer.InformerType;
import dev.keelson.controller.fit.NodeSelection;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the binder and the scheduler keep of a PersistentVolume.
 *
 * @param traits what must fit a claim
 * @param claim the claim of its {@code claimRef}; null if it has none
 * @param nodes the nodes that can use it; null for all
 * @param csi as its driver names it; null if no CSI driver attaches it
 */
public record VolumeFacts(
    String name,
    VolumeTraits traits,
    Map<String, String> labels,
    @Nullable ClaimReference claim,
    String phase,
    boolean deleting,
    @Nullable NodeSelection nodes,
    @Nullable CsiVolume csi) {

  /** The API resource. */
  public static final GroupVersionResource RESOURCE =
      GroupVersion.CORE_V1.resource("persistentvolumes");

  /** Finds volumes by the name of their claim, {@code namespace/name}. */
  static final Index<VolumeFacts> BY_CLAIM =
      new Index<>(volume -> volume.claim() == null ? List.of() : List.of(volume.claim().key()));

  /** Informers of PersistentVolumes. */
  public static final InformerType<VolumeFacts> TYPE =
      new InformerType<>(RESOURCE, VolumeFacts::of, List.of(BY_CLAIM));

  /**
   * A reference to a claim.
   *
   * @param uid empty if the volume is reserved for a claim of that name
   */
  public record ClaimReference(String namespace, String name, String uid) {
    String key() {
      return namespace + "/" + name;
    }
  }

  public VolumeFacts {
    labels = Map.copyOf(labels);
  }

  /** What is kept of an object. */
  public static VolumeFacts of(ApiObject object) {
    MapNode spec = object.root().map("spec");
    MapNode reference = spec.map("claimRef");
    MapNode affinity = spec.map("nodeAffinity");
    return new VolumeFacts(
        object.meta().name(),
        VolumeTraits.of(object.meta(), spec, spec.map("capacity")),
        object.meta().labels(),
        spec.has("claimRef")
            ? new ClaimReference(
                reference.text("namespace"), reference.text("name"), reference.text("uid"))
            : null,
        object.root().map("status").text("phase"),
        object.meta().deleting(),
        affinity.has("required") ? NodeSelection.of(affinity.map("required")) : null,
        CsiVolume.of(object.meta(), spec));
  }

  /** Whether it is bound to a claim, or reserved for it. */
  boolean isFor(ClaimState wanted) {
    return claim != null
        && claim.key().equals(wanted.name().toString())
        && (claim.uid().isEmpty() || claim.uid().equals(wanted.uid()));
  }

  /** Whether it has what a claim asks for in size and in kind. */
  boolean holds(ClaimState wanted) {
    Quantity size = traits.size();
    return size.compareTo(wanted.traits().size()) >= 0
        && traits.mode().equals(wanted.traits().mode());
  }

  Set<String> accessModes() {
    return traits.accessModes();
  }
}
