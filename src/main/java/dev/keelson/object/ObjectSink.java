package dev.keelson.object;

/**
 * Takes the objects of some kinds and what changes of them. Called by one thread at a time.
 *
 * @param <K> names the kinds
 */
public interface ObjectSink<K> {

  /** All objects of a kind are about to be delivered again. */
  void clear(K kind);

  /** An object as it now is. */
  void put(K kind, ApiObject object);

  /** An object is gone. */
  void remove(K kind, String namespace, String name);
}
