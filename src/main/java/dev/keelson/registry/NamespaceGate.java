package dev.keelson.registry;

/** Whether objects may be created in a namespace. */
public interface NamespaceGate {

  /**
   * Returns if objects of {@code collection} may be created now.
   *
   * @param name the new object's name, for the message
   * @throws dev.keelson.api.ApiException of reason NotFound if the namespace does not exist,
   *     Forbidden if it is being deleted
   */
  void checkCreate(Collection collection, String name);

  /** The same for a write that may not be meant, in which case nothing may be left behind. */
  default void checkCreate(Collection collection, String name, boolean dryRun) {
    checkCreate(collection, name);
  }

  /**
   * A namespace was changed by this process: what is known of it does not count any more, so that
   * nobody who had the answer to its deletion can still create something in it.
   */
  default void changed(String namespace) {}
}
