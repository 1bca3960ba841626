package dev.keelson.scheduler;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.fit.HostPort;
import dev.keelson.controller.fit.PodRequests;
import dev.keelson.controller.fit.Resources;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.scheduler.volume.PodVolumes;
import dev.keelson.scheduler.volume.VolumeUser;
import dev.keelson.value.SharedLabels;
import dev.keelson.value.SharedText;
import dev.keelson.value.Uid;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler reads of a pod.
 *
 * @param id the uid
 * @param owner the uid of its controller, if the pods of such controllers are spread; else null
 * @param node empty if it is not bound
 * @param ended whether its containers have ended for good
 * @param preempted whether it is being deleted to make room for another pod
 * @param started when it started, or was created
 * @param scored the requests with a little for containers that request nothing, so that such pods
 *     are spread as well
 * @param volumes those that have claims or limits
 * @param wants what only a pod without a node is asked for; null if it is bound
 * @param revision the resourceVersion of the state; 0 if it is no number
 */
record PodView(
    ObjectName name,
    Uid id,
    long generation,
    Map<String, String> labels,
    @Nullable Uid owner,
    String node,
    boolean ended,
    boolean deleting,
    boolean preempted,
    int priority,
    Instant started,
    Resources requests,
    Resources scored,
    List<HostPort> ports,
    PodTerms terms,
    PodVolumes volumes,
    @Nullable Wants wants,
    long revision)
    implements VolumeUser {

  /** The condition of a pod that is to go for a reason that is not its own. */
  static final String DISRUPTION_TARGET = "DisruptionTarget";

  /** The reason of that condition if the pod makes room for another one. */
  static final String PREEMPTED = "PreemptionByScheduler";

  /** The kinds of controllers whose pods are spread if they say nothing about it. */
  private static final Set<String> SPREAD =
      Set.of("ReplicaSet", "ReplicationController", "StatefulSet");

  static final GroupVersionResource RESOURCE = GroupVersion.CORE_V1.resource("pods");

  static final InformerType<PodView> TYPE = new InformerType<>(RESOURCE, PodView::of, List.of());

  PodView {
    labels = SharedLabels.of(labels);
    node = SharedText.of(node);
    ports = List.copyOf(ports);
  }

  static PodView of(ApiObject pod) {
    ObjectMeta meta = pod.meta();
    MapNode spec = pod.root().map("spec");
    MapNode status = pod.root().map("status");
    String phase = status.text("phase");
    String node = spec.text("nodeName");
    String started = status.text("startTime");
    Uid owner = null;
    for (MapNode reference : meta.node().maps("ownerReferences")) {
      if (reference.get("controller") instanceof Node.Bool is
          && is.value()
          && SPREAD.contains(reference.text("kind"))) {
        owner = Uid.of(reference.text("uid"));
      }
    }
    Resources requests = PodRequests.of(spec);
    return new PodView(
        ObjectName.of(meta),
        Uid.of(meta.uid()),
        meta.generation(),
        meta.labels(),
        owner,
        node,
        phase.equals("Succeeded") || phase.equals("Failed"),
        meta.deleting(),
        meta.deleting() && isPreempted(status),
        (int) Numbers.of(spec, "priority"),
        Times.instant(started.isEmpty() ? meta.creationTimestamp() : started),
        requests,
        PodRequests.scored(spec, requests),
        HostPort.of(spec),
        PodTerms.of(spec.map("affinity"), meta.namespace()),
        PodVolumes.of(spec, meta.name()),
        node.isEmpty() ? Wants.of(spec, status) : null,
        revision(meta.resourceVersion()));
  }

  private static boolean isPreempted(MapNode status) {
    return status.maps("conditions").stream()
        .anyMatch(
            condition ->
                condition.text("type").equals(DISRUPTION_TARGET)
                    && condition.text("reason").equals(PREEMPTED)
                    && condition.text("status").equals("True"));
  }

  private static long revision(String version) {
    try {
      return version.isEmpty() ? 0 : Long.parseLong(version);
    } catch (NumberFormatException e) {
      // Events then leave the state open
      return 0;
    }
  }

  /** The uid. */
  @Override
  public String uid() {
    return id.toString();
  }

  /**
   * Whether a term of affinity is about this pod.
   *
   * @param labelsOf the labels of a namespace
   */
  boolean isMeantBy(PodTerm term, Function<String, Map<String, String>> labelsOf) {
    return term.matches(name, labels, labelsOf);
  }

  /** Whether it takes resources of its node. */
  boolean occupies() {
    return !node.isEmpty() && !ended;
  }

  /** The same pod on a node, before the API server tells so. */
  PodView on(String target) {
    return with(target, revision);
  }

  /** Whether a later state is the same for the scheduler. */
  boolean isLike(PodView later) {
    return equals(later.with(later.node, revision));
  }

  private PodView with(String target, long version) {
    return new PodView(
        name,
        id,
        generation,
        labels,
        owner,
        target,
        ended,
        deleting,
        preempted,
        priority,
        started,
        requests,
        scored,
        ports,
        terms,
        volumes,
        wants,
        version);
  }
}
