package dev.keelson.registry.core;

import dev.keelson.api.FieldCause;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import dev.keelson.registry.Timestamps;
import dev.keelson.request.UserInfo;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sets the initial phase of a pod and the condition of scheduling gates, and what follows from its
 * labels and annotations.
 */
public final class PodStrategy implements KindStrategy {

  private static final long DEFAULT_GRACE_SECONDS = 30;
  private static final String GENERATION = "observedGeneration";

  private final Timestamps timestamps;

  /** Conditions tell by the clock since when they hold. */
  public PodStrategy(InstantSource clock) {
    this.timestamps = new Timestamps(clock);
  }

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

  /**
   * A status update without {@code qosClass} keeps the current one, and so do the observed
   * generations of the pod and its conditions (source: {@code preserveOldObservedGeneration}).
   */
  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    MapNode status = object.root().map("status");
    MapNode old = current.root().map("status");
    MapNode kept = status;
    for (String field : List.of("qosClass", GENERATION)) {
      Node known = old.get(field);
      kept = known == null || kept.has(field) ? kept : kept.with(field, known);
    }
    kept = withObservedGenerations(kept, old.items("conditions"));
    return kept == status ? object : object.with("status", kept);
  }

  /** A type may have several conditions; the first of the new ones belongs to the first old one. */
  private static MapNode withObservedGenerations(MapNode status, List<Node> old) {
    Map<String, Deque<Long>> known = new HashMap<>();
    for (Node item : old) {
      if (item instanceof MapNode condition) {
        known
            .computeIfAbsent(condition.text("type"), type -> new ArrayDeque<>())
            .add(condition.get(GENERATION) instanceof Node.Int number ? number.value() : 0L);
      }
    }
    List<Node> conditions = new ArrayList<>(status.items("conditions"));
    boolean changed = false;
    for (int i = 0; i < conditions.size(); i++) {
      if (conditions.get(i) instanceof MapNode condition) {
        Deque<Long> left = known.getOrDefault(condition.text("type"), new ArrayDeque<>());
        long number = left.isEmpty() ? 0 : left.remove();
        if (number != 0 && !condition.has(GENERATION)) {
          conditions.set(i, condition.with(GENERATION, new Node.Int(number)));
          changed = true;
        }
      }
    }
    return changed ? status.with("conditions", new Node.Items(conditions)) : status;
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

  private MapNode gated() {
    return MapNode.of("type", Node.text("PodScheduled"))
        .with("status", Node.text("False"))
        .with("lastTransitionTime", Node.text(timestamps.now()))
        .with("reason", Node.text("SchedulingGated"))
        .with("message", Node.text("Scheduling is blocked due to non-empty scheduling gates"));
  }
}
