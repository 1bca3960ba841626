package dev.keelson.authz.rbac;

import dev.keelson.object.ObjectSink;

/** Where roles and bindings come from. */
public interface RoleSource {

  /** The four kinds. */
  enum Kind {
    CLUSTER_ROLE("clusterroles"),
    ROLE("roles"),
    CLUSTER_ROLE_BINDING("clusterrolebindings"),
    ROLE_BINDING("rolebindings");

    private final String resource;

    Kind(String resource) {
      this.resource = resource;
    }

    /** The plural. */
    public String resource() {
      return resource;
    }
  }

  /**
   * Tells {@code sink} what has changed since the last call, everything in the first; returns when
   * every write that this process has answered before the call has been told. Costs next to nothing
   * while nothing changes.
   *
   * @throws RuntimeException what the store throws if the objects cannot be read
   */
  void catchUp(ObjectSink<Kind> sink);
}
