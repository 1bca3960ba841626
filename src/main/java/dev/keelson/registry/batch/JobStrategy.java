package dev.keelson.registry.batch;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import java.util.List;

/**
 * Labels the pods of a Job with its name and uid, under the former and the present names of these
 * labels, and selects by the uid, unless the user sets the selector. Validation rejects
 * contradictions.
 */
public final class JobStrategy implements KindStrategy {

  private static final String PREFIX = "batch.kubernetes.io/";
  private static final String NAME = "job-name";
  private static final String UID = "controller-uid";

  @Override
  public ApiObject prepareForCreate(ApiObject object) {
    MapNode spec = object.root().map("spec");
    if (spec.get("manualSelector") != Node.Bool.TRUE) {
      spec = withSelector(spec, object.meta().name(), object.meta().uid());
    }
    return object.with("spec", spec);
  }

  /** What the user wrote stays, also where it contradicts; validation rejects that. */
  private static MapNode withSelector(MapNode spec, String name, String uid) {
    MapNode labels = podLabels(spec);
    for (String key : List.of(NAME, PREFIX + NAME, UID, PREFIX + UID)) {
      if (!labels.has(key)) {
        labels = labels.with(key, Node.text(key.endsWith(NAME) ? name : uid));
      }
    }
    MapNode next = spec.withAt(List.of("template", "metadata", "labels"), labels);
    MapNode wanted = next.map("selector").map("matchLabels");
    return wanted.has(PREFIX + UID)
        ? next
        : next.withAt(
            List.of("selector", "matchLabels"), wanted.with(PREFIX + UID, Node.text(uid)));
  }

  /**
   * A Job without labels has those of its pods, which its defaults could not see yet. They are not
   * validated as its own.
   */
  @Override
  public ApiObject canonical(ApiObject object) {
    MapNode labels = podLabels(object.root().map("spec"));
    return labels.isEmpty() || !object.meta().labels().isEmpty()
        ? object
        : object.withMeta(object.meta().with("labels", labels));
  }

  private static MapNode podLabels(MapNode spec) {
    return spec.map("template").map("metadata").map("labels");
  }
}
