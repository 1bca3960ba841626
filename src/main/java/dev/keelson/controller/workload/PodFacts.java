package dev.keelson.controller.workload;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.Index;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.value.SharedLabels;
import dev.keelson.value.SharedText;
import dev.keelson.value.Uid;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What controllers read of a pod.
 *
 * @param id the uid
 * @param owner the controller of the pod; null if it has none
 * @param created the creationTimestamp
 * @param deletionCost the annotation {@code controller.kubernetes.io/pod-deletion-cost}; 0 if it is
 *     missing or not a number
 * @param phase such as {@code Running}
 * @param node the node of the pod; empty if it is not scheduled
 * @param readySince when the condition Ready became true; null if it is not
 * @param restarts orders pods by the highest number of restarts of a container, then by that of a
 *     sidecar
 * @param evicted whether a kubelet has ended it for want of resources
 * @param target the node that a DaemonSet chose for the pod; empty for pods of others
 * @param statefulClaims the claims of its volumes by the names of the volumes; empty for pods of
 *     others than StatefulSets
 * @param job what the Job controller reads; null for pods of others
 * @param needs the claims that are made for it; null if there are none
 * @param disruptedSince when the condition DisruptionTarget became true; null if it is not, or if a
 *     kubelet has set it
 */
public record PodFacts(
    ObjectName name,
    Uid id,
    long generation,
    Map<String, String> labels,
    @Nullable Owner owner,
    Instant created,
    boolean deleting,
    int deletionCost,
    String phase,
    String node,
    @Nullable Instant readySince,
    long restarts,
    boolean evicted,
    String target,
    Map<String, String> statefulClaims,
    @Nullable JobPod job,
    @Nullable PodNeeds needs,
    @Nullable Instant disruptedSince) {

  /** Finds the pods of an owner by its uid; those without one by {@link #withoutOwner}. */
  public static final Index<PodFacts> BY_OWNER =
      new Index<>(
          pod -> List.of(pod.owner == null ? withoutOwner(pod.name.namespace()) : pod.owner.uid()));

  /**
   * Finds pods by the PersistentVolumeClaims of their ephemeral volumes, {@code namespace/name}.
   */
  public static final Index<PodFacts> BY_VOLUME_CLAIM =
      new Index<>(pod -> pod.needs == null ? List.of() : pod.keys(pod.needs.volumeClaims()));

  /** Finds pods by their ResourceClaims, {@code namespace/name}. */
  public static final Index<PodFacts> BY_RESOURCE_CLAIM =
      new Index<>(pod -> pod.needs == null ? List.of() : pod.keys(pod.needs.resourceClaims()));

  /** What controllers keep of all pods. */
  public static final InformerType<PodFacts> TYPE =
      new InformerType<>(
          GroupVersion.CORE_V1.resource("pods"),
          PodFacts::of,
          List.of(BY_OWNER, BY_VOLUME_CLAIM, BY_RESOURCE_CLAIM));

  /** The value in {@link #BY_OWNER} of the pods of a namespace without a controller. */
  public static String withoutOwner(String namespace) {
    return "/" + namespace;
  }

  private static final String COST = "controller.kubernetes.io/pod-deletion-cost";

  public PodFacts {
    labels = SharedLabels.of(labels);
    phase = SharedText.of(phase);
    node = SharedText.of(node);
    statefulClaims = Map.copyOf(statefulClaims);
  }

  /** The facts of a pod. */
  public static PodFacts of(ApiObject pod) {
    ObjectMeta meta = pod.meta();
    Owner owner = Owner.of(meta);
    MapNode status = pod.root().map("status");
    return new PodFacts(
        ObjectName.of(meta),
        Uid.of(meta.uid()),
        meta.generation(),
        meta.labels(),
        owner,
        Times.instant(meta.creationTimestamp()),
        meta.deleting(),
        cost(meta.annotations().get(COST)),
        status.text("phase"),
        pod.root().map("spec").text("nodeName"),
        readySince(status),
        restarts(pod, status),
        status.text("phase").equals("Failed") && status.text("reason").equals("Evicted"),
        DaemonPod.target(pod, owner),
        StatefulPod.claims(pod, owner),
        JobPod.of(pod, owner),
        PodNeeds.of(pod),
        disruptedSince(status));
  }

  /** The uid. */
  public String uid() {
    return id.toString();
  }

  /** The restarts of containers count more than any of sidecars. */
  private static long restarts(ApiObject pod, MapNode status) {
    long regular = 0;
    for (MapNode container : status.maps("containerStatuses")) {
      regular = Math.max(regular, Numbers.of(container, "restartCount", 0));
    }
    long ofSidecars = 0;
    for (MapNode container : status.maps("initContainerStatuses")) {
      int count = Numbers.of(container, "restartCount", 0);
      if (count > ofSidecars && isSidecar(pod, container.text("name"))) {
        ofSidecars = count;
      }
    }
    return regular << Integer.SIZE | ofSidecars;
  }

  private static boolean isSidecar(ApiObject pod, String container) {
    return pod.root().map("spec").maps("initContainers").stream()
        .anyMatch(
            each ->
                each.text("name").equals(container) && each.text("restartPolicy").equals("Always"));
  }

  private static @Nullable Instant readySince(MapNode status) {
    MapNode condition = holding(status, "Ready");
    return condition == null ? null : Times.instant(condition.text("lastTransitionTime"));
  }

  /** A kubelet's mark may last until the pod ends. */
  private static @Nullable Instant disruptedSince(MapNode status) {
    MapNode condition = holding(status, "DisruptionTarget");
    return condition == null || condition.text("reason").equals("TerminationByKubelet")
        ? null
        : Times.instant(condition.text("lastTransitionTime"));
  }

  private static @Nullable MapNode holding(MapNode status, String type) {
    for (MapNode condition : status.maps("conditions")) {
      if (condition.text("type").equals(type) && condition.text("status").equals("True")) {
        return condition;
      }
    }
    return null;
  }

  private static int cost(@Nullable String text) {
    try {
      return text == null ? 0 : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private List<String> keys(List<String> claims) {
    return claims.stream().map(claim -> name.namespace() + "/" + claim).toList();
  }

  /** Whether the pod runs or will: it has not ended and is not being deleted. */
  public boolean active() {
    return !deleting && !ended();
  }

  /** Whether all its containers have ended for good. */
  public boolean ended() {
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  /** Whether the condition Ready is true. */
  public boolean ready() {
    return readySince != null;
  }

  /** Whether it has been ready for a time; one that does not tell since when has not. */
  public boolean available(Duration minReady, Instant now) {
    Instant since = readySince;
    return since != null
        && (minReady.isZero()
            || (!since.equals(Instant.EPOCH) && !since.plus(minReady).isAfter(now)));
  }
}
