package dev.keelson.object;

/**
 * Receives the objects of some kinds and their changes. Called by one thread at a time.
 *
 * @param <K> names the kinds
 */
public interface ObjectSink<K> {

  /** All objects of a kind are about to be delivered again. */
  void clear(K kind);

  /** An object was added or changed. */
  void put(K kind, ApiObject object);

  /** An object was deleted. */
  void remove(K kind, String namespace, String name);
}
