package dev.keelson.controller.storageversion;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The status of a StorageVersion (source: {@code k8s.io/apiserver/pkg/storageversion/updater.go}).
 */
final class StorageVersionStatus {

  static final GroupVersionResource RESOURCE =
      new GroupVersionResource("internal.apiserver.k8s.io", "v1alpha1", "storageversions");

  private static final String COMMON = "commonEncodingVersion";
  private static final String CONDITIONS = "conditions";
  private static final String EQUAL = "AllEncodingVersionsEqual";

  private StorageVersionStatus() {}

  /** The statements of the servers. */
  static List<MapNode> servers(ApiObject object) {
    return object.root().map("status").maps("storageVersions");
  }

  /** Who has made a statement. */
  static String server(MapNode statement) {
    return statement.text("apiServerID");
  }

  /** The object with a statement in place of that server's former one. */
  static ApiObject with(ApiObject object, MapNode statement, Instant now) {
    List<Node> all = new ArrayList<>();
    boolean found = false;
    for (MapNode each : servers(object)) {
      boolean same = server(each).equals(server(statement));
      found |= same;
      all.add(same ? statement : each);
    }
    if (!found) {
      all.add(statement);
    }
    return with(object, all, now);
  }

  /** The object with these statements, and what follows from them. */
  static ApiObject with(ApiObject object, List<? extends Node> statements, Instant now) {
    MapNode before = object.root().map("status");
    String common = common(statements);
    MapNode status = before.with("storageVersions", new Node.Items(List.copyOf(statements)));
    status = common.isEmpty() ? status.without(COMMON) : status.with(COMMON, Node.text(common));
    String former = before.text(COMMON);
    // another common version is a transition, though the status of the condition stays
    boolean moved = !former.isEmpty() && !common.isEmpty() && !former.equals(common);
    return object.with(
        "status",
        status.with(CONDITIONS, conditions(before, !common.isEmpty(), moved, object, now)));
  }

  /** The version that all servers write; empty if they differ. */
  private static String common(List<? extends Node> statements) {
    String common = "";
    for (Node each : statements) {
      String encoding = ((MapNode) each).text("encodingVersion");
      if (!common.isEmpty() && !common.equals(encoding)) {
        return "";
      }
      common = encoding;
    }
    return common;
  }

  private static Node.Items conditions(
      MapNode before, boolean equal, boolean moved, ApiObject object, Instant now) {
    String status = equal ? "True" : "False";
    String time = Times.text(now);
    List<Node> conditions = new ArrayList<>();
    for (MapNode each : before.maps(CONDITIONS)) {
      if (!each.text("type").equals(EQUAL)) {
        conditions.add(each);
      } else if (each.text("status").equals(status) && !moved) {
        time = each.text("lastTransitionTime");
      }
    }
    MapNode.Builder condition =
        MapNode.builder(6).put("type", Node.text(EQUAL)).put("status", Node.text(status));
    if (object.meta().generation() > 0) {
      condition.put("observedGeneration", new Node.Int(object.meta().generation()));
    }
    conditions.add(
        condition
            .put("lastTransitionTime", Node.text(time))
            .put("reason", Node.text("CommonEncodingVersion" + (equal ? "Set" : "Unset")))
            .put("message", Node.text("Common encoding version " + (equal ? "set" : "unset")))
            .build());
    return new Node.Items(conditions);
  }
}
