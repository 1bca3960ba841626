package dev.keelson.registry.core;

import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The class by which a node chooses what to end first when it is short of memory: from what the
 * containers ask for and are limited to in CPU and memory (source: Kubernetes' pod resources
 * helpers).
 */
final class QualityOfService {

  private static final List<String> COUNTED = List.of("cpu", "memory");

  private final Map<String, BigDecimal> requests = new HashMap<>();
  private final Map<String, BigDecimal> limits = new HashMap<>();
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
      BigDecimal asked = Quantity.of(resources.map("requests").get(name));
      if (asked.signum() > 0) {
        requests.merge(name, asked, BigDecimal::add);
      }
      BigDecimal most = Quantity.of(resources.map("limits").get(name));
      if (most.signum() > 0) {
        limits.merge(name, most, BigDecimal::add);
        limited++;
      }
    }
    allLimited &= limited == COUNTED.size();
  }

  private String result() {
    if (requests.isEmpty() && limits.isEmpty()) {
      return "BestEffort";
    }
    boolean guaranteed = allLimited && requests.size() == limits.size();
    for (Map.Entry<String, BigDecimal> asked : requests.entrySet()) {
      BigDecimal most = limits.get(asked.getKey());
      guaranteed &= most != null && most.compareTo(asked.getValue()) == 0;
    }
    return guaranteed ? "Guaranteed" : "Burstable";
  }
}
