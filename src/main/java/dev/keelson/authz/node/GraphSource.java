package dev.keelson.authz.node;

import dev.keelson.object.ObjectSink;

/** Supplies the objects from which the node graph is built. */
public interface GraphSource {

  /** The kinds of objects in the graph. */
  enum Kind {
    POD("", "pods"),
    PERSISTENT_VOLUME("", "persistentvolumes"),
    VOLUME_ATTACHMENT("storage.k8s.io", "volumeattachments"),
    RESOURCE_SLICE("resource.k8s.io", "resourceslices");

    private final String group;
    private final String resource;

    Kind(String group, String resource) {
      this.group = group;
      this.resource = resource;
    }

    public String group() {
      return group;
    }

    /** The plural. */
    public String resource() {
      return resource;
    }
  }

  /**
   * Passes the changes since the last call to {@code sink}, all objects on the first call. Includes
   * every write that this process answered before the call.
   *
   * @throws RuntimeException from the store if the objects cannot be read
   */
  void catchUp(ObjectSink<Kind> sink);
}
