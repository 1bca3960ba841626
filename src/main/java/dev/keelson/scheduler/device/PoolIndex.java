package dev.keelson.scheduler.device;

import dev.keelson.scheduler.device.Slice.PoolId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the pools of a node among those of all nodes. Immutable. */
final class PoolIndex {

  /**
   * A pool.
   *
   * @param waits whether pods have to wait for devices of it
   */
  private record Known(PoolId id, List<Slice> slices, boolean waits) {}

  /** Pools of one node, by its name. */
  private final Map<String, List<Known>> local = new HashMap<>();

  private final List<Known> shared = new ArrayList<>();

  PoolIndex(List<Slice> slices) {
    Pool.current(slices).entrySet().stream()
        .map(entry -> new Known(entry.getKey(), entry.getValue(), waits(entry.getValue())))
        .sorted(Comparator.comparing(known -> known.id().toString()))
        .forEach(this::add);
  }

  private static boolean waits(List<Slice> slices) {
    return slices.stream()
        .flatMap(slice -> slice.devices().stream())
        .anyMatch(device -> !device.binding().conditions().isEmpty());
  }

  private void add(Known pool) {
    String node = pool.slices().getFirst().placement().node();
    boolean isLocal =
        !node.isEmpty()
            && pool.slices().stream().allMatch(slice -> slice.placement().node().equals(node));
    if (isLocal) {
      local.computeIfAbsent(node, name -> new ArrayList<>()).add(pool);
    } else {
      shared.add(pool);
    }
  }

  /** The pools with devices that can be used from a node, at the end those that pods wait for. */
  List<Pool> of(String node, Map<String, String> labels) {
    List<Pool> pools = new ArrayList<>();
    List<Pool> later = new ArrayList<>();
    for (Known pool : local.getOrDefault(node, List.of())) {
      (pool.waits() ? later : pools).add(Pool.of(pool.id(), pool.slices(), node, labels));
    }
    for (Known pool : shared) {
      if (pool.slices().stream().anyMatch(slice -> slice.concerns(node, labels))) {
        (pool.waits() ? later : pools).add(Pool.of(pool.id(), pool.slices(), node, labels));
      }
    }
    pools.addAll(later);
    return pools;
  }
}
