package dev.keelson.schema.pod;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the containers of a pod request or may use together: those that run side by side are added
 * up, each init container counts with the sidecars that were started before it (source: KEP-753).
 */
public final class ContainerTotals {

  private ContainerTotals() {}

  /**
   * The amounts by the resource's name.
   *
   * @param spec the spec of a pod
   * @param kind {@code requests} or {@code limits}
   */
  public static SortedMap<String, Quantity> of(MapNode spec, String kind) {
    SortedMap<String, Quantity> running = new TreeMap<>();
    for (MapNode container : spec.maps("containers")) {
      amounts(container, kind).forEach((name, amount) -> add(running, name, amount));
    }
    Map<String, Quantity> sidecars = new HashMap<>();
    Map<String, Quantity> starting = new HashMap<>();
    for (MapNode container : spec.maps("initContainers")) {
      Map<String, Quantity> together = amounts(container, kind);
      if (container.text("restartPolicy").equals("Always")) {
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

  private static Map<String, Quantity> amounts(MapNode container, String kind) {
    Map<String, Quantity> amounts = new HashMap<>();
    container
        .map("resources")
        .map(kind)
        .forEach(
            (name, amount) ->
                Quantity.tryParse(text(amount)).ifPresent(read -> amounts.put(name, read)));
    return amounts;
  }

  private static String text(Node amount) {
    return switch (amount) {
      case Node.Text text -> text.value();
      case Node.Int number -> Long.toString(number.value());
      case Node.Decimal number -> number.literal();
      default -> "";
    };
  }
}
