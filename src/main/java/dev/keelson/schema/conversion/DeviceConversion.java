package dev.keelson.schema.conversion;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * ResourceClaims, their templates and ResourceSlices of resource.k8s.io/v1beta1: the demands of a
 * request are in {@code exactly} since v1beta2, and what a device has is no longer in {@code
 * basic}.
 */
final class DeviceConversion {

  /** The fields of a request that v1 has in {@code exactly}. */
  private static final List<String> EXACTLY =
      List.of(
          "deviceClassName",
          "selectors",
          "allocationMode",
          "count",
          "adminAccess",
          "tolerations",
          "capacity");

  private DeviceConversion() {}

  static MapNode newClaim(MapNode old) {
    return Edits.edited(old, "spec", DeviceConversion::newSpec);
  }

  static MapNode newTemplate(MapNode old) {
    return Edits.edited(old, "spec", spec -> Edits.edited(spec, "spec", DeviceConversion::newSpec));
  }

  private static MapNode newSpec(MapNode spec) {
    return Edits.edited(
        spec,
        "devices",
        devices -> Edits.editedItems(devices, "requests", DeviceConversion::newRequest));
  }

  private static MapNode newRequest(MapNode old) {
    MapNode request = old;
    MapNode exactly = MapNode.EMPTY;
    for (String field : EXACTLY) {
      Node value = Edits.set(old, field);
      request = request.without(field);
      exactly = value == null ? exactly : exactly.with(field, value);
    }
    return exactly.isEmpty() ? request : request.with("exactly", exactly);
  }

  static MapNode newSlice(MapNode old) {
    return Edits.edited(
        old,
        "spec",
        spec -> Edits.editedItems(withoutEmpty(spec), "devices", DeviceConversion::newDevice));
  }

  /** The spec without what the old version writes for an unset node name and {@code allNodes}. */
  private static MapNode withoutEmpty(MapNode spec) {
    MapNode rest = spec.text("nodeName").isEmpty() ? spec.without("nodeName") : spec;
    return rest.get("allNodes") == Bool.FALSE ? rest.without("allNodes") : rest;
  }

  private static MapNode newDevice(MapNode old) {
    MapNode.Builder device = old.without("basic").toBuilder();
    old.map("basic").forEach(device::put);
    return device.build();
  }
}
