package dev.keelson.model;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.Written;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Somebody who changes workloads in the namespace {@code default}; JSON has single quotes. */
record User(ApiClient client) {

  static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  static final GroupVersionResource NODES = GroupVersion.CORE_V1.resource("nodes");
  static final GroupVersionResource DEPLOYMENTS =
      new GroupVersion("apps", "v1").resource("deployments");
  static final GroupVersionResource SETS = new GroupVersion("apps", "v1").resource("replicasets");
  static final GroupVersionResource STATEFUL_SETS =
      new GroupVersion("apps", "v1").resource("statefulsets");
  static final GroupVersionResource DAEMON_SETS =
      new GroupVersion("apps", "v1").resource("daemonsets");
  static final GroupVersionResource JOBS = new GroupVersion("batch", "v1").resource("jobs");
  static final String NAMESPACE = "default";

  void create(GroupVersionResource type, String kind, String json) throws InterruptedException {
    Written unused =
        client.create(
            type, new ApiObject(CustomTypes.tree(json)).withType(type.apiVersion(), kind));
  }

  void patch(GroupVersionResource type, String name, String json) throws InterruptedException {
    Written unused = client.patch(type, NAMESPACE, name, "", Patch.MERGE, CustomTypes.tree(json));
  }

  /** Changes the status of a pod, if it has not changed. */
  void status(ApiObject pod, String json) throws InterruptedException {
    MapNode patch =
        CustomTypes.tree(json)
            .with(
                "metadata",
                MapNode.of("uid", Node.text(pod.meta().uid()))
                    .with("resourceVersion", Node.text(pod.meta().resourceVersion())));
    ignoring(
        Set.of(Reason.NOT_FOUND, Reason.CONFLICT, Reason.INVALID),
        () -> {
          Written unused =
              client.patch(PODS, NAMESPACE, pod.meta().name(), "status", Patch.MERGE, patch);
        });
  }

  /** Deletes a pod, if it is still there. */
  void delete(ApiObject pod, DeleteRequest options) throws InterruptedException {
    ignoring(
        Set.of(Reason.NOT_FOUND, Reason.CONFLICT),
        () -> client.delete(PODS, NAMESPACE, pod.meta().name(), options));
  }

  /** Binds a pod to a node, if it is still there. */
  void bind(ApiObject pod, String node) throws InterruptedException {
    MapNode target = MapNode.of("kind", Node.text("Node")).with("name", Node.text(node));
    MapNode metadata =
        MapNode.of("name", Node.text(pod.meta().name()))
            .with("namespace", Node.text(NAMESPACE))
            .with("uid", Node.text(pod.meta().uid()));
    ApiObject binding =
        new ApiObject(MapNode.of("metadata", metadata).with("target", target))
            .withType("v1", "Binding");
    ignoring(
        Set.of(Reason.NOT_FOUND, Reason.CONFLICT),
        () -> {
          Written unused = client.create(PODS, NAMESPACE, pod.meta().name(), "binding", binding);
        });
  }

  /** A call of the API. */
  @FunctionalInterface
  interface Call {
    void run() throws InterruptedException;
  }

  static void ignoring(Set<Reason> reasons, Call call) throws InterruptedException {
    try {
      call.run();
    } catch (ApiException e) {
      if (!reasons.contains(e.reason())) {
        throw e;
      }
    }
  }

  List<ApiObject> list(GroupVersionResource type, String labels) throws InterruptedException {
    return client.list(new Selection(type, NAMESPACE, labels, ""));
  }

  Optional<ApiObject> get(GroupVersionResource type, String name) throws InterruptedException {
    return client.get(type, NAMESPACE, name);
  }

  static long number(MapNode node, String key) {
    return node.get(key) instanceof Node.Int number ? number.value() : 0;
  }
}
