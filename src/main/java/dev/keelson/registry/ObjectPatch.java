package dev.keelson.registry;

import dev.keelson.object.ApiObject;
import java.util.Optional;

/**
 * A change to one object, as one request asks for it. It may be applied more than once, each time
 * to a newer state, when another writer was faster.
 */
public interface ObjectPatch {

  /**
   * The object that the client wants instead of {@code current}; both are in the version of the
   * request and have the resourceVersion that they stand for.
   *
   * @throws dev.keelson.api.ApiException if the change cannot be made
   */
  ApiObject apply(ApiObject current);

  /** Whether the patch writes down itself which fields belong to whom. */
  default boolean recordsFields() {
    return false;
  }

  /** The object to create if there is none; empty if that makes the request fail. */
  default Optional<ApiObject> whenMissing() {
    return Optional.empty();
  }
}
