package dev.keelson.registry;

import dev.keelson.object.ApiObject;
import java.util.Optional;

/**
 * A change to one object by one request. It may be applied more than once, each time to a newer
 * state, after a conflict with another writer.
 */
public interface ObjectPatch {

  /**
   * The object that the client wants instead of {@code current}; both are in the version of the
   * request and have the resourceVersion of the current object.
   *
   * @throws dev.keelson.api.ApiException if the change cannot be made
   */
  ApiObject apply(ApiObject current);

  /** Whether the patch updates {@code managedFields} itself. */
  default boolean recordsFields() {
    return false;
  }

  /** The object to create if none exists; empty if the request then fails. */
  default Optional<ApiObject> whenMissing() {
    return Optional.empty();
  }
}
