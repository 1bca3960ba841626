package dev.keelson.controller.workload;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.LabelSelector;
import dev.keelson.client.informer.Index;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What controllers read of a Job.
 *
 * @param owner its controller, such as a CronJob; null if it has none
 * @param selector null if it is not valid
 * @param managedBy the controller that acts for the Job; empty for ours
 * @param finished {@code Complete} or {@code Failed}; empty if it is not finished
 * @param finishedAt when that condition became true; the epoch if it did not
 * @param ttl {@code ttlSecondsAfterFinished}; null if it stays
 * @param started the startTime; the epoch if it has none
 * @param completed the completionTime; the epoch if it has none
 */
public record JobFacts(
    ObjectName name,
    String uid,
    String resourceVersion,
    long generation,
    @Nullable Owner owner,
    Instant created,
    boolean deleting,
    @Nullable LabelSelector selector,
    String managedBy,
    String finished,
    Instant finishedAt,
    @Nullable Integer ttl,
    Instant started,
    Instant completed) {

  /** The API resource of Jobs. */
  public static final GroupVersionResource RESOURCE =
      new GroupVersion("batch", "v1").resource("jobs");

  public static final String KIND = "Job";

  /** The value of {@code managedBy} of Jobs that this controller manages. */
  private static final String OURS = "kubernetes.io/job-controller";

  /** Finds the Jobs of an owner by its uid. */
  public static final Index<JobFacts> BY_OWNER =
      new Index<>(job -> job.owner == null ? List.of() : List.of(job.owner.uid()));

  /** Informers of Jobs. */
  public static final InformerType<JobFacts> TYPE =
      new InformerType<>(RESOURCE, JobFacts::of, List.of(BY_OWNER));

  /** The facts of a Job. */
  public static JobFacts of(ApiObject object) {
    ObjectMeta meta = object.meta();
    MapNode spec = object.root().map("spec");
    MapNode status = object.root().map("status");
    String managedBy = spec.text("managedBy");
    MapNode end = end(status);
    return new JobFacts(
        ObjectName.of(meta),
        meta.uid(),
        meta.resourceVersion(),
        meta.generation(),
        Owner.of(meta),
        Times.instant(meta.creationTimestamp()),
        meta.deleting(),
        Selectors.of(spec.map("selector")).orElse(null),
        managedBy.equals(OURS) ? "" : managedBy,
        end.text("type"),
        Times.instant(end.text("lastTransitionTime")),
        Numbers.orNull(spec, "ttlSecondsAfterFinished"),
        Times.instant(status.text("startTime")),
        Times.instant(status.text("completionTime")));
  }

  private static MapNode end(MapNode status) {
    for (MapNode condition : status.maps("conditions")) {
      String type = condition.text("type");
      if ((type.equals("Complete") || type.equals("Failed"))
          && condition.text("status").equals("True")) {
        return condition;
      }
    }
    return MapNode.EMPTY;
  }

  /** Whether it has completed or failed. */
  public boolean isFinished() {
    return !finished.isEmpty();
  }

  /** Whether another controller acts for it. */
  public boolean managedElsewhere() {
    return !managedBy.isEmpty();
  }

  /** The subject of Events, and the owner of pods. */
  public ObjectReference reference() {
    return new ObjectReference(
        RESOURCE.apiVersion(), KIND, name.namespace(), name.name(), uid, resourceVersion, "");
  }
}
