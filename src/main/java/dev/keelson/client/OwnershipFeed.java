package dev.keelson.client;

/** Tells which objects are owned by others, and which objects go, over all types. */
public interface OwnershipFeed {

  /** Learns what the feed tells; called by one thread at a time. */
  interface Listener {

    /** What was told before does not count any more; everything is told anew. */
    void restarted();

    /**
     * An object that has owners or whose deletion waits for its dependents, or that was told as
     * such before and changed.
     */
    void changed(OwnedObject object);

    /** An object is gone; told of every object. */
    void gone(ObjectAddress address);

    /** Everything that there was at the beginning has been told. */
    void complete();
  }

  /**
   * Follows ownership until the calling thread is interrupted. Begins a while after the call, or as
   * soon as something happens that may matter, so as not to be in the way of a start.
   */
  void follow(Listener listener) throws InterruptedException;
}
