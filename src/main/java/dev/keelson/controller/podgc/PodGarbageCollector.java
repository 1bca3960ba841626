package dev.keelson.controller.podgc;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.workload.PodCondition;
import dev.keelson.controller.workload.PodControl;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * Looks for pods to delete in the informers every 20 seconds (source: Kubernetes' {@code
 * pkg/controller/podgc}).
 */
public final class PodGarbageCollector implements Controller {

  /** The name of the service account. */
  public static final String NAME = "pod-garbage-collector";

  private static final Logger LOG = Logger.getLogger(PodGarbageCollector.class);

  private static final Duration PERIOD = Duration.ofSeconds(20);

  /** A node must be missing for so long: informers of nodes may be behind those of pods. */
  private static final Duration QUARANTINE = Duration.ofSeconds(40);

  /** Those that were evicted are of no more use, then the oldest. */
  private static final Comparator<PodFacts> FIRST_TO_GO =
      Comparator.<PodFacts>comparingInt(pod -> pod.evicted() ? 0 : 1)
          .thenComparing(PodFacts::created)
          .thenComparing(PodFacts::name);

  private static final String NODE_GONE = "PodGC: node no longer exists";

  private final ApiClient client;
  private final Informer<PodFacts> pods;
  private final Informer<NodeState> nodes;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final int mostEnded;
  private final Duration quarantine;
  private final ControllerLoop loop;

  /** Since when each node is missing, by the monotonic clock. Confined to the loop. */
  private Map<String, Long> missing = new HashMap<>();

  /**
   * Not yet started.
   *
   * @param pods shared with other controllers; followed by the caller
   * @param nodes followed by the caller
   * @param nanos a monotonic clock, in nanoseconds
   * @param mostEnded how many pods that have ended are kept, the newest; 0 and less for all
   */
  public PodGarbageCollector(
      ApiClient client,
      Informer<PodFacts> pods,
      Informer<NodeState> nodes,
      InstantSource clock,
      LongSupplier nanos,
      int mostEnded) {
    this(client, pods, nodes, clock, nanos, mostEnded, PERIOD, QUARANTINE);
  }

  /**
   * Not yet started.
   *
   * @param period between two looks
   * @param quarantine how long a node must be missing
   */
  public PodGarbageCollector(
      ApiClient client,
      Informer<PodFacts> pods,
      Informer<NodeState> nodes,
      InstantSource clock,
      LongSupplier nanos,
      int mostEnded,
      Duration period,
      Duration quarantine) {
    this.client = client;
    this.pods = pods;
    this.nodes = nodes;
    this.clock = clock;
    this.nanos = nanos;
    this.mostEnded = mostEnded;
    this.quarantine = quarantine;
    this.loop = ControllerLoop.every("pod-gc", period, this::look);
  }

  @Override
  public void start() throws InterruptedException {
    pods.awaitSync();
    nodes.awaitSync();
    loop.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void look() throws InterruptedException {
    List<PodFacts> ended = new ArrayList<>();
    Map<String, List<PodFacts>> orphans = new HashMap<>();
    for (PodFacts pod : pods.list()) {
      NodeState node = nodes.get(new ObjectName("", pod.node())).orElse(null);
      if (pod.node().isEmpty()) {
        if (pod.deleting()) {
          end(pod, MapNode.EMPTY);
          continue;
        }
      } else if (node == null) {
        orphans.computeIfAbsent(pod.node(), _ -> new ArrayList<>()).add(pod);
        continue;
      } else if (pod.deleting() && node.outOfService()) {
        end(pod, MapNode.EMPTY);
        continue;
      }
      if (pod.ended()) {
        ended.add(pod);
      }
    }
    removeOldest(ended);
    removeOrphans(orphans);
  }

  private void removeOldest(List<PodFacts> ended) throws InterruptedException {
    int surplus = ended.size() - mostEnded;
    if (mostEnded > 0 && surplus > 0) {
      ended.sort(FIRST_TO_GO);
      for (PodFacts pod : ended.subList(0, surplus)) {
        end(pod, MapNode.EMPTY);
      }
    }
  }

  private void removeOrphans(Map<String, List<PodFacts>> orphans) throws InterruptedException {
    Map<String, Long> now = new HashMap<>();
    for (Map.Entry<String, List<PodFacts>> each : orphans.entrySet()) {
      String node = each.getKey();
      long time = nanos.getAsLong();
      long since = missing.getOrDefault(node, time);
      now.put(node, since);
      if (time - since >= quarantine.toNanos()
          && client.get(NodeState.TYPE.resource(), "", node).isEmpty()) {
        Instant end = clock.instant();
        for (PodFacts pod : each.getValue()) {
          end(
              pod,
              PodCondition.of(
                  "DisruptionTarget", true, "DeletionByPodGC", NODE_GONE, pod.generation(), end));
        }
      }
    }
    missing = now;
  }

  /**
   * Marks a pod as failed, if it has not ended, and deletes it at once.
   *
   * @param condition empty for none
   */
  private void end(PodFacts pod, MapNode condition) throws InterruptedException {
    ObjectName name = pod.name();
    try {
      if (!pod.ended()) {
        MapNode status = MapNode.of("phase", Node.text("Failed"));
        if (!condition.isEmpty()) {
          status = status.with("conditions", new Node.Items(List.of(condition)));
        }
        Written unused =
            client.patch(
                PodControl.PODS,
                name.namespace(),
                name.name(),
                "status",
                Patch.STRATEGIC_MERGE,
                MapNode.of("metadata", MapNode.of("uid", Node.text(pod.uid())))
                    .with("status", status));
      }
      client.delete(
          PodControl.PODS,
          name.namespace(),
          name.name(),
          new DeleteRequest(pod.uid(), "", Dependents.DEFAULT, 0L));
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.CONFLICT) {
        LOG.warnf("event=pod-not-collected pod=%s error=%s", name, e.text());
      }
    }
  }
}
