package dev.keelson.object;

import dev.keelson.object.Node.MapNode;

/**
 * An object of the API: a tree whose root has {@code apiVersion}, {@code kind} and {@code
 * metadata}.
 *
 * @param root the whole tree
 */
public record ApiObject(MapNode root) {

  /** The {@code apiVersion}, or empty. */
  public String apiVersion() {
    return root.text("apiVersion");
  }

  /** The {@code kind}, or empty. */
  public String kind() {
    return root.text("kind");
  }

  /** A view of the metadata; empty if there is none. */
  public ObjectMeta meta() {
    return new ObjectMeta(root.map("metadata"));
  }

  /** The same object with other metadata. */
  public ApiObject withMeta(ObjectMeta meta) {
    return new ApiObject(root.with("metadata", meta.node()));
  }

  /** The same object with another type. */
  public ApiObject withType(String apiVersion, String kind) {
    return new ApiObject(
        root.with("kind", new Node.Text(kind)).with("apiVersion", new Node.Text(apiVersion)));
  }

  /** The same object with the top-level field {@code key} set. */
  public ApiObject with(String key, Node value) {
    return new ApiObject(root.with(key, value));
  }

  /** The same object without the top-level field {@code key}. */
  public ApiObject without(String key) {
    return new ApiObject(root.without(key));
  }
}
