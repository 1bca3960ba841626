package dev.keelson.schema.table;

import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/** The kinds of resource.k8s.io. */
final class DeviceTables {

  private static final String GROUP = "resource.k8s.io";

  private DeviceTables() {}

  static void addTo(TableRows tables) {
    tables.put(GROUP, "DeviceClass", nameAndAge());
    tables.put(GROUP, "ResourceClaimTemplate", nameAndAge());
    tables.put(
        GROUP,
        "ResourceClaim",
        Columns.named()
            .text("State", "Summary of the state: pending, allocated, reserved, deleted.")
            .age()
            .reading("status.allocation", "status.reservedFor.#")
            .of((object, row) -> row.name(object).text(state(object)).age(object)));
    tables.put(
        GROUP,
        "ResourceSlice",
        Columns.named()
            .text("Node", "Node from which the devices can be reached.")
            .text("Driver", "Driver that publishes the devices.")
            .text("Pool", "Pool of the devices.")
            .age()
            .reading("spec.nodeName", "spec.driver", "spec.pool.name")
            .of(
                (object, row) -> {
                  MapNode spec = object.map("spec");
                  row.name(object)
                      .text(spec.text("nodeName"))
                      .text(spec.text("driver"))
                      .text(spec.map("pool").text("name"))
                      .age(object);
                }));
  }

  private static TableDefinition nameAndAge() {
    return Columns.named().age().of((object, row) -> row.name(object).age(object));
  }

  private static String state(MapNode claim) {
    List<String> states = new ArrayList<>();
    boolean deleted = claim.map("metadata").has("deletionTimestamp");
    if (deleted) {
      states.add("deleted");
    }
    if (claim.map("status").has("allocation")) {
      states.add("allocated");
      if (!claim.map("status").items("reservedFor").isEmpty()) {
        states.add("reserved");
      }
    } else if (!deleted) {
      states.add("pending");
    }
    return String.join(",", states);
  }
}
