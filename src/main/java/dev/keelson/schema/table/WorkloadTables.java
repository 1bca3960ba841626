package dev.keelson.schema.table;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Tables of the kinds of workloads and their scaling. */
final class WorkloadTables {

  private static final String NONE = "<none>";
  private static final String UNSET = "<unset>";
  private static final String UNKNOWN = "<unknown>";

  /** What Go prints of a quantity that is missing. */
  private static final String NIL = "<nil>";

  private WorkloadTables() {}

  static void addTo(TableRows tables) {
    tables.put("", "Pod", PodTable.TABLE);
    tables.put(
        "",
        "PodTemplate",
        Columns.named()
            .text("Containers", "Names of the containers of a pod.")
            .text("Images", "Images of these containers.")
            .text("Pod Labels", "Labels of a pod.")
            .reading(
                "template.spec.containers.name",
                "template.spec.containers.image",
                "template.metadata.labels")
            .of(
                (object, row) ->
                    row.name(object)
                        .containers(object.map("template").map("spec"))
                        .text(Text.labels(object.map("template").map("metadata").map("labels")))));
    tables.put("", "ReplicationController", replicas(true));
    tables.put("apps", "ReplicaSet", replicas(false));
    tables.put("apps", "Deployment", deployment());
    tables.put("apps", "StatefulSet", statefulSet());
    tables.put("apps", "DaemonSet", daemonSet());
    tables.put("batch", "Job", job());
    tables.put("batch", "CronJob", cronJob());
    tables.put("autoscaling", "HorizontalPodAutoscaler", autoscaler());
    tables.put("policy", "PodDisruptionBudget", disruptionBudget());
    tables.put("apps", "ControllerRevision", controllerRevision());
    tables.put(
        "autoscaling",
        "Scale",
        new Columns()
            .text("Name", "Name of the workload.")
            .number("Desired", "Pods that are wanted.")
            .number("Available", "Pods that there are.")
            .age()
            .reading("spec.replicas", "status.replicas")
            .of(
                (object, row) ->
                    row.name(object)
                        .number(Text.number(object.map("spec"), "replicas"))
                        .number(Text.number(object.map("status"), "replicas"))
                        .age(object)));
  }

  private static MapNode podSpec(MapNode object) {
    return object.map("spec").map("template").map("spec");
  }

  private static TableDefinition replicas(boolean plainSelector) {
    return Columns.named()
        .number("Desired", "Pods that are wanted.")
        .number("Current", "Pods that there are.")
        .number("Ready", "Pods that are ready.")
        .age()
        .wideContainers()
        .wideSelector()
        .reading(
            "spec.replicas",
            "spec.selector",
            "spec.template.spec.containers.name",
            "spec.template.spec.containers.image",
            "status.replicas",
            "status.readyReplicas")
        .of(
            (object, row) -> {
              MapNode selector = object.map("spec").map("selector");
              row.name(object)
                  .number(Text.number(object.map("spec"), "replicas"))
                  .number(Text.number(object.map("status"), "replicas"))
                  .number(Text.number(object.map("status"), "readyReplicas"))
                  .age(object)
                  .containers(podSpec(object))
                  .text(plainSelector ? Text.labels(selector) : Text.selector(selector));
            });
  }

  private static TableDefinition deployment() {
    return Columns.named()
        .text("Ready", "Pods that are ready, of those that are wanted.")
        .count("Up-to-date", "Pods that have the wanted template.")
        .count("Available", "Pods that have been ready long enough.")
        .age()
        .wideContainers()
        .wideSelector()
        .reading(
            "spec.replicas",
            "spec.selector",
            "spec.template.spec.containers.name",
            "spec.template.spec.containers.image",
            "status.replicas",
            "status.readyReplicas",
            "status.updatedReplicas",
            "status.availableReplicas")
        .of(
            (object, row) ->
                row.name(object)
                    .text(ready(object))
                    .number(Text.number(object.map("status"), "updatedReplicas"))
                    .number(Text.number(object.map("status"), "availableReplicas"))
                    .age(object)
                    .containers(podSpec(object))
                    .text(Text.query(object.map("spec").map("selector"), "<invalid>")));
  }

  private static String ready(MapNode object) {
    return Text.number(object.map("status"), "readyReplicas")
        + "/"
        + Text.number(object.map("spec"), "replicas");
  }

  private static TableDefinition statefulSet() {
    return Columns.named()
        .text("Ready", "Pods that are ready, of those that are wanted.")
        .age()
        .wideContainers()
        .reading(
            "spec.replicas",
            "spec.selector",
            "spec.template.spec.containers.name",
            "spec.template.spec.containers.image",
            "status.replicas",
            "status.readyReplicas")
        .of(
            (object, row) ->
                row.name(object).text(ready(object)).age(object).containers(podSpec(object)));
  }

