package dev.keelson.registry.core;

import dev.keelson.object.ApiObject;
import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
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

  private static MapNode gated() {
    return MapNode.of("type", Node.text("PodScheduled"))
        .with("status", Node.text("False"))
        .with("reason", Node.text("SchedulingGated"))
        .with("message", Node.text("Scheduling is blocked due to non-empty scheduling gates"));
  }
}
