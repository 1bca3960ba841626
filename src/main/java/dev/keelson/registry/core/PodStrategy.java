package dev.keelson.registry.core;

import dev.keelson.api.FieldCause;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sets the initial phase of a pod and the condition of scheduling gates, and what follows from its
 * labels and annotations.
 */
public final class PodStrategy implements KindStrategy {

  private static final long DEFAULT_GRACE_SECONDS = 30;

  @Override
  public ApiObject prepareForCreate(ApiObject object, UserInfo user, Consumer<String> warnings) {
    MapNode metadata = object.root().map("metadata");
    MapNode spec = object.root().map("spec");
    MapNode merged = NewPods.withLabelKeys(spec, metadata.map("labels"));
    merged = NewPods.withAppArmorProfiles(merged, metadata.map("annotations"), warnings);
    return prepareForCreate(merged.equals(spec) ? object : object.with("spec", merged));
  }

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

  /** A status update without {@code qosClass} keeps the current one. */
  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    MapNode status = object.root().map("status");
    String known = current.root().map("status").text("qosClass");
    return status.text("qosClass").isEmpty() && !known.isEmpty()
        ? object.with("status", status.with("qosClass", Node.text(known)))
        : object;
  }

  @Override
  public ApiObject prepareForSubresourceUpdate(
      String subresource, ApiObject object, ApiObject current) {
    return subresource.equals("resize")
        ? PodSubresources.resized(object, current)
        : PodSubresources.ephemeralContainers(object, current);
  }

  @Override
  public void validateSubresourceUpdate(
      String subresource, ApiObject object, ApiObject current, List<FieldCause> causes) {
    if (subresource.equals("ephemeralcontainers")) {
      PodSubresources.checkEphemeralContainers(object, current, causes);
    }
  }

  /**
   * The requested period, else that of the pod's spec; 0 if no kubelet runs the pod (source: {@code
   * podStrategy.CheckGracefulDelete}).
   */
  @Override
  public OptionalLong gracePeriodSeconds(ApiObject pod, @Nullable Long requested) {
    MapNode spec = pod.root().map("spec");
    String phase = pod.root().map("status").text("phase");
    if (spec.text("nodeName").isEmpty() || phase.equals("Failed") || phase.equals("Succeeded")) {
      return OptionalLong.of(0);
    }
    if (requested != null) {
      return OptionalLong.of(requested);
    }
    return OptionalLong.of(
        spec.get("terminationGracePeriodSeconds") instanceof Node.Int own
            ? own.value()
            : DEFAULT_GRACE_SECONDS);
  }

  private static MapNode gated() {
    return MapNode.of("type", Node.text("PodScheduled"))
        .with("status", Node.text("False"))
        .with("reason", Node.text("SchedulingGated"))
        .with("message", Node.text("Scheduling is blocked due to non-empty scheduling gates"));
  }
}
