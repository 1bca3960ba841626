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

  /**
   * As {@link #checkCreate(Collection, String)}, for a write that may be a dry run and then must
   * not change anything.
   */
  default void checkCreate(Collection collection, String name, boolean dryRun) {
    checkCreate(collection, name);
  }

  /**
   * Called after this process changed a namespace. Drops its cached state, so that nothing is
   * created in it after the response to its deletion.
   */
  default void changed(String namespace) {}
}
