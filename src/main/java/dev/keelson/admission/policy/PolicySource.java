package dev.keelson.admission.policy;

import dev.keelson.object.ObjectSink;

/** Supplies policies and bindings. */
public interface PolicySource {

  /** The four kinds, of {@code admissionregistration.k8s.io/v1}. */
  enum Kind {
    VALIDATING_POLICY("validatingadmissionpolicies"),
    VALIDATING_BINDING("validatingadmissionpolicybindings"),
    MUTATING_POLICY("mutatingadmissionpolicies"),
    MUTATING_BINDING("mutatingadmissionpolicybindings");

    /** The API group. */
    public static final String GROUP = "admissionregistration.k8s.io";

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
   * every write that this process answered before the call. Cheap while nothing changes.
   */
  void catchUp(ObjectSink<Kind> sink);
}
