package dev.keelson.scheduler.device;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much of the capacity of a device a request takes (KEP-5075; source: {@code
 * consumable_capacity.go} of the allocators).
 */
final class SharedCapacity {

  private SharedCapacity() {}

  /**
   * What a request takes of a device, by the names that the device gives; null if the device does
   * not have a capacity that is asked for, or if its policy does not allow as much.
   *
   * @param wanted what the request asks for, by name
   */
  static @Nullable Map<String, Quantity> of(Device device, Map<String, Quantity> wanted) {
    Map<String, Quantity> open = new HashMap<>();
    wanted.forEach((name, amount) -> open.put(qualified(device, name), amount));
    Map<String, Quantity> taken = new LinkedHashMap<>();
    for (String name : device.capacity().keys()) {
      MapNode capacity = device.capacity().map(name);
      Quantity asked = open.remove(qualified(device, name));
      Quantity amount = amount(capacity, asked);
      if (amount == null) {
        return null;
      }
      taken.put(name, amount);
    }
    return open.isEmpty() ? taken : null;
  }

  /** Whether a device has room for more. */
  static boolean fits(Device device, Map<String, Quantity> used, Map<String, Quantity> more) {
    return more.entrySet().stream()
        .allMatch(
            each ->
                used.getOrDefault(each.getKey(), Quantity.of(0))
                        .plus(each.getValue())
                        .compareTo(quantity(device.capacity().map(each.getKey()), "value"))
                    <= 0);
  }

  /** What is used and more. */
  static Map<String, Quantity> sum(Map<String, Quantity> used, Map<String, Quantity> change) {
    Map<String, Quantity> sum = new HashMap<>(used);
    change.forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
    return sum;
  }

  /** What is used without some of it. */
  static Map<String, Quantity> without(Map<String, Quantity> used, Map<String, Quantity> change) {
    Map<String, Quantity> rest = new HashMap<>(used);
    change.forEach((name, amount) -> rest.computeIfPresent(name, (key, had) -> had.minus(amount)));
    return rest;
  }

  /** Names without a domain have that of the driver. */
  private static String qualified(Device device, String name) {
    return name.contains("/") ? name : device.id().driver() + "/" + name;
  }

  private static @Nullable Quantity amount(MapNode capacity, @Nullable Quantity asked) {
    MapNode policy = capacity.map("requestPolicy");
    if (asked == null) {
      return policy.has("default") ? quantity(policy, "default") : quantity(capacity, "value");
    }
    if (policy.has("validRange")) {
      return inRange(policy.map("validRange"), asked);
    }
    return policy.has("validValues") ? leastValid(policy, asked) : asked;
  }

  /** The amount rounded up to a step from the minimum; null if it is above the maximum. */
  private static @Nullable Quantity inRange(MapNode range, Quantity asked) {
    Quantity least = quantity(range, "min");
    Quantity amount = asked.compareTo(least) < 0 ? least : asked;
    Quantity step = quantity(range, "step");
    if (step.signum() > 0) {
      BigDecimal over = amount.minus(least).amount().remainder(step.amount());
      if (over.signum() > 0) {
        amount = amount.plus(step).minus(Quantity.parse(over.toPlainString()));
      }
    }
    return range.has("max") && amount.compareTo(quantity(range, "max")) > 0 ? null : amount;
  }

  private static @Nullable Quantity leastValid(MapNode policy, Quantity asked) {
    Quantity least = null;
    for (Node value : policy.items("validValues")) {
      Quantity valid =
          value instanceof Node.Text text
              ? Quantity.tryParse(text.value()).orElse(Quantity.of(0))
              : Quantity.of(0);
      if (valid.compareTo(asked) >= 0 && (least == null || valid.compareTo(least) < 0)) {
        least = valid;
      }
    }
    return least;
  }

  private static Quantity quantity(MapNode node, String key) {
    return Quantity.tryParse(node.text(key)).orElse(Quantity.of(0));
  }
}
