package dev.keelson.controller.service;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ObjectSink;

/** Supplies changes of ServiceCIDRs, Services and IPAddresses, or of some of them. */
public interface NetworkChanges {

  /** The kinds of objects, in the order in which changes are passed. */
  enum Kind {
    SERVICE_CIDRS("networking.k8s.io", "servicecidrs"),
    SERVICES("", "services"),
    IP_ADDRESSES("networking.k8s.io", "ipaddresses");

    /** A record of texts. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final GroupVersionResource resource;

    Kind(String group, String plural) {
      resource = new GroupVersionResource(group, "v1", plural);
    }

    /** The resource. */
    public GroupVersionResource resource() {
      return resource;
    }
  }

  /** Adds a listener that runs on any thread after changes. */
  void listen(Runnable changed);

  /** Passes the changes since the last call to {@code sink}, all objects on the first call. */
  void catchUp(ObjectSink<Kind> sink);
}
