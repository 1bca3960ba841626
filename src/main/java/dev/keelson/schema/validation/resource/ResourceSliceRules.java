package dev.keelson.schema.validation.resource;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Slices of pools of devices. */
final class ResourceSliceRules implements KindRules {

  private static final int MOST_DEVICES = 128;

  /** With taints, consumed counters or lists as attributes, a device takes more room. */
  private static final int MOST_ADVANCED_DEVICES = 64;

  private static final int MOST_COUNTER_SETS = 8;
  private static final String EXACTLY_ONE =
      "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
  private static final String[] LISTS = {"ints", "bools", "strings", "versions"};

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.NEVER;
  }

  @Override
  public void validateCreate(Value object) {
    spec(object.get("spec"), object.get("spec").holding(null));
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    spec(object.get("spec"), old.get("spec"));
  }

  /** Warns about the name of a driver in capitals, which others compare letter by letter. */
  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    String driver = object.get("spec", "driver").text();
    if (!driver.equals(driver.toLowerCase(Locale.ROOT))) {
      warnings.accept(
          "spec.driver: driver names should be lowercase; "
              + GoQuote.quote(driver)
              + " contains uppercase characters");
    }
  }

  /** {@code old} is absent for a new slice. */
  private static void spec(Value spec, Value old) {
    DeviceNames.driver(spec.get("driver"));
    pool(spec.get("pool"));
    if (old.present()) {
      spec.get("pool", "name").immutable(old.get("pool", "name"));
      spec.get("driver").immutable(old.get("driver"));
      spec.get("nodeName").immutable(old.get("nodeName"));
    }
    nodes(spec);
    Value devices = spec.get("devices");
    Value counters = spec.get("sharedCounters");
    if (counters.present() && devices.present()) {
      spec.invalid("", "only one of `sharedCounters` or `devices` is allowed");
    }
    devices(devices, old.get("devices"), spec.get("perDeviceNodeSelection").flag());
    counterSets(counters);
  }

  private static void pool(Value pool) {
    DeviceNames.pool(pool.get("name"));
    if (pool.get("resourceSliceCount").number() <= 0) {
      pool.get("resourceSliceCount").orZero().invalid("must be greater than zero");
    }
    if (pool.get("generation").number() < 0) {
      pool.get("generation").invalid("must be greater than or equal to zero");
    }
  }

  private static void nodes(Value spec) {
    List<String> set = new ArrayList<>();
    Value name = spec.get("nodeName");
    if (name.filled()) {
      set.add("`nodeName`");
      name.as(Formats.DNS_SUBDOMAIN);
    } else if (name.present()) {
      name.invalid("must be either unset or set to a non-empty string");
    }
    Value selector = spec.get("nodeSelector");
    if (selector.present()) {
      set.add("`nodeSelector`");
      Labels.validateNodeSelector(selector);
      Value terms = selector.get("nodeSelectorTerms");
      if (terms.size() != 1) {
        // selectors of several slices are merged, which needs one term
        terms.invalid("must have exactly one node selector term");
      }
    }
    for (String field : new String[] {"allNodes", "perDeviceNodeSelection"}) {
      Value flag = spec.get(field);
      if (flag.flag()) {
        set.add("`" + field + "`");
      } else if (flag.present()) {
        flag.invalid("must be either unset or set to true");
      }
    }
    if (set.isEmpty()) {
      spec.required(EXACTLY_ONE);
    } else if (set.size() > 1) {
      spec.invalid(
          "{" + String.join(", ", set) + "}", EXACTLY_ONE + ", but multiple fields are set");
    }
  }

  private static void devices(Value devices, Value old, boolean perDevice) {
    int most = isAdvanced(devices) ? MOST_ADVANCED_DEVICES : MOST_DEVICES;
    if (devices.size() > most) {
      devices.tooMany(most);
      return;
    }
    Map<String, Value> before = new HashMap<>();
    for (Value device : old) {
      before.putIfAbsent(device.get("name").text(), device);
    }
    for (Value device : devices) {
      Value was = before.get(device.get("name").text());
      DeviceRules.validate(device, was == null ? device.holding(null) : was, perDevice);
    }
    duplicates(devices);
  }

  private static void duplicates(Value list) {
    Set<String> names = new HashSet<>();
    for (Value each : list) {
      if (!names.add(each.get("name").text())) {
        each.duplicate(each.get("name").text());
      }
    }
  }

  private static boolean isAdvanced(Value devices) {
    for (Value device : devices) {
      if (device.get("taints").size() > 0 || device.get("consumesCounters").size() > 0) {
        return true;
      }
      for (Value attribute : device.get("attributes")) {
        for (String list : LISTS) {
          if (attribute.get(list).present()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static void counterSets(Value sets) {
    if (sets.size() > MOST_COUNTER_SETS) {
      sets.tooMany(MOST_COUNTER_SETS);
      return;
    }
    for (Value set : sets) {
      set.get("name").needed().as(Formats.DNS_LABEL);
      CounterRules.validate(set.get("counters"));
    }
    duplicates(sets);
  }
}
