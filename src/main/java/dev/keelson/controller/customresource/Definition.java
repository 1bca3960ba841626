package dev.keelson.controller.customresource;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.util.List;
import java.util.Optional;

/**
 * What the controllers keep of a CustomResourceDefinition.
 *
 * @param revision its resourceVersion
 * @param requested {@code spec.names}
 * @param accepted {@code status.acceptedNames}
 * @param approval the condition that its approval annotation demands, if its group is protected
 * @param legacy whether its schemas may violate the rules of structural schemas: only definitions
 *     that were created in {@code v1beta1} can
 * @param cleaned whether it has the finalizer that waits for the removal of its objects
 */
record Definition(
    String name,
    String uid,
    long revision,
    String group,
    DefinitionNames requested,
    DefinitionNames accepted,
    List<DefinitionCondition> conditions,
    Optional<DefinitionCondition> approval,
    boolean legacy,
    boolean deleting,
    boolean cleaned) {

  static final GroupVersionResource RESOURCE =
      new GroupVersion("apiextensions.k8s.io", "v1").resource("customresourcedefinitions");

  /** Delays the removal of a definition until its objects are removed. */
  static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

  Definition {
    conditions = List.copyOf(conditions);
  }

  /** Reads a definition with its resourceVersion. */
  static Definition of(ApiObject object) {
    ObjectMeta meta = object.meta();
    MapNode spec = object.root().map("spec");
    MapNode status = object.root().map("status");
    String version = meta.resourceVersion();
    return new Definition(
        meta.name(),
        meta.uid(),
        version.isEmpty() ? 0 : Long.parseLong(version),
        spec.text("group"),
        DefinitionNames.of(spec.map("names")),
        DefinitionNames.of(status.map("acceptedNames")),
        status.maps("conditions").stream().map(DefinitionCondition::of).toList(),
        ApprovalPolicy.condition(spec.text("group"), meta.annotations()),
        spec.get("preserveUnknownFields") == Node.Bool.TRUE,
        meta.deleting(),
        meta.finalizers().contains(FINALIZER));
  }

  Optional<DefinitionCondition> condition(String type) {
    return conditions.stream().filter(condition -> condition.type().equals(type)).findFirst();
  }

  boolean isTrue(String type) {
    return condition(type).filter(DefinitionCondition::isTrue).isPresent();
  }

  /** Whether another state of it has and requests the same names. */
  boolean hasClaimsOf(Definition other) {
    return accepted.equals(other.accepted)
        && requested.equals(other.requested)
        && deleting == other.deleting;
  }

  /** Whether it requests names that are not accepted yet, and can still get them. */
  boolean pending() {
    return !deleting && !requested.equals(accepted);
  }
}
