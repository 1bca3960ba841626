package dev.keelson.client.informer;

import java.util.function.BiConsumer;

/**
 * Is told the changes of an informer's cache in order, after each is applied, on the informer's
 * thread; must not block. The same state may be told twice after the watch was interrupted.
 */
public interface ObjectListener<T> {

  /** An object appeared, or existed when the listener was added. */
  void added(ObjectName name, T object);

  /** An object changed. It may have been deleted and created again between the two states. */
  void updated(ObjectName name, T before, T after);

  /**
   * An object was deleted.
   *
   * @param last the last known state
   */
  void deleted(ObjectName name, T last);

  /**
   * A listener of deletions alone.
   *
   * @param callback is given the name and the last known state; must not block
   */
  static <T> ObjectListener<T> ofDeletions(BiConsumer<ObjectName, T> callback) {
    return new ObjectListener<>() {
      @Override
      public void added(ObjectName name, T object) {
        // matters to others
      }

      @Override
      public void updated(ObjectName name, T before, T after) {
        // matters to others
      }

      @Override
      public void deleted(ObjectName name, T last) {
        callback.accept(name, last);
      }
    };
  }
}
