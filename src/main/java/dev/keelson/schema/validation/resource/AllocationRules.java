package dev.keelson.schema.validation.resource;

import dev.keelson.schema.validation.Conditions;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.GivenText;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import java.util.HashSet;
import java.util.Set;

/** The status of a claim: its allocation, its users, and what drivers report of the devices. */
final class AllocationRules {

  private static final int MOST_CONSUMERS = 256;
  private static final int MOST_RESULTS = 32;
  private static final int MOST_CONFIGURATIONS = 64;
  private static final int MOST_CONDITIONS = 8;
  private static final int MOST_ADDRESSES = 16;
  private static final int LONGEST_INTERFACE = 256;
  private static final int LONGEST_HARDWARE_ADDRESS = 128;

  private AllocationRules() {}

  /** Validates an update of the status of {@code claim}. */
  static void status(Value claim, Value old) {
    Value status = claim.get("status");
    Value allocation = status.get("allocation");
    consumers(status.get("reservedFor"));
    devices(status.get("devices"), allocated(allocation));
    reservations(claim, status.get("reservedFor"), old.get("reservedFor"));
    if (allocation.present() && old.get("allocation").present()) {
      // results are validated once: the rules for new ones can be tighter than they were
      allocation.immutable(old.get("allocation"));
    } else if (allocation.present()) {
      allocation(allocation, RequestNames.of(claim.get("spec", "devices")));
    }
  }

  private static void consumers(Value consumers) {
    if (consumers.size() > MOST_CONSUMERS) {
      consumers.tooMany(MOST_CONSUMERS);
      return;
    }
    for (Value consumer : consumers) {
      consumer.get("resource").needed();
      consumer.get("name").needed();
      consumer.get("uid").needed();
    }
    Set<String> uids = new HashSet<>();
    for (Value consumer : consumers) {
      if (!uids.add(consumer.get("uid").text())) {
        consumer.duplicate(consumer.get("uid").text());
      }
    }
  }

  private static void reservations(Value claim, Value consumers, Value old) {
    if (consumers.size() == 0) {
      return;
    }
    if (claim.get("status", "allocation").absent()) {
      consumers.forbidden("may not be specified when `allocated` is not set");
    } else if (claim.get("metadata", "deletionTimestamp").present()
        && !new HashSet<>(old.items()).containsAll(consumers.items())) {
      consumers.forbidden(
          "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are"
              + " set");
    }
  }

  /** The devices of an allocation, as {@link #id} has them. */
  private static Set<String> allocated(Value allocation) {
    Set<String> ids = new HashSet<>();
    for (Value result : allocation.get("devices", "results")) {
      ids.add(id(result));
    }
    return ids;
  }

  private static String id(Value device) {
    Value share = device.get("shareID");
    return device.get("driver").text()
        + "/"
        + device.get("pool").text()
        + "/"
        + device.get("device").text()
        + (share.present() ? "/" + share.text() : "");
  }

  private static void allocation(Value allocation, RequestNames names) {
    Value results = allocation.get("devices", "results");
    if (results.size() > MOST_RESULTS) {
      results.tooMany(MOST_RESULTS);
    } else {
      for (Value result : results) {
        result(result, names);
      }
    }
    Value config = allocation.get("devices", "config");
    if (config.size() > MOST_CONFIGURATIONS) {
      config.tooMany(MOST_CONFIGURATIONS);
    } else {
      for (Value each : config) {
        each.get("source").needed().oneOf("FromClaim", "FromClass");
        names.references(each.get("requests"));
        ConfigurationRules.validate(each, /* limited= */ true);
      }
    }
    if (allocation.get("nodeSelector").present()) {
      Labels.validateNodeSelector(allocation.get("nodeSelector"));
    }
  }

  private static void result(Value result, RequestNames names) {
    names.reference(result.get("request"));
    DeviceNames.driver(result.get("driver"));
    DeviceNames.pool(result.get("pool"));
    DeviceNames.label(result.get("device").orEmpty());
    BindingConditionRules.validate(result);
    TaintRules.tolerations(result.get("tolerations"));
    DeviceNames.shareId(result.get("shareID"));
  }

  private static void devices(Value devices, Set<String> allocated) {
    for (Value device : devices) {
      device(device, allocated);
    }
    Set<String> ids = new HashSet<>();
    for (Value device : devices) {
      if (!ids.add(id(device))) {
        device.duplicateOf(id(device));
      }
    }
  }

  private static void device(Value device, Set<String> allocated) {
    DeviceNames.driver(device.get("driver"));
    DeviceNames.pool(device.get("pool"));
    DeviceNames.label(device.get("device").orEmpty());
    DeviceNames.shareId(device.get("shareID"));
    if (!allocated.contains(id(device))) {
      device.wrong(id(device) + ": must be an allocated device in the claim");
    }
    Value conditions = device.get("conditions");
    if (conditions.size() > MOST_CONDITIONS) {
      conditions.tooMany(MOST_CONDITIONS);
    }
    Conditions.validateConditions(conditions);
    if (device.get("data").present()) {
      ConfigurationRules.json(device.get("data"), /* limited= */ true);
    }
    network(device.get("networkData"));
  }

  private static void network(Value network) {
    DeviceNames.longest(network.get("interfaceName"), LONGEST_INTERFACE);
    DeviceNames.longest(network.get("hardwareAddress"), LONGEST_HARDWARE_ADDRESS);
    Value addresses = network.get("ips");
    if (addresses.size() > MOST_ADDRESSES) {
      addresses.tooMany(MOST_ADDRESSES);
      return;
    }
    for (Value address : addresses) {
      GivenText.validate(address.orEmpty(), Formats::interfaceAddress);
    }
    addresses.unique();
  }
}
