package dev.keelson.registry.apps;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.KindStrategy;

/**
 * Counts the changes of the pod template in an annotation, which is a field of the old version and
 * which the controller compares with a label of the pods.
 */
public final class DaemonSetStrategy implements KindStrategy {

  private static final String COUNT = "deprecated.daemonset.template.generation";

  @Override
  public ApiObject prepareForCreate(ApiObject object) {
    return counted(object, Math.max(1, count(object)));
  }

  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    boolean same = template(object).equals(template(current));
    return counted(object, count(current) + (same ? 0 : 1));
  }

  private static MapNode template(ApiObject object) {
    return object.root().map("spec").map("template");
  }

  private static long count(ApiObject object) {
    try {
      return Long.parseLong(object.meta().node().map("annotations").text(COUNT));
    } catch (NumberFormatException e) {
      // absent, or overwritten by a user
      return 0;
    }
  }

  private static ApiObject counted(ApiObject object, long count) {
    ObjectMeta meta = object.meta();
    MapNode annotations = meta.node().map("annotations");
    return object.withMeta(
        meta.with("annotations", annotations.with(COUNT, Node.text(Long.toString(count)))));
  }
}