  private static TableDefinition daemonSet() {
    return Columns.named()
        .number("Desired", "Nodes that should run the pod.")
        .number("Current", "Nodes that run the pod and should.")
        .number("Ready", "Nodes on which the pod is ready.")
        .number("Up-to-date", "Nodes on which the pod has the wanted template.")
        .number("Available", "Nodes on which the pod has been ready long enough.")
        .text("Node Selector", "Labels by which nodes are chosen.")
        .age()
        .wideContainers()
        .wideSelector()
        .reading(
            "spec.selector",
            "spec.template.spec.containers.name",
            "spec.template.spec.containers.image",
            "spec.template.spec.nodeSelector",
            "status.desiredNumberScheduled",
            "status.currentNumberScheduled",
            "status.numberReady",
            "status.updatedNumberScheduled",
            "status.numberAvailable")
        .of(
            (object, row) -> {
              MapNode status = object.map("status");
              row.name(object)
                  .number(Text.number(status, "desiredNumberScheduled"))
                  .number(Text.number(status, "currentNumberScheduled"))
                  .number(Text.number(status, "numberReady"))
                  .number(Text.number(status, "updatedNumberScheduled"))
                  .number(Text.number(status, "numberAvailable"))
                  .text(Text.labels(podSpec(object).map("nodeSelector")))
                  .age(object)
                  .containers(podSpec(object))
                  .text(Text.selector(object.map("spec").map("selector")));
            });
  }

  private static TableDefinition job() {
    return Columns.named()
        .text("Status", "How far the job is.")
        .text("Completions", "Pods that have succeeded, of those that have to.")
        .text("Duration", "How long the job has run, or took.")
        .age()
        .wideContainers()
        .wideSelector()
        .reading(
            "spec.selector",
            "spec.template.spec.containers.name",
            "spec.template.spec.containers.image",
            "spec.completions",
            "spec.parallelism",
            "status.conditions.type",
            "status.conditions.status",
            "status.succeeded",
            "status.startTime",
            "status.completionTime")
        .of(
            (object, row) ->
                row.name(object)
                    .text(jobStatus(object))
                    .text(completions(object))
                    .text(jobDuration(object.map("status"), row))
                    .age(object)
                    .containers(podSpec(object))
                    .text(Text.selector(object.map("spec").map("selector"))));
  }

  private static String jobStatus(MapNode job) {
    MapNode status = job.map("status");
    if (Text.condition(status, "Complete")) {
      return "Complete";
    }
    if (Text.condition(status, "Failed")) {
      return "Failed";
    }
    if (job.map("metadata").has("deletionTimestamp")) {
      return "Terminating";
    }
    if (Text.condition(status, "Suspended")) {
      return "Suspended";
    }
    for (String near : List.of("FailureTarget", "SuccessCriteriaMet")) {
      if (Text.condition(status, near)) {
        return near;
      }
    }
    return "Running";
  }

  private static String completions(MapNode job) {
    MapNode spec = job.map("spec");
    String done = Text.number(job.map("status"), "succeeded") + "/";
    if (spec.has("completions")) {
      return done + Text.number(spec, "completions");
    }
    long parallelism = Text.number(spec, "parallelism");
    return parallelism > 1 ? done + "1 of " + parallelism : done + "1";
  }

  private static String jobDuration(MapNode status, Row row) {
    String start = status.text("startTime");
    String end = status.text("completionTime");
    if (start.isEmpty()) {
      return "";
    }
    return end.isEmpty() ? row.age(start) : Ages.between(start, end);
  }

  private static TableDefinition cronJob() {
    return Columns.named()
        .text("Schedule", "When jobs are made, in the notation of cron.")
        .text("Timezone", "Time zone of the schedule.")
        .bool("Suspend", "Whether no more jobs are made for now.")
        .number("Active", "Jobs that run now.")
        .text("Last Schedule", "Time since a job was made last.")
        .age()
        .wideContainers()
        .wideSelector()
        .reading(
            "spec.schedule",
            "spec.timeZone",
            "spec.suspend",
            "spec.jobTemplate.spec.selector",
            "spec.jobTemplate.spec.template.spec.containers.name",
            "spec.jobTemplate.spec.template.spec.containers.image",
            "status.active.#",
            "status.lastScheduleTime")
        .of(
            (object, row) -> {
              MapNode spec = object.map("spec");
              MapNode status = object.map("status");
              MapNode job = spec.map("jobTemplate");
              row.name(object)
                  .text(spec.text("schedule"))
                  .pointer(spec, "timeZone", NONE)
                  .text(suspended(spec))
                  .number(status.items("active").size())
                  .text(
                      status.has("lastScheduleTime")
                          ? row.age(status.text("lastScheduleTime"))
                          : NONE)
                  .age(object)
                  .containers(podSpec(job))
                  .text(Text.selector(job.map("spec").map("selector")));
            });
  }

  private static String suspended(MapNode spec) {
    if (!spec.has("suspend")) {
      return UNSET;
    }
    return Text.flag(spec, "suspend") ? "True" : "False";
  }

