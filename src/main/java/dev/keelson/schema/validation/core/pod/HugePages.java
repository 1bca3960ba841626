package dev.keelson.schema.validation.core.pod;

import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.value.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Huge pages, resources whose name ends with the size of a page: {@code hugepages-2Mi}. */
final class HugePages {
  private static final String PREFIX = "hugepages-";

  private HugePages() {}

  /** Whether the resource {@code name} is huge pages. */
  static boolean isOne(String name) {
    return name.startsWith(PREFIX);
  }

  /** Whether {@code entry} is an amount of huge pages and no multiple of their size. */
  static boolean isIndivisible(Value entry) {
    if (!isOne(entry.name())) {
      return false;
    }
    BigDecimal amount = QuantityRules.number(entry);
    BigDecimal size =
        Quantity.tryParse(entry.name().substring(PREFIX.length()))
            .map(Quantity::amount)
            .orElse(BigDecimal.ZERO);
    return amount != null
        && (size.signum() <= 0
            || size.stripTrailingZeros().scale() > 0
            || amount.setScale(0, RoundingMode.UP).remainder(size).signum() != 0);
  }

  /**
   * Whether the pod spec that {@code pod} replaces has such amounts; then it may have any (source:
   * usesIndivisibleHugePagesValues).
   */
  static boolean wereIndivisible(Value pod) {
    Value old = pod.holding(pod.before());
    for (String list : new String[] {"initContainers", "containers", "ephemeralContainers"}) {
      for (Value container : old.get(list)) {
        if (hasIndivisible(container.get("resources", "limits"))
            || hasIndivisible(container.get("resources", "requests"))) {
          return true;
        }
      }
    }
    return hasIndivisible(old.get("overhead"));
  }

  private static boolean hasIndivisible(Value amounts) {
    for (Value amount : amounts) {
      if (isIndivisible(amount)) {
        return true;
      }
    }
    return false;
  }
}
