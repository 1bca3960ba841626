package dev.keelson.controller.storagemigration;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.InformerType;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A StorageVersionMigration. */
record Migration(ApiObject object) {

  /** The API resource. */
  static final GroupVersionResource RESOURCE =
      new GroupVersion("storagemigration.k8s.io", "v1beta1").resource("storageversionmigrations");

  /** Informers of StorageVersionMigrations. */
  static final InformerType<Migration> TYPE =
      new InformerType<>(RESOURCE, Migration::new, List.of());

  private static final String RUNNING = "Running";
  private static final String SUCCEEDED = "Succeeded";
  private static final String FAILED = "Failed";

  String group() {
    return resource().text("group");
  }

  String plural() {
    return resource().text("resource");
  }

  private MapNode resource() {
    return object.root().map("spec").map("resource");
  }

  Instant created() {
    return Times.instant(object.meta().creationTimestamp());
  }

  /** The revision up to which objects are written again; empty before it is known. */
  String resourceVersion() {
    return status().text("resourceVersion");
  }

  /** Whether the migration has ended, well or not. */
  boolean isFinished() {
    return holds(SUCCEEDED) || holds(FAILED);
  }

  boolean isRunning() {
    return holds(RUNNING);
  }

  private boolean holds(String type) {
    return status().maps("conditions").stream()
        .anyMatch(each -> each.text("type").equals(type) && each.text("status").equals("True"));
  }

  private MapNode status() {
    return object.root().map("status");
  }

  Migration withResourceVersion(String version) {
    return withStatus(status().with("resourceVersion", Node.text(version)));
  }

  /** Begun at a time. */
  Migration running(Instant now) {
    return with(condition(RUNNING, "StorageVersionMigrationInProgress", "", now));
  }

  /** Ended well; no longer running. */
  Migration succeeded(Instant now) {
    return stopped().with(condition(SUCCEEDED, "StorageVersionMigrationSucceeded", "", now));
  }

  /** Ended by a failure; no longer running. */
  Migration failed(String message, Instant now) {
    return stopped().with(condition(FAILED, "StorageVersionMigrationFailed", message, now));
  }

  /** As in Kubernetes the reason and the time of the condition stay. */
  private Migration stopped() {
    List<Node> conditions = new ArrayList<>();
    for (MapNode each : status().maps("conditions")) {
      conditions.add(
          each.text("type").equals(RUNNING) ? each.with("status", Node.text("False")) : each);
    }
    return withConditions(conditions);
  }

  private Migration with(MapNode condition) {
    List<Node> conditions = new ArrayList<>();
    for (MapNode each : status().maps("conditions")) {
      if (!each.text("type").equals(condition.text("type"))) {
        conditions.add(each);
      }
    }
    conditions.add(condition);
    return withConditions(conditions);
  }

  private Migration withConditions(List<Node> conditions) {
    return conditions.isEmpty()
        ? this
        : withStatus(status().with("conditions", new Node.Items(conditions)));
  }

  private Migration withStatus(MapNode status) {
    return new Migration(object.with("status", status));
  }

  private static MapNode condition(String type, String reason, String message, Instant now) {
    return MapNode.builder(5)
        .put("type", Node.text(type))
        .put("status", Node.text("True"))
        .put("lastTransitionTime", Node.text(Times.text(now)))
        .put("reason", Node.text(reason))
        .put("message", Node.text(message))
        .build();
  }
}
