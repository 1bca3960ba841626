package dev.keelson.admission;

import dev.keelson.object.ApiObject;

/** The chain of admission steps, as one step. Safe for use by several threads. */
public interface Admission {

  /** Lets everything pass unchanged. */
  Admission NONE = new Admission() {};

  /**
   * The object to go on with instead of the call's: completed or changed, in the same version. Not
   * called for deletes.
   *
   * @throws dev.keelson.api.ApiException if a step refuses the write, mostly of reason Forbidden
   */
  default ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    return object;
  }

  /**
   * Looks at a write as it would be stored, or at a delete.
   *
   * @throws dev.keelson.api.ApiException if a step refuses it, mostly of reason Forbidden
   */
  default void validate(AdmissionAttributes call) {}
}
