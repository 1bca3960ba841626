package dev.keelson.schema.table;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Nodes, namespaces, events, and what holds settings. */
final class ClusterTables {

  private static final String NONE = "<none>";
  private static final String UNKNOWN = "<unknown>";
  private static final String ROLE_PREFIX = "node-role.kubernetes.io/";
  private static final String OLD_ROLE = "kubernetes.io/role";

  private ClusterTables() {}

  static void addTo(TableRows tables) {
    tables.put("", "Node", node());
    tables.put("", "Event", event());
    tables.put(
        "",
        "Namespace",
        Columns.named()
            .text("Status", "Whether it is used or on its way out.")
            .age()
            .reading("status.phase")
            .of(
                (object, row) ->
                    row.name(object).text(object.map("status").text("phase")).age(object)));
    tables.put(
        "access.keelson.dev",
        "VisibleNamespace",
        Columns.named()
            .text("Status", "Whether it is used or on its way out.")
            .bool("Readable", "Whether the namespace itself can be got.")
            .age()
            .reading("status.phase", "status.readable")
            .of(
                (object, row) ->
                    row.name(object)
                        .text(object.map("status").text("phase"))
                        .bool(object.map("status").get("readable") == Node.Bool.TRUE)
                        .age(object)));
    tables.put(
        "",
        "Secret",
        Columns.named()
            .text("Type", "What the data is for.")
            .count("Data", "Entries that it holds.")
            .age()
            .reading("type", "data.#")
            .of(
                (object, row) ->
                    row.name(object)
                        .text(object.text("type"))
                        .number(object.map("data").size())
                        .age(object)));
    tables.put(
        "",
        "ConfigMap",
        Columns.named()
            .count("Data", "Entries that it holds.")
            .age()
            .reading("data.#", "binaryData.#")
            .of(
                (object, row) ->
                    row.name(object)
                        .number(object.map("data").size() + object.map("binaryData").size())
                        .age(object)));
    tables.put(
        "",
        "ServiceAccount",
        Columns.named().age().of((object, row) -> row.name(object).age(object)));
    tables.put("", "ResourceQuota", quota());
    tables.put(
        "",
        "ComponentStatus",
        Columns.named()
            .text("Status", "Whether it works.")
            .text("Message", "What it says.")
            .text("Error", "What is wrong.")
            .reading("conditions")
            .of(ClusterTables::component));
    tables.put(
        "coordination.k8s.io",
        "Lease",
        Columns.named()
            .text("Holder", "Who holds it.")
            .age()
            .reading("spec.holderIdentity")
            .of(
                (object, row) ->
                    row.name(object).text(object.map("spec").text("holderIdentity")).age(object)));
    tables.put(
        "scheduling.k8s.io",
        "PriorityClass",
        Columns.named()
            .number("Value", "Priority; the higher goes first.")
            .bool("Global-Default", "Whether pods without a class have this one.")
            .age()
            .text("PreemptionPolicy", "Whether others make room.")
            .reading("value", "globalDefault", "preemptionPolicy")
            .of(
                (object, row) ->
                    row.name(object)
                        .number(Text.number(object, "value"))
                        .bool(Text.flag(object, "globalDefault"))
                        .age(object)
                        .text(object.text("preemptionPolicy"))));
    tables.put(
        "node.k8s.io",
        "RuntimeClass",
        Columns.named()
            .text("Handler", "Handler that runs the containers.")
            .age()
            .reading("handler")
            .of((object, row) -> row.name(object).text(object.text("handler")).age(object)));
  }

  private static TableDefinition node() {
    return Columns.named()
        .text("Status", "Whether it is ready and takes pods.")
        .text("Roles", "What it is for.")
        .age()
        .text("Version", "Version of its kubelet.")
        .wide("Internal-IP", "Address inside the cluster.")
        .wide("External-IP", "Address from outside.")
        .wide("OS-Image", "Operating system.")
        .wide("Kernel-Version", "Version of the kernel.")
        .wide("Container-Runtime", "Runtime of the containers, with its version.")
        .reading(
            "metadata.labels",
            "spec.unschedulable",
            "status.addresses",
            "status.conditions.type",
            "status.conditions.status",
            "status.nodeInfo")
        .of(
            (object, row) -> {
              MapNode status = object.map("status");
              MapNode info = status.map("nodeInfo");
              row.name(object)
                  .text(nodeStatus(object))
                  .textOrNone(roles(object.map("metadata").map("labels")))
                  .age(object)
                  .text(info.text("kubeletVersion"))
                  .text(address(status, "InternalIP"))
                  .text(address(status, "ExternalIP"))
                  .textOr(info.text("osImage"), UNKNOWN)
                  .textOr(kernel(info), UNKNOWN)
                  .textOr(info.text("containerRuntimeVersion"), UNKNOWN);
            });
  }

