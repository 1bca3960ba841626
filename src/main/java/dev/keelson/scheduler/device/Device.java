package dev.keelson.scheduler.device;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
 * @param binding what its driver must do before a pod is bound that gets it
 */
record Device(
    DeviceId id,
    MapNode attributes,
    MapNode capacity,
    Map<Counter, Quantity> consumed,
    List<MapNode> taints,
    Placement placement,
    boolean shared,
    Binding binding) {

  /**
   * What must be before a pod is bound that gets the device.
   *
   * @param conditions that must become true; none if there is nothing to wait for
   * @param failures conditions of which none may become true
   * @param toNode whether the device belongs to the node of its first pod
   */
  record Binding(List<String> conditions, List<String> failures, boolean toNode) {

    Binding {
      conditions = List.copyOf(conditions);
      failures = List.copyOf(failures);
    }

    /** That of a device, or of one that was allocated. */
    static Binding of(MapNode source) {
      return new Binding(
          texts(source, "bindingConditions"),
          texts(source, "bindingFailureConditions"),
          Node.Bool.TRUE.equals(source.get("bindsToNode")));
    }

    private static List<String> texts(MapNode source, String list) {
      return source.items(list).stream()
          .flatMap(item -> item instanceof Node.Text text ? Stream.of(text.value()) : Stream.of())
          .toList();
    }
  }

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
        Binding.of(device));
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
