package dev.keelson.client.informer;

import dev.keelson.object.ObjectMeta;
import dev.keelson.value.SharedText;

/**
 * The name of an object of a known resource.
 *
 * @param namespace empty for cluster-scoped objects
 */
public record ObjectName(String namespace, String name) implements Comparable<ObjectName> {

  public ObjectName {
    namespace = SharedText.of(namespace);
  }

  /** The name of an object. */
  public static ObjectName of(ObjectMeta meta) {
    return new ObjectName(meta.namespace(), meta.name());
  }

  @Override
  public int compareTo(ObjectName other) {
    int order = namespace.compareTo(other.namespace);
    return order != 0 ? order : name.compareTo(other.name);
  }

  /** The key of client-go: {@code namespace/name}, or the name. */
  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
