package dev.keelson.admission;

import dev.keelson.object.ApiObject;

/**
 * A mutating and validating admission plugin, or a chain of them. Safe for use by several threads.
 */
public interface Admission {

  /** Admits everything unchanged. */
  Admission NONE = new Admission() {};

  /**
   * Mutating admission: returns the object that replaces the attributes' object, in the same
   * version. Not called for deletes.
   *
   * @throws dev.keelson.api.ApiException if a plugin rejects the write, usually of reason Forbidden
   */
  default ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    return object;
  }

  /**
   * Validating admission of a write, with the object as it would be stored, or of a delete.
   *
   * @throws dev.keelson.api.ApiException if a plugin rejects it, usually of reason Forbidden
   */
  default void validate(AdmissionAttributes call) {}
}
