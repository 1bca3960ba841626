package dev.keelson.client;

/** Feeds changes of ownership and deletions of all types. */
public interface OwnershipFeed {

  /** Takes the changes; called by one thread at a time. */
  interface Listener {

    /** The feed restarts: all objects follow again. */
    void restarted();

    /**
     * An object with owners or garbage collector finalizers was added or changed, or had them
     * before the change.
     */
    void changed(OwnedObject object);

    /** An object was deleted; called for every object. */
    void gone(ObjectAddress address);

    /** Other types are served than before; the objects of new ones follow. */
    void typesChanged();

    /** All initial objects have been passed. */
    void complete();
  }

  /**
   * Runs the feed until the calling thread is interrupted. Starts after a delay or with the first
   * relevant change, so that it does not slow down the start of the server.
   */
  void follow(Listener listener) throws InterruptedException;
}
