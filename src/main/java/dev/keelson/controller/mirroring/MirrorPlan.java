package dev.keelson.controller.mirroring;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.mirroring.MirroredSubsets.Group;
import dev.keelson.controller.mirroring.MirroredSubsets.Key;
import dev.keelson.controller.workload.Owner;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The writes that bring the slices of an Endpoints object to what it says: one slice for each set
 * of ports and address family (source: Kubernetes' {@code endpointslicemirroring/reconciler.go}).
 *
 * @param creates new slices
 * @param updates existing slices with other contents
 * @param deletes existing slices
 */
record MirrorPlan(List<ApiObject> creates, List<ApiObject> updates, List<ApiObject> deletes) {

  static final GroupVersionResource RESOURCE =
      new GroupVersion("discovery.k8s.io", "v1").resource("endpointslices");

  /** The label with the name of the Service. */
  static final String SERVICE = "kubernetes.io/service-name";

  /** The label with the name of the controller. */
  static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";

  static final String CONTROLLER = "endpointslicemirroring-controller.k8s.io";

  private static final List<String> NOT_MIRRORED =
      List.of(
          "endpoints.kubernetes.io/last-change-trigger-time",
          "kubectl.kubernetes.io/last-applied-configuration");

  private static final List<String> COMPARED = List.of("nodeName", "zone", "targetRef");
  private static final List<String> CONDITIONS = List.of("ready", "serving", "terminating");
  private static final int LONGEST_NAME = 253;

  /**
   * A plan.
   *
   * @param existing the slices of this controller for the Service
   */
  static MirrorPlan of(ApiObject endpoints, MirroredSubsets wanted, List<ApiObject> existing) {
    MirrorPlan plan = new MirrorPlan(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    Map<Key, List<ApiObject>> byKey = new LinkedHashMap<>();
    for (ApiObject slice : existing) {
      byKey.computeIfAbsent(Key.of(slice), _ -> new ArrayList<>()).add(slice);
    }
    wanted
        .groups()
        .forEach(
            (key, group) -> plan.bring(endpoints, key, group, byKey.getOrDefault(key, List.of())));
    byKey.forEach(
        (key, slices) -> {
          if (!wanted.groups().containsKey(key)) {
            plan.deletes.addAll(slices);
          }
        });
    plan.recycle();
    if (endpoints.meta().deleting()) {
      plan.creates.clear();
    }
    return plan;
  }

  private void bring(ApiObject endpoints, Key key, Group group, List<ApiObject> slices) {
    if (slices.isEmpty()) {
      creates.add(created(endpoints, key, group));
      return;
    }
    deletes.addAll(slices.subList(1, slices.size()));
    ApiObject first = slices.getFirst();
    MapNode metadata = metadata(first.root().map("metadata"), endpoints);
    if (!metadata.equals(first.root().map("metadata")) || !same(first, group)) {
      updates.add(filled(first.root().with("metadata", metadata), group));
    }
  }

  private static ApiObject created(ApiObject endpoints, Key key, Group group) {
    String name = endpoints.meta().name();
    MapNode metadata =
        MapNode.builder(5)
            .put("generateName", Node.text(name.length() < LONGEST_NAME ? name + "-" : name))
            .put("namespace", Node.text(endpoints.meta().namespace()))
            .build();
    MapNode root =
        MapNode.builder(6)
            .put("apiVersion", Node.text(RESOURCE.apiVersion()))
            .put("kind", Node.text("EndpointSlice"))
            .put("metadata", metadata(metadata, endpoints))
            .put("addressType", Node.text(key.family()))
            .build();
    return filled(root, group);
  }

  private static ApiObject filled(MapNode root, Group group) {
    return new ApiObject(
        root.with("endpoints", new Items(List.copyOf(group.endpoints().values())))
            .with("ports", group.ports()));
  }

  /** Labels, annotations and owner of a slice; the rest of the metadata stays. */
  private static MapNode metadata(MapNode metadata, ApiObject endpoints) {
    Map<String, String> labels = new HashMap<>(endpoints.meta().labels());
    labels.put(SERVICE, endpoints.meta().name());
    labels.put(MANAGED_BY, CONTROLLER);
    Map<String, String> annotations = new HashMap<>(endpoints.meta().annotations());
    NOT_MIRRORED.forEach(annotations::remove);
    MapNode changed = metadata.with("labels", MapNode.ofTexts(labels));
    if (!annotations.equals(metadata.map("annotations").texts())) {
      changed = changed.with("annotations", MapNode.ofTexts(annotations));
    }
    String uid = endpoints.meta().uid();
    if (metadata.maps("ownerReferences").stream().anyMatch(each -> each.text("uid").equals(uid))) {
      return changed;
    }
    MapNode owner =
        Owner.reference(
            ObjectReference.of(
                "v1", "Endpoints", endpoints.meta().namespace(), endpoints.meta().name(), uid));
    return changed.with("ownerReferences", new Items(List.of(owner)));
  }

  private static boolean same(ApiObject slice, Group group) {
    List<MapNode> told = slice.root().maps("endpoints");
    return told.size() == group.endpoints().size()
        && told.stream()
            .allMatch(each -> same(each, group.endpoints().get(MirroredSubsets.identity(each))));
  }

  private static boolean same(MapNode told, @Nullable MapNode wanted) {
    return wanted != null
        && COMPARED.stream().allMatch(field -> Objects.equals(told.get(field), wanted.get(field)))
        && CONDITIONS.stream()
            .allMatch(
                field ->
                    Objects.equals(
                        told.map("conditions").get(field), wanted.map("conditions").get(field)));
  }

  /** A slice that would be deleted is written as one of its family that would be created. */
  private void recycle() {
    for (ApiObject made : List.copyOf(creates)) {
      String family = made.root().text("addressType");
      deletes.stream()
          .filter(slice -> slice.root().text("addressType").equals(family))
          .findFirst()
          .ifPresent(
              old -> {
                deletes.remove(old);
                creates.remove(made);
                MapNode metadata = old.root().map("metadata");
                for (String field : List.of("labels", "annotations", "ownerReferences")) {
                  metadata = metadata.replaced(field, made.root().map("metadata").get(field));
                }
                updates.add(new ApiObject(made.root().with("metadata", metadata)));
              });
    }
  }
}
