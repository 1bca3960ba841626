package dev.keelson.controller.devicetaint;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.Index;
import dev.keelson.client.informer.InformerType;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the controller keeps of a ResourceSlice.
 *
 * @param pool {@code DRIVER/POOL}
 * @param generation of the pool; slices of older ones do not count
 * @param taints by the name of the device; devices without taints that evict are left out
 */
record DeviceSlice(String pool, long generation, Map<String, List<EvictingTaint>> taints) {

  /** Finds the slices of a pool. */
  static final Index<DeviceSlice> BY_POOL = new Index<>(slice -> List.of(slice.pool()));

  static final InformerType<DeviceSlice> TYPE =
      new InformerType<>(
          new GroupVersion("resource.k8s.io", "v1").resource("resourceslices"),
          DeviceSlice::of,
          List.of(BY_POOL));

  DeviceSlice {
    taints = Map.copyOf(taints);
  }

  static DeviceSlice of(ApiObject slice) {
    MapNode spec = slice.root().map("spec");
    MapNode pool = spec.map("pool");
    Map<String, List<EvictingTaint>> taints = new HashMap<>();
    for (MapNode device : spec.maps("devices")) {
      List<EvictingTaint> evicting =
          device.maps("taints").stream().filter(EvictingTaint::is).map(EvictingTaint::of).toList();
      if (!evicting.isEmpty()) {
        taints.put(device.text("name"), evicting);
      }
    }
    return new DeviceSlice(
        pool(spec.text("driver"), pool.text("name")),
        pool.get("generation") instanceof Node.Int number ? number.value() : 0,
        taints);
  }

  /** The key of a pool. */
  static String pool(String driver, String name) {
    return driver + "/" + name;
  }

  /** The taints of a device according to the newest ones of the slices of its pool. */
  static List<EvictingTaint> taints(List<DeviceSlice> slices, String device) {
    long newest = Long.MIN_VALUE;
    for (DeviceSlice slice : slices) {
      newest = Math.max(newest, slice.generation());
    }
    for (DeviceSlice slice : slices) {
      List<EvictingTaint> taints = slice.taints().get(device);
      if (taints != null && slice.generation() == newest) {
        return taints;
      }
    }
    return List.of();
  }
}
