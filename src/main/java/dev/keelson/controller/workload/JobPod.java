package dev.keelson.controller.workload;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the Job controller reads of a pod beyond {@link PodFacts}.
 *
 * @param tracked whether the pod has the {@link #FINALIZER}: its end is not counted yet
 * @param index the completion index; -1 if there is none
 * @param failures how often pods of the index failed before, as counted
 * @param ignoredFailures how often they failed and it was not counted
 * @param finished when it ended, if it has (source: {@code getFinishedTime})
 * @param restarts of all containers and init containers together
 * @param exits the containers, then the init containers, that ended with another code than 0
 * @param conditions in the order of the status
 * @param version the resourceVersion of the pod
 */
public record JobPod(
    boolean tracked,
    int index,
    int failures,
    int ignoredFailures,
    Instant finished,
    long restarts,
    List<Exit> exits,
    List<State> conditions,
    String version) {

  /** The finalizer of a pod whose end is not counted. */
  public static final String FINALIZER = "batch.kubernetes.io/job-tracking";

  /** The annotation and label of the completion index. */
  public static final String INDEX = "batch.kubernetes.io/job-completion-index";

  /** The annotation with the number of earlier failures of an index. */
  public static final String FAILURES = "batch.kubernetes.io/job-index-failure-count";

  /** The annotation with the number of earlier failures of an index that do not count. */
  public static final String IGNORED_FAILURES =
      "batch.kubernetes.io/job-index-ignored-failure-count";

  /** The end of a container. */
  public record Exit(String container, int code) {}

  /** A condition, such as {@code DisruptionTarget=True}. */
  public record State(String type, String status) {}

  public JobPod {
    exits = List.copyOf(exits);
    conditions = List.copyOf(conditions);
  }

  /** The facts of a pod that a Job controls or has controlled; null for others. */
  static @Nullable JobPod of(ApiObject pod, @Nullable Owner owner) {
    ObjectMeta meta = pod.meta();
    boolean tracked = meta.finalizers().contains(FINALIZER);
    if (!tracked && (owner == null || !owner.kind().equals(JobFacts.KIND))) {
      return null;
    }
    MapNode status = pod.root().map("status");
    Map<String, String> annotations = meta.annotations();
    long restarts = 0;
    List<Exit> exits = new ArrayList<>();
    for (String key : List.of("containerStatuses", "initContainerStatuses")) {
      for (MapNode container : status.maps(key)) {
        restarts += Numbers.of(container, "restartCount", 0);
        Node code = container.map("state").map("terminated").get("exitCode");
        if (code instanceof Node.Int number && number.value() != 0) {
          exits.add(new Exit(container.text("name"), Math.toIntExact(number.value())));
        }
      }
    }
    return new JobPod(
        tracked,
        Numbers.parse(annotations.get(INDEX), -1),
        Numbers.parse(annotations.get(FAILURES), 0),
        Numbers.parse(annotations.get(IGNORED_FAILURES), 0),
        finished(pod, status),
        restarts,
        exits,
        status.maps("conditions").stream()
            .map(condition -> new State(condition.text("type"), condition.text("status")))
            .toList(),
        meta.resourceVersion());
  }

  /** From the containers, else the condition Ready, else the deletion, else the creation. */
  private static Instant finished(ApiObject pod, MapNode status) {
    Instant last = lastEnd(pod, status);
    if (last != null) {
      return last;
    }
    for (MapNode condition : status.maps("conditions")) {
      String since = condition.text("lastTransitionTime");
      if (condition.text("type").equals("Ready")
          && condition.text("status").equals("False")
          && !since.isEmpty()) {
        return Times.instant(since);
      }
    }
    ObjectMeta meta = pod.meta();
    if (meta.deleting()) {
      int grace = Numbers.of(meta.node(), "deletionGracePeriodSeconds", 0);
      return Times.instant(meta.deletionTimestamp()).minus(Duration.ofSeconds(grace));
    }
    return Times.instant(meta.creationTimestamp());
  }

  /** When the last container ended; null if one has not, or no time is known. */
  private static @Nullable Instant lastEnd(ApiObject pod, MapNode status) {
    Set<String> sidecars = new HashSet<>();
    for (MapNode container : pod.root().map("spec").maps("initContainers")) {
      if (container.text("restartPolicy").equals("Always")) {
        sidecars.add(container.text("name"));
      }
    }
    List<MapNode> containers = new ArrayList<>(status.maps("containerStatuses"));
    for (MapNode container : status.maps("initContainerStatuses")) {
      if (sidecars.contains(container.text("name"))) {
        containers.add(container);
      }
    }
    Instant last = null;
    for (MapNode container : containers) {
      String text = container.map("state").map("terminated").text("finishedAt");
      if (text.isEmpty()) {
        return null;
      }
      Instant end = Times.instant(text);
      last = last == null || last.isBefore(end) ? end : last;
    }
    return last;
  }
}
