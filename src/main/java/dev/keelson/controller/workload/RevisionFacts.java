package dev.keelson.controller.workload;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.Index;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What controllers read of a ControllerRevision.
 *
 * @param owner its controller; null if it has none
 * @param created the creationTimestamp
 * @param revision higher for newer ones
 * @param template identifies the pod template in its data, see {@link PodTemplate#digest}
 */
public record RevisionFacts(
    ObjectName name,
    String uid,
    @Nullable Owner owner,
    Instant created,
    Map<String, String> labels,
    long revision,
    String template) {

  /** The API resource of ControllerRevisions. */
  public static final GroupVersionResource RESOURCE =
      new GroupVersion("apps", "v1").resource("controllerrevisions");

  public static final String KIND = "ControllerRevision";

  /** Finds the revisions of an owner by its uid; those without one by {@link #withoutOwner}. */
  public static final Index<RevisionFacts> BY_OWNER =
      new Index<>(
          each ->
              List.of(each.owner == null ? withoutOwner(each.name.namespace()) : each.owner.uid()));

  /** Informers of ControllerRevisions. */
  public static final InformerType<RevisionFacts> TYPE =
      new InformerType<>(RESOURCE, RevisionFacts::of, List.of(BY_OWNER));

  /** From the oldest to the newest. */
  public static final Comparator<RevisionFacts> BY_REVISION =
      Comparator.comparingLong(RevisionFacts::revision)
          .thenComparing(RevisionFacts::created)
          .thenComparing(RevisionFacts::name);

  public RevisionFacts {
    labels = Map.copyOf(labels);
  }

  /** The value in {@link #BY_OWNER} of the revisions of a namespace without a controller. */
  public static String withoutOwner(String namespace) {
    return "/" + namespace;
  }

  /** The facts of a ControllerRevision. */
  public static RevisionFacts of(ApiObject object) {
    ObjectMeta meta = object.meta();
    return new RevisionFacts(
        ObjectName.of(meta),
        meta.uid(),
        Owner.of(meta),
        Times.instant(meta.creationTimestamp()),
        meta.labels(),
        object.root().get("revision") instanceof Node.Int number ? number.value() : 0,
        PodTemplate.digest(template(object)));
  }

  /** The pod template in the data of a ControllerRevision. */
  static MapNode template(ApiObject object) {
    return object.root().map("data").map("spec").map("template").without("$patch");
  }
}
