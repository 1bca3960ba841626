package dev.keelson.admission;

import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;

/**
 * A mutating and validating admission plugin, or a chain of them. Safe for use by several threads.
 */
public interface Admission {

  /** Admits everything unchanged. */
  Admission NONE =
      new Admission() {
        @Override
        public boolean handles(Verb operation, GroupResource resource, String subresource) {
          return false;
        }
      };

  /**
   * Whether the plugin may do anything for an operation on a resource. The chain asks once for each
   * combination and remembers the answer, so it must not change.
   *
   * @param operation CREATE, UPDATE, DELETE or CONNECT
   * @param subresource the subresource, or empty
   */
  default boolean handles(Verb operation, GroupResource resource, String subresource) {
    return true;
  }

  /**
   * Mutating admission: returns the object that replaces the attributes' object, in the same
   * version. The object is as the client sent it, with defaults; what the server maintains may be
   * missing. It has no managed fields before {@link AdmissionAttributes#recorded}. Not called for
   * deletes.
   *
   * @throws dev.keelson.api.ApiException if a plugin rejects the write, usually of reason Forbidden
   */
  default ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    return object;
  }

  /**
   * The mutating phase of a delete, which cannot mutate anything.
   *
   * @throws dev.keelson.api.ApiException if a plugin rejects it, usually of reason Forbidden
   */
  default void mutateDelete(AdmissionAttributes call) {}

  /**
   * Validating admission of a write, with the object as it would be stored, or of a delete.
   *
   * @throws dev.keelson.api.ApiException if a plugin rejects it, usually of reason Forbidden
   */
  default void validate(AdmissionAttributes call) {}
}
