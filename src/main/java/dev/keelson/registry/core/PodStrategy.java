package dev.keelson.registry.core;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import java.util.List;

/** A new pod is pending; one with scheduling gates says that it waits for them. */
public final class PodStrategy implements KindStrategy {

  @Override
  public ApiObject prepareForCreate(ApiObject object) {
    MapNode spec = object.root().map("spec");
    MapNode status =
        MapNode.of("phase", Node.text("Pending"))
            .with("qosClass", Node.text(QualityOfService.of(spec)));
    if (!spec.items("schedulingGates").isEmpty()) {
      status = status.with("conditions", new Node.Items(List.of(gated())));
    }
    return object.with("status", status);
  }

  /** A status that does not tell the class of service means the one that the pod has. */
  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    MapNode status = object.root().map("status");
    String known = current.root().map("status").text("qosClass");
    return status.text("qosClass").isEmpty() && !known.isEmpty()
        ? object.with("status", status.with("qosClass", Node.text(known)))
        : object;
  }

  private static MapNode gated() {
    return MapNode.of("type", Node.text("PodScheduled"))
        .with("status", Node.text("False"))
        .with("reason", Node.text("SchedulingGated"))
        .with("message", Node.text("Scheduling is blocked due to non-empty scheduling gates"));
  }
}
