package dev.keelson.schema.validation.resource;

import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashSet;
import java.util.Set;

/** How the capacity of a device can be requested that several claims share (KEP-5075). */
final class RequestPolicyRules {

  private static final int MOST_VALUES = 10;
  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

  private RequestPolicyRules() {}

  /** Validates the policy of a capacity of which the device has {@code capacity}. */
  static void validate(Value policy, Value capacity) {
    Value values = policy.get("validValues");
    Value range = policy.get("validRange");
    Value preset = policy.get("default");
    if (values.size() > 0 && range.present()) {
      policy.forbidden(
          "exactly one policy can be specified, cannot specify \"validValues\" and \"validRange\""
              + " at the same time");
    } else if (values.size() > 0) {
      if (preset.absent()) {
        preset.required("required when validValues is defined");
      } else {
        values(values, preset, capacity);
      }
    } else if (range.present()) {
      if (preset.absent()) {
        preset.required("required when validRange is defined");
      } else {
        range(range, preset, capacity);
      }
    }
  }

  private static void values(Value values, Value preset, Value capacity) {
    for (int i = 1; i < values.size(); i++) {
      if (QuantityRules.greater(values.at(i - 1), values.at(i))) {
        invalid(values.at(i), "values must be sorted in ascending order");
      }
    }
    boolean hasDefault = false;
    if (values.size() > MOST_VALUES) {
      values.tooMany(MOST_VALUES);
    } else {
      for (Value value : values) {
        if (QuantityRules.greater(value, capacity)) {
          invalid(value, "option is larger than capacity value: " + QuantityRules.text(capacity));
        }
        hasDefault |= QuantityRules.equal(value, preset);
      }
      duplicates(values);
    }
    if (!hasDefault) {
      values.invalid(
          QuantityRules.text(preset), "default value is not valid according to the requestPolicy");
    }
  }

  private static void duplicates(Value values) {
    Set<String> seen = new HashSet<>();
    for (Value value : values) {
      BigDecimal number = QuantityRules.number(value);
      if (number != null) {
        // Kubernetes compares and shows the quantity rounded up to an integer
        String key = number.setScale(0, RoundingMode.UP).toPlainString();
        if (!seen.add(key)) {
          value.duplicate(key);
        }
      }
    }
  }

  private static void range(Value range, Value preset, Value capacity) {
    Value min = range.get("min");
    Value max = range.get("max");
    if (min.absent()) {
      min.required("required when validRange is defined");
      return;
    }
    String whole = QuantityRules.text(capacity);
    if (QuantityRules.greater(min, capacity)) {
      invalid(min, "min is larger than capacity value: " + whole);
    }
    if (QuantityRules.greater(min, preset)) {
      range
          .get("default")
          .invalid(
              QuantityRules.text(preset), "default is less than min: " + QuantityRules.text(min));
    }
    if (max.present()) {
      if (QuantityRules.greater(min, max)) {
        max.invalid(QuantityRules.text(min), "min is larger than max: " + QuantityRules.text(max));
      }
      if (QuantityRules.greater(max, capacity)) {
        invalid(max, "max is larger than capacity value: " + whole);
      }
      if (QuantityRules.greater(preset, max)) {
        range
            .get("default")
            .invalid(
                QuantityRules.text(preset), "default is more than max: " + QuantityRules.text(max));
      }
    }
    if (range.get("step").present()) {
      step(range, preset, capacity);
    }
  }

  private static void step(Value range, Value preset, Value capacity) {
    Value step = range.get("step");
    BigDecimal by = QuantityRules.number(step);
    BigDecimal from = QuantityRules.number(range.get("min"));
    BigDecimal whole = QuantityRules.number(capacity);
    if (by == null || from == null || whole == null) {
      // the decoder has rejected what is no quantity
      return;
    }
    if (by.signum() <= 0) {
      invalid(step, "must be greater than zero");
      return;
    }
    if (from.add(by).compareTo(whole) > 0) {
      invalid(
          step,
          "one step "
              + QuantityRules.sum(range.get("min"), step)
              + " is larger than capacity value: "
              + QuantityRules.text(capacity));
    }
    // each is checked, so that each is reported
    boolean usable = isUsable(range.get("default").holding(preset.node()));
    usable &= isUsable(range.get("min"));
    usable &= isUsable(range.get("max"));
    usable &= isUsable(step);
    if (usable) {
      multiple(preset, step, by, range.get("min"), from);
      multiple(range.get("max"), step, by, range.get("min"), from);
    }
  }

  /** Quantities are compared as 64-bit integers from here on. */
  private static boolean isUsable(Value bound) {
    BigDecimal number = bound.present() ? QuantityRules.number(bound) : null;
    if (number == null) {
      return true;
    }
    if (number.signum() < 0) {
      invalid(bound, "must be greater than or equal to 0");
      return false;
    }
    if (number.compareTo(MOST) > 0) {
      invalid(bound, "must not be larger than " + Long.MAX_VALUE);
      return false;
    }
    return true;
  }

  private static void multiple(Value value, Value step, BigDecimal by, Value min, BigDecimal from) {
    BigDecimal number = value.present() ? QuantityRules.number(value) : null;
    if (number != null && up(number).subtract(up(from)).remainder(up(by)).signum() != 0) {
      step.invalid(
          QuantityRules.text(value),
          "value is not a multiple of a given step ("
              + QuantityRules.text(step)
              + ") from ("
              + QuantityRules.text(min)
              + ")");
    }
  }

  /** As Kubernetes' {@code Quantity.Value()} rounds. */
  private static BigDecimal up(BigDecimal number) {
    return number.setScale(0, RoundingMode.UP);
  }

  private static void invalid(Value quantity, String detail) {
    quantity.invalid(QuantityRules.text(quantity), detail);
  }
}
