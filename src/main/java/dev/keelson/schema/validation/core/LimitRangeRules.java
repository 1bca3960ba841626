package dev.keelson.schema.validation.core;

import dev.keelson.api.Names;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.pod.ResourceRules;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Limit ranges. */
final class LimitRangeRules implements KindRules {
  private static final Set<String> TYPES = Set.of("Pod", "Container", "PersistentVolumeClaim");

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Set<String> types = new HashSet<>();
    for (Value limit : object.get("spec", "limits")) {
      Value type = limit.get("type").orEmpty();
      type(type);
      if (!types.add(type.text())) {
        type.duplicate();
      }
      limit(limit, type);
    }
  }

  private static void type(Value type) {
    String problem = Names.qualifiedName(type.text());
    if (!problem.isEmpty()) {
      type.invalid(problem);
    } else if (type.text().indexOf('/') < 0 && !TYPES.contains(type.text())) {
      type.invalid("must be a standard limit type or fully qualified");
    }
  }

  private static void limit(Value limit, Value type) {
    Set<String> keys = new TreeSet<>();
    names(limit.get("max"), type, keys);
    names(limit.get("min"), type, keys);
    for (String field : new String[] {"default", "defaultRequest"}) {
      if (!type.is("Pod")) {
        names(limit.get(field), type, keys);
      } else if (limit.get(field).size() > 0) {
        limit.get(field).forbidden("may not be specified when `type` is 'Pod'");
      }
    }
    if (type.is("PersistentVolumeClaim")
        && limit.get("min").key("storage").absent()
        && limit.get("max").key("storage").absent()) {
      limit
          .get("limits")
          .required(
              "either minimum or maximum storage value is required, but neither was provided");
    }
    names(limit.get("maxLimitRequestRatio"), type, keys);
    for (String key : keys) {
      amounts(limit, key, type.is("Pod"));
    }
  }

  private static void names(Value amounts, Value type, Set<String> keys) {
    for (Value amount : amounts) {
      if (type.is("Pod") || type.is("Container")) {
        ResourceRules.validateContainerResourceName(amount, amount.name());
      } else {
        ResourceRules.validateResourceName(amount, amount.name());
      }
      keys.add(amount.name());
    }
  }

  /** The bounds of one resource must be consistent. */
  private static void amounts(Value limit, String key, boolean ofPods) {
    Value min = limit.get("min").key(key);
    Value max = limit.get("max").key(key);
    Value none = limit.get("").key(key);
    Value limits = ofPods ? none : limit.get("default").key(key);
    Value requests = ofPods ? none : limit.get("defaultRequest").key(key);
    Value ratio = limit.get("maxLimitRequestRatio").key(key);
    ordered(min, "min", max, "max", min, min);
    ordered(min, "min", requests, "default request", requests, requests);
    ordered(requests, "default request", max, "max", requests, requests);
    ordered(requests, "default request", limits, "default limit", requests, requests);
    ordered(min, "min", limits, "default", limits, min);
    ordered(limits, "default", max, "max", limits, max);
    ratio(ratio, min, max);
    if (!ResourceRules.isOvercommitAllowed(key)
        && limits.present()
        && requests.present()
        && !QuantityRules.equal(limits, requests)) {
      requests.invalid(
          "default value "
              + QuantityRules.text(limits)
              + " must equal to defaultRequest value "
              + QuantityRules.text(requests)
              + " in "
              + key);
    }
  }

  private static void ordered(
      Value low, String lowName, Value high, String highName, Value shownAt, Value shown) {
    if (low.present() && high.present() && QuantityRules.greater(low, high)) {
      shownAt.invalid(
          QuantityRules.text(shown),
          "%s value %s is greater than %s value %s"
              .formatted(lowName, QuantityRules.text(low), highName, QuantityRules.text(high)));
    }
  }

  private static void ratio(Value ratio, Value min, Value max) {
    BigDecimal number = ratio.present() ? QuantityRules.number(ratio) : null;
    if (number == null) {
      return;
    }
    String shown = QuantityRules.text(ratio);
    if (number.compareTo(BigDecimal.ONE) < 0) {
      ratio.invalid(shown, "ratio " + shown + " is less than 1");
    }
    BigDecimal low = min.present() ? QuantityRules.number(min) : null;
    BigDecimal high = max.present() ? QuantityRules.number(max) : null;
    if (low != null && high != null) {
      double most = high.doubleValue() / low.doubleValue();
      if (number.doubleValue() > most) {
        ratio.invalid(
            shown,
            String.format(Locale.ROOT, "ratio %s is greater than max/min = %f", shown, most));
      }
    }
  }
}
