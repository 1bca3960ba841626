package dev.keelson.registry.core;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The quality of service class of a pod, by the CPU and memory requests and limits of its
 * containers (source: Kubernetes' pod resources helpers).
 */
final class QualityOfService {

  private static final List<String> COUNTED = List.of("cpu", "memory");

  private static final Quantity ZERO = Quantity.of(0);

  private final Map<String, Quantity> requests = new HashMap<>();
  private final Map<String, Quantity> limits = new HashMap<>();
  private boolean allLimited = true;

  private QualityOfService() {}

  /** {@code Guaranteed}, {@code Burstable} or {@code BestEffort}. */
  static String of(MapNode podSpec) {
    QualityOfService counted = new QualityOfService();
    if (podSpec.get("resources") instanceof MapNode own && !own.isEmpty()) {
      counted.add(own);
    } else {
      for (String list : List.of("containers", "initContainers")) {
        for (Node item : podSpec.items(list)) {
          counted.add(
              item instanceof MapNode container ? container.map("resources") : MapNode.EMPTY);
        }
      }
    }
    return counted.result();
  }

  private void add(MapNode resources) {
    int limited = 0;
    for (String name : COUNTED) {
      Quantity asked = quantity(resources.map("requests").get(name));
      if (asked.signum() > 0) {
        requests.merge(name, asked, Quantity::plus);
      }
      Quantity most = quantity(resources.map("limits").get(name));
      if (most.signum() > 0) {
        limits.merge(name, most, Quantity::plus);
        limited++;
      }
    }
    allLimited &= limited == COUNTED.size();
  }

  /** The quantity; zero if malformed, which validation reports. */
  private static Quantity quantity(@Nullable Node node) {
    return switch (node) {
      case Node.Int whole -> Quantity.of(whole.value());
      case Node.Decimal decimal -> Quantity.tryParse(decimal.literal()).orElse(ZERO);
      case Node.Text text -> Quantity.tryParse(text.value()).orElse(ZERO);
      case null, default -> ZERO;
    };
  }

  private String result() {
    if (requests.isEmpty() && limits.isEmpty()) {
      return "BestEffort";
    }
    boolean guaranteed = allLimited && requests.size() == limits.size();
    for (Map.Entry<String, Quantity> asked : requests.entrySet()) {
      Quantity most = limits.get(asked.getKey());
      guaranteed &= most != null && most.compareTo(asked.getValue()) == 0;
    }
    return guaranteed ? "Guaranteed" : "Burstable";
  }
}
