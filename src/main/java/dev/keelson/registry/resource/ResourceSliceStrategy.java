package dev.keelson.registry.resource;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Sets when the taints of devices were added (source: SetDefaults_DeviceTaint). */
public final class ResourceSliceStrategy implements KindStrategy {

  private final InstantSource clock;

  /** A strategy that reads the time from {@code clock}. */
  public ResourceSliceStrategy(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public ApiObject prepareForCreate(ApiObject object) {
    return withTimes(object);
  }

  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    return withTimes(object);
  }

  private ApiObject withTimes(ApiObject slice) {
    MapNode spec = slice.root().map("spec");
    MapNode next =
        each(spec, "devices", device -> each(device, "taints", taint -> withTime(taint)));
    return next == spec ? slice : slice.with("spec", next);
  }

  private MapNode withTime(MapNode taint) {
    return taint.text("timeAdded").isEmpty()
        ? taint.with(
            "timeAdded", Node.text(clock.instant().truncatedTo(ChronoUnit.SECONDS).toString()))
        : taint;
  }

  /** {@code struct} itself if no element of the list changes. */
  private static MapNode each(MapNode struct, String field, UnaryOperator<MapNode> edit) {
    List<Node> edited = new ArrayList<>();
    boolean changed = false;
    for (Node element : struct.items(field)) {
      Node next = element instanceof MapNode map ? edit.apply(map) : element;
      changed |= next != element;
      edited.add(next);
    }
    return changed ? struct.with(field, new Node.Items(edited)) : struct;
  }
}