  private static TableDefinition autoscaler() {
    return Columns.named()
        .text("Reference", "What is scaled.")
        .text("Targets", "Measured and wanted values of the metrics.")
        .text("MinPods", "Fewest pods.")
        .count("MaxPods", "Most pods.")
        .count("Replicas", "Pods that there are.")
        .age()
        .reading(
            "spec.scaleTargetRef",
            "spec.metrics",
            "spec.minReplicas",
            "spec.maxReplicas",
            "status.currentMetrics",
            "status.currentReplicas")
        .of(
            (object, row) -> {
              MapNode spec = object.map("spec");
              MapNode target = spec.map("scaleTargetRef");
              row.name(object)
                  .text(target.text("kind") + "/" + target.text("name"))
                  .text(metrics(spec.items("metrics"), object.map("status")))
                  .text(Text.value(spec.get("minReplicas"), UNSET))
                  .number(Text.number(spec, "maxReplicas"))
                  .number(Text.number(object.map("status"), "currentReplicas"))
                  .age(object);
            });
  }

  private static String metrics(List<Node> specs, MapNode status) {
    if (specs.isEmpty()) {
      return NONE;
    }
    List<MapNode> measured = status.maps("currentMetrics");
    List<String> shown = new ArrayList<>();
    int i = 0;
    for (MapNode spec : Node.maps(specs)) {
      shown.add(metric(spec, i < measured.size() ? measured.get(i) : MapNode.EMPTY));
      i++;
    }
    return Text.firsts(shown, 2, ", ");
  }

  private static String metric(MapNode spec, MapNode status) {
    return switch (spec.text("type")) {
      case "External" -> average(spec.map("external"), status, "external");
      case "Object" -> average(spec.map("object"), status, "object");
      case "Pods" ->
          measured(status, "pods", "averageValue")
              + "/"
              + Text.value(spec.map("pods").map("target").get("averageValue"), NIL);
      case "Resource" -> resource(spec.map("resource"), status, "resource");
      case "ContainerResource" ->
          resource(spec.map("containerResource"), status, "containerResource");
      default -> "<unknown type>";
    };
  }

  private static String average(MapNode spec, MapNode status, String source) {
    MapNode target = spec.map("target");
    if (target.has("averageValue")) {
      Node measured = status.map(source).map("current").get("averageValue");
      String wanted = Text.value(target.get("averageValue"), NIL);
      return Text.value(measured, UNKNOWN) + "/" + wanted + " (avg)";
    }
    return measured(status, source, "value") + "/" + Text.value(target.get("value"), NIL);
  }

  private static String resource(MapNode spec, MapNode status, String source) {
    MapNode target = spec.map("target");
    String name = spec.text("name") + ": ";
    if (target.has("averageValue")) {
      return name
          + measured(status, source, "averageValue")
          + "/"
          + Text.value(target.get("averageValue"), NIL);
    }
    MapNode current = status.map(source).map("current");
    return name
        + (current.has("averageUtilization") ? percent(current) : UNKNOWN)
        + "/"
        + (target.has("averageUtilization") ? percent(target) : "<auto>");
  }

  private static String percent(MapNode node) {
    return Text.number(node, "averageUtilization") + "%";
  }

  /** A quantity that should be there once its source is measured. */
  private static String measured(MapNode status, String source, String key) {
    return status.has(source)
        ? Text.value(status.map(source).map("current").get(key), NIL)
        : UNKNOWN;
  }

  private static TableDefinition disruptionBudget() {
    return Columns.named()
        .text("Min Available", "Pods, or the share of them, that must stay.")
        .text("Max Unavailable", "Pods, or the share of them, that may be missing.")
        .number("Allowed Disruptions", "Pods that may be evicted now.")
        .age()
        .reading("spec.minAvailable", "spec.maxUnavailable", "status.disruptionsAllowed")
        .of(
            (object, row) ->
                row.name(object)
                    .text(Text.value(object.map("spec").get("minAvailable"), "N/A"))
                    .text(Text.value(object.map("spec").get("maxUnavailable"), "N/A"))
                    .number(Text.number(object.map("status"), "disruptionsAllowed"))
                    .age(object));
  }

  private static TableDefinition controllerRevision() {
    return Columns.named()
        .text("Controller", "Object that the revision belongs to.")
        .count("Revision", "Number that rises with every change.")
        .age()
        .reading("metadata.ownerReferences", "revision")
        .of(
            (object, row) ->
                row.name(object)
                    .text(controller(object.map("metadata")))
                    .number(Text.number(object, "revision"))
                    .age(object));
  }

  private static String controller(MapNode metadata) {
    for (MapNode owner : metadata.maps("ownerReferences")) {
      if (Text.flag(owner, "controller")) {
        String apiVersion = owner.text("apiVersion");
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : "." + apiVersion.substring(0, slash);
        return (owner.text("kind") + group).toLowerCase(Locale.ROOT) + "/" + owner.text("name");
      }
    }
    return NONE;
  }

  /** A duration in seconds in readable form. */
  static String seconds(long seconds) {
    return Ages.human(seconds);
  }
}
