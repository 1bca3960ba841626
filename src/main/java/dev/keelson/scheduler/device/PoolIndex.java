package dev.keelson.scheduler.device;

import dev.keelson.scheduler.device.Slice.PoolId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the pools of a node among those of all nodes. Immutable. */
final class PoolIndex {

  private record Known(PoolId id, List<Slice> slices) {}

  /** Pools of one node, by its name. */
  private final Map<String, List<Known>> local = new HashMap<>();

  private final List<Known> shared = new ArrayList<>();

  PoolIndex(List<Slice> slices) {
    Pool.current(slices).entrySet().stream()
        .map(entry -> new Known(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparing(known -> known.id().toString()))
        .forEach(this::add);
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

  /** The pools with devices that can be used from a node. */
  List<Pool> of(String node, Map<String, String> labels) {
    List<Pool> pools = new ArrayList<>();
    for (Known pool : local.getOrDefault(node, List.of())) {
      pools.add(Pool.of(pool.id(), pool.slices(), node, labels));
    }
    for (Known pool : shared) {
      if (pool.slices().stream().anyMatch(slice -> slice.concerns(node, labels))) {
        pools.add(Pool.of(pool.id(), pool.slices(), node, labels));
      }
    }
    return pools;
  }
}
