package dev.keelson.scheduler;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.event.SeriesRecorder;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.workload.PodCondition;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.scheduler.volume.Volumes;
import java.time.InstantSource;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What the scheduler writes. */
final class PodWrites implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(PodWrites.class);

  private final String component;
  private final ApiClient client;
  private final InstantSource clock;
  private final SeriesRecorder events;

  PodWrites(String component, String host, ControllerContext context) {
    this.component = component;
    this.client = context.ownClient();
    this.clock = context.clock();
    this.events = new SeriesRecorder(client, component, host, clock, context.nanos());
  }

  void start() {
    events.start();
  }

  @Override
  public void close() {
    events.close();
  }

  /** Binds a pod, if it is still the same one and has no node. */
  void bind(PodView pod, String node) throws InterruptedException {
    MapNode target = MapNode.of("kind", Node.text("Node")).with("name", Node.text(node));
    MapNode metadata =
        MapNode.of("name", Node.text(pod.name().name()))
            .with("namespace", Node.text(pod.name().namespace()))
            .with("uid", Node.text(pod.uid()));
    ApiObject binding =
        new ApiObject(MapNode.of("metadata", metadata).with("target", target))
            .withType("v1", "Binding");
    Written unused =
        client.create(
            PodView.RESOURCE, pod.name().namespace(), pod.name().name(), "binding", binding);
    events.record(
        reference(pod),
        /* related= */ null,
        EventRecorder.Type.NORMAL,
        "Scheduled",
        "Binding",
        "Successfully assigned " + pod.name() + " to " + node);
  }

  /** Volumes of the node are made for the claims. */
  void selectNode(PodView pod, List<String> claims, String node) throws InterruptedException {
    MapNode annotations = MapNode.of("volume.kubernetes.io/selected-node", Node.text(node));
    for (String claim : claims) {
      Written unused =
          client.patch(
              Volumes.CLAIMS,
              pod.name().namespace(),
              claim,
              "",
              Patch.MERGE,
              MapNode.of("metadata", MapNode.of("annotations", annotations)));
    }
  }

  /**
   * Tells why a pod has no node.
   *
   * @param nominated where room is being made; empty for nowhere, null if that stays as it is told
   * @param reason of the condition
   * @param news whether its status does not say so already
   */
  void refuse(PodView pod, String reason, String message, @Nullable String nominated, boolean news)
      throws InterruptedException {
    events.record(
        reference(pod),
        /* related= */ null,
        EventRecorder.Type.WARNING,
        "FailedScheduling",
        "Scheduling",
        SeriesRecorder.note(message));
    if (news) {
      tell(pod, reason, message, nominated);
    }
  }

  private void tell(PodView pod, String reason, String message, @Nullable String nominated)
      throws InterruptedException {
    MapNode condition =
        PodCondition.of("PodScheduled", false, reason, message, pod.generation(), clock.instant());
    MapNode status = MapNode.of("conditions", new Items(List.of(condition)));
    if (nominated != null) {
      status = status.with("nominatedNodeName", nominated(nominated));
    }
    patchStatus(pod, status);
  }

  private static Node nominated(String node) {
    return node.isEmpty() ? Node.Null.NULL : Node.text(node);
  }

  /**
   * Tells on which node a pod is expected.
   *
   * @param node empty if it is to look for another one
   */
  void nominate(PodView pod, String node) throws InterruptedException {
    patchStatus(pod, MapNode.of("nominatedNodeName", nominated(node)));
  }

  /** Devices have to be prepared before a pod is bound. */
  void waits(PodView pod, String node) {
    events.record(
        reference(pod),
        /* related= */ null,
        EventRecorder.Type.NORMAL,
        "BindingConditionsPending",
        "Scheduling",
        "waiting for binding conditions for device on node " + node);
  }

  private void patchStatus(PodView pod, MapNode status) throws InterruptedException {
    try {
      Written unused =
          client.patch(
              PodView.RESOURCE,
              pod.name().namespace(),
              pod.name().name(),
              "status",
              Patch.STRATEGIC_MERGE,
              MapNode.of("metadata", MapNode.of("uid", Node.text(pod.uid())))
                  .with("status", status));
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.CONFLICT) {
        throw e;
      }
      // it is gone, or another one of its name has come
      LOG.debugf("event=pod-status-not-written pod=%s error=%s", pod.name(), e.text());
    }
  }

  /** Deletes a pod to make room for another. */
  void preempt(PodView victim, PodView pod, String node) throws InterruptedException {
    if (victim.deleting()) {
      return;
    }
    MapNode condition =
        PodCondition.of(
            PodView.DISRUPTION_TARGET,
            true,
            PodView.PREEMPTED,
            component + ": preempting to accommodate a higher priority pod",
            victim.generation(),
            clock.instant());
    patchStatus(victim, MapNode.of("conditions", new Items(List.of(condition))));
    try {
      client.delete(
          PodView.RESOURCE,
          victim.name().namespace(),
          victim.name().name(),
          new DeleteRequest(victim.uid(), "", DeleteRequest.Dependents.DEFAULT));
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.CONFLICT) {
        throw e;
      }
    }
    events.record(
        reference(victim),
        reference(pod),
        EventRecorder.Type.NORMAL,
        "Preempted",
        "Preempting",
        "Preempted by pod " + pod.uid() + " on node " + node);
  }

  private static ObjectReference reference(PodView pod) {
    return new ObjectReference(
        "v1",
        "Pod",
        pod.name().namespace(),
        pod.name().name(),
        pod.uid(),
        pod.revision() == 0 ? "" : Long.toString(pod.revision()),
        "");
  }
}
