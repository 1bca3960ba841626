package dev.keelson.scheduler.device;

import dev.keelson.scheduler.device.Device.Counter;
import dev.keelson.scheduler.device.Slice.PoolId;
import dev.keelson.value.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A pool of devices as a node sees it (source: {@code GatherPools} of {@code
 * dynamic-resource-allocation/structured}). Slices of older generations do not count.
 *
 * @param state whether devices can be allocated
 * @param devices those that can be used from the node
 * @param others the other devices of the pool, which take of the same counters
 * @param counters what the counters have when no device is allocated
 */
record Pool(
    PoolId id,
    State state,
    List<Device> devices,
    List<Device> others,
    Map<Counter, Quantity> counters) {

  /** Whether devices of a pool can be allocated. */
  enum State {
    USABLE,
    /** The driver is writing slices. */
    INCOMPLETE,
    /** Device names are not unique, or counters are missing. */
    INVALID
  }

  Pool {
    devices = List.copyOf(devices);
    others = List.copyOf(others);
    counters = Map.copyOf(counters);
  }

  /** The current slices of all pools. */
  static Map<PoolId, List<Slice>> current(List<Slice> slices) {
    Map<PoolId, List<Slice>> pools = new HashMap<>();
    for (Slice slice : slices) {
      List<Slice> known = pools.computeIfAbsent(slice.pool(), id -> new ArrayList<>());
      if (!known.isEmpty() && known.getFirst().generation() < slice.generation()) {
        known.clear();
      }
      if (known.isEmpty() || known.getFirst().generation() == slice.generation()) {
        known.add(slice);
      }
    }
    return pools;
  }

  /**
   * A pool for a node.
   *
   * @param slices all current ones of the pool
   */
  static Pool of(PoolId id, List<Slice> slices, String node, Map<String, String> labels) {
    if (slices.size() != slices.getFirst().slices()) {
      return new Pool(id, State.INCOMPLETE, List.of(), List.of(), Map.of());
    }
    List<Device> devices = new ArrayList<>();
    List<Device> others = new ArrayList<>();
    Map<Counter, Quantity> counters = new HashMap<>();
    for (Slice slice : slices) {
      counters.putAll(slice.counters());
      for (Device device : slice.devices()) {
        (device.placement().includes(node, labels) ? devices : others).add(device);
      }
    }
    return new Pool(
        id,
        isValid(devices, others, counters) ? State.USABLE : State.INVALID,
        devices,
        others,
        counters);
  }

  private static boolean isValid(
      List<Device> devices, List<Device> others, Map<Counter, Quantity> counters) {
    Set<DeviceId> names = new HashSet<>();
    for (Device device : devices) {
      if (!names.add(device.id())) {
        return false;
      }
    }
    return hasAll(devices, counters) && hasAll(others, counters);
  }

  private static boolean hasAll(List<Device> devices, Map<Counter, Quantity> counters) {
    return devices.stream()
        .allMatch(each -> counters.keySet().containsAll(each.consumed().keySet()));
  }

  /** What the counters have left beside some allocated devices. */
  Map<Counter, Quantity> left(Set<DeviceId> allocated) {
    if (counters.isEmpty()) {
      return Map.of();
    }
    Map<Counter, Quantity> left = new HashMap<>(counters);
    for (List<Device> list : List.of(devices, others)) {
      for (Device device : list) {
        if (allocated.contains(device.id())) {
          device
              .consumed()
              .forEach(
                  (counter, amount) ->
                      left.computeIfPresent(counter, (c, had) -> had.minus(amount)));
        }
      }
    }
    return left;
  }
}
