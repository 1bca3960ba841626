package dev.keelson.object;

import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A view of an object's {@code metadata}; every edit returns a new view.
 *
 * @param node the metadata tree
 */
public record ObjectMeta(MapNode node) {

  public String name() {
    return node.text("name");
  }

  public String generateName() {
    return node.text("generateName");
  }

  /** The namespace, empty for cluster-scoped objects. */
  public String namespace() {
    return node.text("namespace");
  }

  public String uid() {
    return node.text("uid");
  }

  /** The resourceVersion; empty if absent. */
  public String resourceVersion() {
    return node.text("resourceVersion");
  }

  /** The generation, 0 if absent. */
  public long generation() {
    return node.get("generation") instanceof Node.Int number ? number.value() : 0;
  }

  /** An RFC 3339 time, or empty. */
  public String creationTimestamp() {
    return node.text("creationTimestamp");
  }

  /** An RFC 3339 time, or empty while deletion has not been requested. */
  public String deletionTimestamp() {
    return node.text("deletionTimestamp");
  }

  /** Whether deletion has begun. */
  public boolean deleting() {
    return !deletionTimestamp().isEmpty();
  }

  public Map<String, String> labels() {
    return node.map("labels").texts();
  }

  public Map<String, String> annotations() {
    return node.map("annotations").texts();
  }

  public List<String> finalizers() {
    List<String> names = new ArrayList<>();
    for (Node item : node.items("finalizers")) {
      if (item instanceof Node.Text text) {
        names.add(text.value());
      }
    }
    return names;
  }

  /** The same with {@code key} set to a string, or removed if {@code value} is empty. */
  public ObjectMeta withText(String key, String value) {
    return new ObjectMeta(
        value.isEmpty() ? node.without(key) : node.with(key, new Node.Text(value)));
  }

  /** The same with {@code key} set. */
  public ObjectMeta with(String key, Node value) {
    return new ObjectMeta(node.with(key, value));
  }

  /** The same without {@code key}. */
  public ObjectMeta without(String key) {
    return new ObjectMeta(node.without(key));
  }

  /** The same with another generation; 0 removes the field. */
  public ObjectMeta withGeneration(long generation) {
    return generation == 0 ? without("generation") : with("generation", new Node.Int(generation));
  }
}
