package dev.keelson.registry.core;

import dev.keelson.api.Quantities;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
      BigDecimal asked = number(resources.map("requests").get(name));
      if (asked.signum() > 0) {
        requests.merge(name, asked, BigDecimal::add);
      }
      BigDecimal most = number(resources.map("limits").get(name));
      if (most.signum() > 0) {
        limits.merge(name, most, BigDecimal::add);
        limited++;
      }
    }
    allLimited &= limited == COUNTED.size();
  }

  /** Zero for what is no quantity, of which validation tells. */
  private static BigDecimal number(@Nullable Node node) {
    BigDecimal number =
        switch (node) {
          case Node.Int whole -> BigDecimal.valueOf(whole.value());
          case Node.Decimal decimal -> Quantities.number(decimal.literal());
          case Node.Text text -> Quantities.number(text.value());
          case null, default -> null;
        };
    return number == null ? BigDecimal.ZERO : number;
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
