package dev.keelson.authz.node;

import dev.keelson.object.ObjectSink;

/** Where the objects come from that relate nodes to others. */
public interface GraphSource {

  /** The kinds that say something about it. */
  enum Kind {
    POD("", "pods"),
    PERSISTENT_VOLUME("", "persistentvolumes"),
    VOLUME_ATTACHMENT("storage.k8s.io", "volumeattachments");

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
   * Tells {@code sink} what has changed since the last call, everything in the first; returns when
   * every write that this process has answered before the call has been told.
   *
   * @throws RuntimeException what the store throws if the objects cannot be read
   */
  void catchUp(ObjectSink<Kind> sink);
}
