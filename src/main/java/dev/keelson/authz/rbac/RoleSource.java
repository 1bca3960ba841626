package dev.keelson.authz.rbac;

import dev.keelson.object.ObjectSink;

/** Supplies roles and bindings. */
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
   * Passes the changes since the last call to {@code sink}, all objects on the first call. Includes
   * every write that this process answered before the call. Cheap while nothing changes. @throws
   * RuntimeException from the store if the objects cannot be read
   */
  void catchUp(ObjectSink<Kind> sink);
}
