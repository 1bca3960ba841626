package dev.keelson.registry.subresource;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.Collection;
import dev.keelson.registry.Preconditions;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.Timestamps;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.write.ObjectPart;
import dev.keelson.registry.write.UpdateFunction;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Assigns a pod to the node that a Binding names, once (source: kube-apiserver's binding). */
public final class PodBinding {

  private static final GroupResource BINDING = new GroupResource("", "pods/binding");

  private final GenericRegistry registry;
  private final Timestamps timestamps;

  public PodBinding(GenericRegistry registry, InstantSource clock) {
    this.registry = registry;
    this.timestamps = new Timestamps(clock);
  }

  /**
   * Assigns the pod {@code name}.
   *
   * @param sentTo the collection that the Binding is created in: that of pods or of bindings
   * @param subresource the subresource that it is created in, or empty
   * @throws ApiException of reason NotFound; Conflict if the pod has a node, is being deleted or is
   *     not to be scheduled yet; BadRequest if the Binding is about another pod
   */
  public void bind(
      Collection sentTo,
      String subresource,
      Collection pods,
      String name,
      ApiObject sent,
      WriteOptions options) {
    ApiObject binding =
        registry.admitUnstored(Verb.CREATE, sentTo, subresource, name, sent, options);
    if (!binding.meta().name().equals(name)) {
      throw ApiException.badRequest("name in URL does not match name in Binding object");
    }
    String node = target(binding);
    StoredObject unused =
        registry.edit(
            pods,
            name,
            ObjectPart.BINDING,
            UpdateFunction.untracked(pod -> bound(pods, pod, binding, node)),
            options.unadmitted());
  }

  private static String target(ApiObject binding) {
    MapNode target = binding.root().map("target");
    String kind = target.text("kind");
    List<String> problems = new ArrayList<>();
    if (!kind.isEmpty() && !kind.equals("Node")) {
      problems.add(
          "target.kind: Unsupported value: \""
              + kind
              + "\": supported values: \"Node\", \"<empty>\"");
    }
    if (target.text("name").isEmpty()) {
      problems.add("target.name: Required value");
    }
    if (!problems.isEmpty()) {
      // Kubernetes returns these without the reason Invalid
      throw new ApiException(
          Reason.UNKNOWN,
          problems.size() == 1 ? problems.get(0) : "[" + String.join(", ", problems) + "]");
    }
    return target.text("name");
  }

  private static MapNode withAll(MapNode texts, Map<String, String> more) {
    MapNode.Builder all = texts.toBuilder();
    more.forEach((key, value) -> all.set(key, Node.text(value)));
    return all.build();
  }

  private ApiObject bound(Collection pods, ApiObject pod, ApiObject binding, String node) {
    ObjectMeta meta = pod.meta();
    MapNode spec = pod.root().map("spec");
    ObjectMeta wanted = binding.meta();
    Preconditions.checkUid(pods, meta.name(), wanted.uid(), meta.uid());
    Preconditions.checkResourceVersion(
        pods, meta.name(), wanted.resourceVersion(), meta.resourceVersion());
    if (meta.deleting()) {
      throw conflict(
          meta, "pod " + meta.name() + " is being deleted, cannot be assigned to a host");
    }
    String assigned = spec.text("nodeName");
    if (!assigned.isEmpty()) {
      throw conflict(
          meta, "pod " + meta.name() + " is already assigned to node \"" + assigned + "\"");
    }
    if (!spec.items("schedulingGates").isEmpty()) {
      throw conflict(meta, "pod " + meta.name() + " has non-empty .spec.schedulingGates");
    }
    MapNode annotations = withAll(meta.node().map("annotations"), wanted.annotations());
    MapNode labels = withAll(meta.node().map("labels"), wanted.labels());
    ObjectMeta next = annotations.isEmpty() ? meta : meta.with("annotations", annotations);
    next = labels.isEmpty() ? next : next.with("labels", labels);
    return pod.withMeta(next)
        .with("spec", spec.with("nodeName", Node.text(node)))
        .with("status", scheduled(pod.root().map("status")));
  }

  private static ApiException conflict(ObjectMeta pod, String detail) {
    return ApiException.conflict(BINDING, pod.name(), detail);
  }

  private MapNode scheduled(MapNode status) {
    MapNode condition =
        MapNode.builder(3)
            .put("type", Node.text("PodScheduled"))
            .put("status", Node.text("True"))
            .put("lastTransitionTime", Node.text(timestamps.now()))
            .build();
    return StatusConditions.set(status.without("nominatedNodeName"), condition);
  }
}
