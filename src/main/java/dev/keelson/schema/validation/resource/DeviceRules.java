package dev.keelson.schema.validation.resource;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The devices of a slice: names, attributes, capacities, counters, and from where they are used.
 */
final class DeviceRules {

  private static final int MOST_ATTRIBUTES = 32;
  private static final int MOST_ATTRIBUTE_VALUES = 48;
  private static final int MOST_CONSUMPTIONS = 2;
  private static final int LONGEST_TEXT = 64;
  private static final String[] SCALARS = {"bool", "int", "string", "version"};
  private static final String[] LISTS = {"bools", "ints", "strings", "versions"};
  private static final Set<String> NODE_RESOURCES = Set.of("cpu", "memory", "ephemeral-storage");

  /** Source: semver.org 2.0.0. */
  private static final Pattern VERSION =
      Pattern.compile(
          "(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)"
              + "(-(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)"
              + "(\\.(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?"
              + "(\\+[0-9a-zA-Z-]+(\\.[0-9a-zA-Z-]+)*)?");

  private static final String ONE_PER_DEVICE =
      "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when"
          + " `perDeviceNodeSelection` is set to true in the ResourceSlice spec";

  private DeviceRules() {}

  /**
   * Validates a device.
   *
   * @param old the device of this name that is stored, absent for a new one
   * @param perDevice whether each device of the slice has nodes of its own
   */
  static void validate(Value device, Value old, boolean perDevice) {
    DeviceNames.label(device.get("name").orEmpty());
    sizes(device);
    Value attributes = device.get("attributes");
    for (Value attribute : attributes) {
      DeviceNames.qualified(attributes, attribute.name());
      attribute(DeviceNames.shown(attribute));
    }
    if (old.absent() || !old.get("capacity").sameAs(device.get("capacity"))) {
      capacity(device);
    }
    if (old.absent() || !old.get("taints").sameAs(device.get("taints"))) {
      TaintRules.taints(device.get("taints"));
    }
    consumption(device.get("consumesCounters"));
    nodes(device, perDevice);
    BindingConditionRules.validate(device);
    nodeResources(device.get("nodeAllocatableResourceMappings"), device.get("capacity"));
  }

  private static void sizes(Value device) {
    int entries = device.get("attributes").size() + device.get("capacity").size();
    if (entries > MOST_ATTRIBUTES) {
      device
          .holding(new Node.Int(entries))
          .invalid(
              "the total number of attributes and capacities must not exceed " + MOST_ATTRIBUTES);
    }
    int values = 0;
    for (Value attribute : device.get("attributes")) {
      int listed = 0;
      for (String list : LISTS) {
        listed += attribute.get(list).size();
      }
      values += Math.max(1, listed);
    }
    if (values > MOST_ATTRIBUTE_VALUES) {
      device
          .holding(new Node.Int(values))
          .invalid("the total number of attribute values must not exceed " + MOST_ATTRIBUTE_VALUES);
    }
  }

  private static void attribute(Value attribute) {
    int set = 0;
    for (String field : SCALARS) {
      set += attribute.get(field).present() ? 1 : 0;
    }
    text(attribute.get("string"));
    version(attribute.get("version"));
    for (String field : LISTS) {
      Value list = attribute.get(field);
      set += list.present() ? 1 : 0;
      if (list.present() && list.size() == 0) {
        list.invalid("must not be empty if specified");
      }
      for (Value each : list) {
        if (field.equals("strings")) {
          text(each);
        } else if (field.equals("versions")) {
          version(each);
        }
      }
    }
    if (set == 0) {
      attribute.invalid("", "exactly one value must be specified");
    } else if (set > 1) {
      attribute.invalid("exactly one value must be specified");
    }
  }

  private static void text(Value text) {
    DeviceNames.longest(text, LONGEST_TEXT);
  }

  private static void version(Value version) {
    if (version.present() && !VERSION.matcher(version.text()).matches()) {
      version.invalid("must be a string compatible with semver.org spec 2.0.0");
    }
    text(version);
  }

  private static void capacity(Value device) {
    Value capacities = device.get("capacity");
    for (Value capacity : capacities) {
      DeviceNames.qualified(capacities, capacity.name());
      Value policy = DeviceNames.shown(capacity).get("requestPolicy");
      if (policy.present()) {
        if (device.get("allowMultipleAllocations").flag()) {
          RequestPolicyRules.validate(policy, capacity.get("value"));
        } else {
          policy.forbidden("allowMultipleAllocations must be true");
        }
      }
    }
  }

  private static void consumption(Value consumptions) {
    if (consumptions.size() > MOST_CONSUMPTIONS) {
      consumptions.tooMany(MOST_CONSUMPTIONS);
      return;
    }
    for (Value consumption : consumptions) {
      consumption.get("counterSet").needed().as(Formats.DNS_LABEL);
      CounterRules.validate(consumption.get("counters"));
    }
    Set<String> sets = new HashSet<>();
    for (Value consumption : consumptions) {
      if (!sets.add(consumption.get("counterSet").text())) {
        consumption.duplicate(consumption.get("counterSet").text());
      }
    }
  }

  private static void nodes(Value device, boolean perDevice) {
    Value name = device.get("nodeName");
    Value selector = device.get("nodeSelector");
    Value all = device.get("allNodes");
    if (!perDevice) {
      if (name.present() || selector.present() || all.present()) {
        device.wrong(
            "null: `nodeName`, `nodeSelector` and `allNodes` can only be set if"
                + " `perDeviceNodeSelection` is set to true in the ResourceSlice spec");
      }
      return;
    }
    List<String> set = new ArrayList<>();
    if (name.filled()) {
      set.add("`nodeName`");
      name.as(Formats.DNS_SUBDOMAIN);
    } else if (name.present()) {
      name.invalid("must not be empty");
    }
    if (selector.present()) {
      set.add("`nodeSelector`");
      Labels.validateNodeSelector(selector);
    }
    if (all.flag()) {
      set.add("`allNodes`");
    } else if (all.present()) {
      all.invalid("must be either unset or set to true");
    }
    if (set.isEmpty()) {
      device.required(ONE_PER_DEVICE);
    } else if (set.size() > 1) {
      device.invalid("{" + String.join(", ", set) + "}", ONE_PER_DEVICE);
    }
  }

  private static void nodeResources(Value mappings, Value capacities) {
    for (Value mapping : mappings) {
      String resource = mapping.name();
      if (!NODE_RESOURCES.contains(resource) && !resource.startsWith("hugepages-")) {
        mapping.invalid(resource, "must be a node allocatable resource name");
      }
      Value key = mapping.get("capacityKey");
      if (key.present() && !key.filled()) {
        key.invalid("capacityKey must not be an empty string");
      } else if (key.present() && !capacities.map().has(key.text())) {
        key.notFound();
      }
      Value multiplier = mapping.get("allocationMultiplier");
      BigDecimal number = multiplier.present() ? QuantityRules.number(multiplier) : null;
      if (number != null && number.signum() <= 0) {
        multiplier.invalid(QuantityRules.text(multiplier), "must be positive");
      }
    }
  }
}
