package dev.keelson.controller.devicetaint;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.Index;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the controller keeps of a ResourceClaim.
 *
 * @param devices those of its allocation; empty without one
 * @param consumers the uids of those that have reserved it
 */
record DeviceClaim(ObjectName name, List<Allocated> devices, Set<String> consumers) {

  /** Finds claims by the keys of their devices. */
  static final Index<DeviceClaim> BY_DEVICE =
      new Index<>(claim -> claim.devices().stream().map(Allocated::key).distinct().toList());

  static final InformerType<DeviceClaim> TYPE =
      new InformerType<>(
          new GroupVersion("resource.k8s.io", "v1").resource("resourceclaims"),
          DeviceClaim::of,
          List.of(BY_DEVICE));

  /**
   * A device that is allocated.
   *
   * @param pool {@code DRIVER/POOL}
   */
  record Allocated(String pool, String device, List<DeviceToleration> tolerations) {

    Allocated {
      tolerations = List.copyOf(tolerations);
    }

    static Allocated of(MapNode result) {
      return new Allocated(
          DeviceSlice.pool(result.text("driver"), result.text("pool")),
          result.text("device"),
          result.maps("tolerations").stream()
              .filter(DeviceToleration::is)
              .map(DeviceToleration::of)
              .toList());
    }

    String key() {
      return key(pool, device);
    }

    static String key(String pool, String device) {
      return pool + "/" + device;
    }

    /** When a taint ends the use of the device; {@link Instant#MAX} for never. */
    Instant end(EvictingTaint taint) {
      return tolerations.stream()
          .filter(each -> each.tolerates(taint))
          .map(each -> each.end(taint))
          .min(Instant::compareTo)
          .orElse(taint.since());
    }
  }

  DeviceClaim {
    devices = List.copyOf(devices);
    consumers = Set.copyOf(consumers);
  }

  static DeviceClaim of(ApiObject claim) {
    MapNode status = claim.root().map("status");
    Set<String> consumers = new HashSet<>();
    status.maps("reservedFor").forEach(consumer -> consumers.add(consumer.text("uid")));
    return new DeviceClaim(
        ObjectName.of(claim.meta()),
        status.map("allocation").map("devices").maps("results").stream()
            .map(Allocated::of)
            .toList(),
        consumers);
  }

  /**
   * When the pods that use it must go; null if they may stay.
   *
   * @param taints those of a device
   */
  @Nullable Instant end(Function<Allocated, List<EvictingTaint>> taints) {
    Instant earliest = Instant.MAX;
    for (Allocated device : devices) {
      for (EvictingTaint taint : taints.apply(device)) {
        Instant end = device.end(taint);
        earliest = end.isBefore(earliest) ? end : earliest;
      }
    }
    return earliest.equals(Instant.MAX) ? null : earliest;
  }
}
