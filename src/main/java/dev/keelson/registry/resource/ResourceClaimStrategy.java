package dev.keelson.registry.resource;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Drops the status of devices that an update of the claim deallocates (source:
 * dropDeallocatedStatusDevices).
 */
public final class ResourceClaimStrategy implements KindStrategy {

  private record Device(String driver, String pool, String name) {
    static Device of(MapNode node) {
      return new Device(node.text("driver"), node.text("pool"), node.text("device"));
    }
  }

  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    MapNode status = object.root().map("status");
    List<Node> devices = status.items("devices");
    if (devices.isEmpty()) {
      return object;
    }
    Set<Device> deallocated = allocated(current);
    deallocated.removeAll(allocated(object));
    List<Node> kept = new ArrayList<>();
    for (Node device : devices) {
      if (!(device instanceof MapNode map && deallocated.contains(Device.of(map)))) {
        kept.add(device);
      }
    }
    if (kept.size() == devices.size()) {
      return object;
    }
    return object.with(
        "status",
        kept.isEmpty() ? status.without("devices") : status.with("devices", new Node.Items(kept)));
  }

  private static Set<Device> allocated(ApiObject claim) {
    Set<Device> devices = new HashSet<>();
    MapNode allocation = claim.root().map("status").map("allocation");
    for (Node result : allocation.map("devices").items("results")) {
      if (result instanceof MapNode map) {
        devices.add(Device.of(map));
      }
    }
    return devices;
  }
}