  /** The version of the kernel with the architecture of the node, as far as they are known. */
  private static String kernel(MapNode info) {
    String version = info.text("kernelVersion");
    String architecture = info.text("architecture");
    return version.isEmpty() || architecture.isEmpty()
        ? version
        : version + " (" + architecture + ")";
  }

  private static String nodeStatus(MapNode node) {
    String status = "Unknown";
    for (MapNode condition : node.map("status").maps("conditions")) {
      if (condition.text("type").equals("Ready")) {
        status = condition.text("status").equals("True") ? "Ready" : "NotReady";
      }
    }
    return Text.flag(node.map("spec"), "unschedulable") ? status + ",SchedulingDisabled" : status;
  }

  private static String roles(MapNode labels) {
    TreeSet<String> roles = new TreeSet<>();
    labels
        .texts()
        .forEach(
            (key, value) -> {
              if (key.startsWith(ROLE_PREFIX) && key.length() > ROLE_PREFIX.length()) {
                roles.add(key.substring(ROLE_PREFIX.length()));
              } else if (key.equals(OLD_ROLE) && !value.isEmpty()) {
                roles.add(value);
              }
            });
    return String.join(",", roles);
  }

  private static String address(MapNode status, String type) {
    for (MapNode address : status.maps("addresses")) {
      if (address.text("type").equals(type)) {
        return address.text("address");
      }
    }
    return NONE;
  }

  private static TableDefinition event() {
    return new Columns()
        .text("Last Seen", "Time since it was seen last.")
        .text("Type", "Whether it is normal or a warning.")
        .text("Reason", "One word for what happened.")
        .text("Object", "What it happened to.")
        .wide("Subobject", "Part of the object.")
        .wide("Source", "Who reports it.")
        .text("Message", "What happened.")
        .wide("First Seen", "Time since it was seen first.")
        .wide("Count", "How often it was seen.")
        .name(1)
        .reading(
            "involvedObject.kind",
            "involvedObject.name",
            "involvedObject.fieldPath",
            "reason",
            "message",
            "source",
            "firstTimestamp",
            "lastTimestamp",
            "count",
            "type",
            "eventTime",
            "series",
            "reportingComponent",
            "reportingInstance")
        .of(ClusterTables::event);
  }

  private static void event(MapNode event, Row row) {
    String firstSeen = firstText(event.text("firstTimestamp"), event.text("eventTime"));
    String lastSeen = firstText(event.text("lastTimestamp"), firstSeen);
    long count = Text.number(event, "count");
    if (event.has("series")) {
      lastSeen = event.map("series").text("lastObservedTime");
      count = Text.number(event.map("series"), "count");
    } else if (count == 0) {
      // of an event that is seen once only the new API says no number
      count = 1;
    }
    MapNode target = event.map("involvedObject");
    String kind = target.text("kind").toLowerCase(Locale.ROOT);
    row.since(lastSeen)
        .text(event.text("type"))
        .text(event.text("reason"))
        .text(target.text("name").isEmpty() ? kind : kind + "/" + target.text("name"))
        .text(target.text("fieldPath"))
        .text(source(event))
        .text(event.text("message").strip())
        .since(firstSeen)
        .number(count)
        .name(event);
  }

  private static String source(MapNode event) {
    MapNode source = event.map("source");
    String component = firstText(source.text("component"), event.text("reportingComponent"));
    String place = firstText(source.text("host"), event.text("reportingInstance"));
    return place.isEmpty() ? component : component + ", " + place;
  }

  private static String firstText(String first, String second) {
    return first.isEmpty() ? second : first;
  }

  private static TableDefinition quota() {
    return Columns.named()
        .text("Request", "Used and allowed amounts.")
        .text("Limit", "Used and allowed limits.")
        .age()
        .reading("status.hard", "status.used")
        .of(
            (object, row) -> {
              MapNode status = object.map("status");
              row.name(object).text(amounts(status, false)).text(amounts(status, true)).age(object);
            });
  }

  private static String amounts(MapNode status, boolean limits) {
    List<String> amounts = new ArrayList<>();
    Map<String, Node> hard = new TreeMap<>();
    status.map("hard").forEach(hard::put);
    hard.forEach(
        (resource, allowed) -> {
          if (resource.startsWith("limits.") == limits) {
            String used = Text.value(status.map("used").get(resource), "0");
            amounts.add(resource + ": " + used + "/" + Text.value(allowed, "0"));
          }
        });
    return String.join(", ", amounts);
  }

  private static void component(MapNode object, Row row) {
    String status = "Unknown";
    String message = "";
    String error = "";
    for (MapNode condition : object.maps("conditions")) {
      if (condition.text("type").equals("Healthy")) {
        status = condition.text("status").equals("True") ? "Healthy" : "Unhealthy";
        message = condition.text("message");
        error = condition.text("error");
        break;
      }
    }
    row.name(object).text(status).text(message).text(error);
  }
}
