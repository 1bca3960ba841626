package dev.keelson.client.informer;

import dev.keelson.object.ApiObject;

/**
 * Extracts what an informer keeps of an object, so that its memory does not grow with what no
 * controller reads. Must not fail: an object that lacks something yields empty values.
 *
 * @param <T> immutable
 */
@FunctionalInterface
public interface Projection<T> {

  /** Returns what to keep of an object. */
  T of(ApiObject object);
}
