package dev.keelson.controller.fit;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongBinaryOperator;

/**
 * Amounts of resources.
 *
 * @param milliCpu thousandths of a processor
 * @param memory bytes
 * @param storage bytes of ephemeral storage
 * @param others extended resources and huge pages by name, none of them 0
 */
public record Resources(long milliCpu, long memory, long storage, Map<String, Long> others) {

  /** Nothing. */
  public static final Resources NONE = new Resources(0, 0, 0, Map.of());

  private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);

  /** So that sums of many do not overflow; no machine has as much. */
  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE / 1_000_000);

  public Resources {
    others = Map.copyOf(others);
  }

  /** Reads a resource list; {@code pods} is left out, and so is what is not a quantity. */
  public static Resources of(MapNode list) {
    if (list.isEmpty()) {
      return NONE;
    }
    long cpu = 0;
    long memory = 0;
    long storage = 0;
    Map<String, Long> others = new HashMap<>();
    for (int i = 0; i < list.size(); i++) {
      String name = list.keyAt(i);
      BigDecimal amount = amount(list.valueAt(i));
      switch (name) {
        case "cpu" -> cpu = up(amount.multiply(THOUSAND));
        case "memory" -> memory = up(amount);
        case "ephemeral-storage" -> storage = up(amount);
        case "pods" -> {}
        default -> {
          if (amount.signum() != 0) {
            others.put(name, up(amount));
          }
        }
      }
    }
    return new Resources(cpu, memory, storage, others);
  }

  /** An amount as a whole number, rounded up; 0 if it is not a quantity. */
  public static long whole(MapNode list, String name) {
    Node value = list.get(name);
    return value == null ? 0 : up(amount(value));
  }

  private static BigDecimal amount(Node value) {
    return switch (value) {
      case Node.Text text ->
          Quantity.tryParse(text.value()).map(Quantity::amount).orElse(BigDecimal.ZERO);
      case Node.Int number -> BigDecimal.valueOf(number.value());
      default -> BigDecimal.ZERO;
    };
  }

  private static long up(BigDecimal amount) {
    return amount.compareTo(MOST) >= 0
        ? MOST.longValue()
        : amount.setScale(0, RoundingMode.UP).longValue();
  }

  /** The sum of both. */
  public Resources plus(Resources more) {
    return more == NONE ? this : combined(more, Math::addExact);
  }

  /** What is left of this. */
  public Resources minus(Resources less) {
    return less == NONE ? this : combined(less, Math::subtractExact);
  }

  /** The larger of both amounts of each resource. */
  public Resources max(Resources other) {
    return combined(other, Math::max);
  }

  private Resources combined(Resources other, LongBinaryOperator operator) {
    Map<String, Long> all = others;
    if (!other.others.isEmpty()) {
      all = new HashMap<>(others);
      for (Map.Entry<String, Long> entry : other.others.entrySet()) {
        long sum = operator.applyAsLong(all.getOrDefault(entry.getKey(), 0L), entry.getValue());
        if (sum == 0) {
          all.remove(entry.getKey());
        } else {
          all.put(entry.getKey(), sum);
        }
      }
    }
    return new Resources(
        operator.applyAsLong(milliCpu, other.milliCpu),
        operator.applyAsLong(memory, other.memory),
        operator.applyAsLong(storage, other.storage),
        all);
  }
}
