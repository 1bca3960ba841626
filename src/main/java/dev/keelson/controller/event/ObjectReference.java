package dev.keelson.controller.event;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;

/**
 * The object that an Event is about.
 *
 * @param namespace empty for cluster-scoped objects
 * @param fieldPath the part of the object, such as {@code spec.containers{web}}; empty for all
 */
public record ObjectReference(
    String apiVersion,
    String kind,
    String namespace,
    String name,
    String uid,
    String resourceVersion,
    String fieldPath) {

  /** A reference to a whole object whose resourceVersion does not matter. */
  public static ObjectReference of(
      String apiVersion, String kind, String namespace, String name, String uid) {
    return new ObjectReference(apiVersion, kind, namespace, name, uid, "", "");
  }

  /** A reference to an object in the state that was read. */
  public static ObjectReference of(String apiVersion, String kind, ObjectMeta meta) {
    return new ObjectReference(
        apiVersion, kind, meta.namespace(), meta.name(), meta.uid(), meta.resourceVersion(), "");
  }

  /** The same object in any state. */
  ObjectReference anyVersion() {
    return new ObjectReference(apiVersion, kind, namespace, name, uid, "", fieldPath);
  }

  MapNode node() {
    MapNode.Builder node = MapNode.builder(7);
    put(node, "kind", kind);
    put(node, "namespace", namespace);
    put(node, "name", name);
    put(node, "uid", uid);
    put(node, "apiVersion", apiVersion);
    put(node, "resourceVersion", resourceVersion);
    put(node, "fieldPath", fieldPath);
    return node.build();
  }

  private static void put(MapNode.Builder node, String key, String value) {
    if (!value.isEmpty()) {
      node.put(key, Node.text(value));
    }
  }
}
