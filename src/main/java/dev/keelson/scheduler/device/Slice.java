package dev.keelson.scheduler.device;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.InformerType;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.scheduler.device.Device.Counter;
import dev.keelson.value.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the scheduler keeps of a ResourceSlice.
 *
 * @param generation of the pool; slices of older ones do not count
 * @param slices how many the pool has in this generation
 * @param placement where the devices can be used, unless each says it itself
 * @param perDevice whether each device says where it can be used
 * @param counters the amounts of shared counters
 */
record Slice(
    PoolId pool,
    long generation,
    long slices,
    Placement placement,
    boolean perDevice,
    List<Device> devices,
    Map<Counter, Quantity> counters) {

  static final InformerType<Slice> TYPE =
      new InformerType<>(
          new GroupVersion("resource.k8s.io", "v1").resource("resourceslices"),
          Slice::of,
          List.of());

  /** The name of a pool of devices. */
  record PoolId(String driver, String name) {
    @Override
    public String toString() {
      return driver + "/" + name;
    }
  }

  Slice {
    devices = List.copyOf(devices);
    counters = Map.copyOf(counters);
  }

  static Slice of(ApiObject slice) {
    MapNode spec = slice.root().map("spec");
    MapNode pool = spec.map("pool");
    PoolId id = new PoolId(spec.text("driver"), pool.text("name"));
    boolean perDevice = spec.get("perDeviceNodeSelection") instanceof Node.Bool is && is.value();
    Placement placement = Placement.of(spec);
    Map<Counter, Quantity> counters = new HashMap<>();
    for (MapNode set : spec.maps("sharedCounters")) {
      counters.putAll(Device.amounts(set.text("name"), set.map("counters")));
    }
    return new Slice(
        id,
        pool.get("generation") instanceof Node.Int number ? number.value() : 0,
        pool.get("resourceSliceCount") instanceof Node.Int number ? number.value() : 0,
        placement,
        perDevice,
        spec.maps("devices").stream()
            .map(
                device ->
                    Device.of(
                        new DeviceId(id.driver(), id.name(), device.text("name")),
                        device,
                        perDevice ? null : placement))
            .toList(),
        counters);
  }

  /** Whether a pod on a node needs to know it. */
  boolean concerns(String node, Map<String, String> labels) {
    if (!counters.isEmpty()) {
      return true;
    }
    return perDevice
        ? devices.stream().anyMatch(device -> device.placement().includes(node, labels))
        : placement.includes(node, labels);
  }
}
