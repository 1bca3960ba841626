package dev.keelson.scheduler.device;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A device of a ResourceSlice.
 *
 * @param attributes by name, as the driver wrote them
 * @param capacity by name, as the driver wrote it
 * @param consumed the amounts that it takes of the shared counters of its pool when allocated
 * @param taints those that keep claims away which do not tolerate them
 * @param placement where it can be used
 * @param shared whether several claims may have it at once, as far as its capacity goes
 * @param unready whether its driver must act before a pod can be bound, which is not supported
 */
record Device(
    DeviceId id,
    MapNode attributes,
    MapNode capacity,
    Map<Counter, Quantity> consumed,
    List<MapNode> taints,
    Placement placement,
    boolean shared,
    boolean unready) {

  /** A counter that devices of a pool share. */
  record Counter(String set, String name) {}

  Device {
    consumed = Map.copyOf(consumed);
    taints = List.copyOf(taints);
  }

  static Device of(DeviceId id, MapNode device, @Nullable Placement ofSlice) {
    Map<Counter, Quantity> consumed = new HashMap<>();
    for (MapNode set : device.maps("consumesCounters")) {
      amounts(set.text("counterSet"), set.map("counters"))
          .forEach((counter, amount) -> consumed.merge(counter, amount, Quantity::plus));
    }
    return new Device(
        id,
        device.map("attributes"),
        device.map("capacity"),
        consumed,
        device.maps("taints").stream().filter(Device::repels).toList(),
        ofSlice == null ? Placement.of(device) : ofSlice,
        device.get("allowMultipleAllocations") instanceof Node.Bool is && is.value(),
        !device.items("bindingConditions").isEmpty());
  }

  private static boolean repels(MapNode taint) {
    String effect = taint.text("effect");
    return effect.equals("NoSchedule") || effect.equals("NoExecute");
  }

  /** The amounts of the counters of a set. */
  static Map<Counter, Quantity> amounts(String set, MapNode counters) {
    Map<Counter, Quantity> amounts = new HashMap<>();
    counters.forEach(
        (name, counter) -> {
          if (counter instanceof MapNode value) {
            amounts.put(
                new Counter(set, name),
                Quantity.tryParse(value.text("value")).orElse(Quantity.of(0)));
          }
        });
    return amounts;
  }

  /** An attribute by its qualified name; null if the device does not have it. */
  @Nullable Node attribute(String qualified) {
    Node found = attributes.get(qualified);
    int slash = qualified.indexOf('/');
    if (found != null || slash < 0 || !qualified.substring(0, slash).equals(id.driver())) {
      return found;
    }
    return attributes.get(qualified.substring(slash + 1));
  }
}
