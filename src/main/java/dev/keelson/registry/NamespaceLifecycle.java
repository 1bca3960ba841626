package dev.keelson.registry;

/** Whether objects may be created in a namespace. */
public interface NamespaceLifecycle {

  /**
   * Returns if objects of {@code collection} may be created now.
   *
   * @param name the new object's name, for the message
   * @throws dev.keelson.api.ApiException of reason NotFound if the namespace does not exist,
   *     Forbidden if it is being deleted
   */
  void checkCreate(Collection collection, String name);

  /** The same for a write that may be a dry run, which must not change anything. */
  default void checkCreate(Collection collection, String name, boolean dryRun) {
    checkCreate(collection, name);
  }

  /**
   * A namespace was changed by this process: what is cached of it is dropped, so that nothing can
   * be created in it after its deletion was answered.
   */
  default void changed(String namespace) {}
}
