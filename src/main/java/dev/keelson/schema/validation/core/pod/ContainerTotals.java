package dev.keelson.schema.validation.core.pod;

import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.value.Quantity;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the containers of a pod request or may use together: those that run side by side are added
 * up, each init container counts with the sidecars that were started before it (source: KEP-753).
 */
final class ContainerTotals {

  private ContainerTotals() {}

  /**
   * The amounts by the resource's name.
   *
   * @param kind {@code requests} or {@code limits}
   */
  static Map<String, Quantity> of(Value pod, String kind) {
    Map<String, Quantity> running = new TreeMap<>();
    for (Value container : pod.get("containers")) {
      amounts(container, kind).forEach((name, amount) -> add(running, name, amount));
    }
    Map<String, Quantity> sidecars = new HashMap<>();
    Map<String, Quantity> starting = new HashMap<>();
    for (Value container : pod.get("initContainers")) {
      Map<String, Quantity> together = amounts(container, kind);
      if (container.get("restartPolicy").is("Always")) {
        together.forEach((name, amount) -> add(running, name, amount));
        together.forEach((name, amount) -> add(sidecars, name, amount));
        together = sidecars;
      } else {
        for (Map.Entry<String, Quantity> sidecar : sidecars.entrySet()) {
          add(together, sidecar.getKey(), sidecar.getValue());
        }
      }
      together.forEach((name, amount) -> starting.merge(name, amount, ContainerTotals::larger));
    }
    starting.forEach((name, amount) -> running.merge(name, amount, ContainerTotals::larger));
    return running;
  }

  private static void add(Map<String, Quantity> totals, String name, Quantity amount) {
    totals.merge(name, amount, Quantity::plus);
  }

  private static Quantity larger(Quantity one, Quantity other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private static Map<String, Quantity> amounts(Value container, String kind) {
    Map<String, Quantity> amounts = new HashMap<>();
    for (Value entry : container.get("resources", kind)) {
      Quantity.tryParse(QuantityRules.text(entry))
          .ifPresent(amount -> amounts.put(entry.name(), amount));
    }
    return amounts;
  }
}
