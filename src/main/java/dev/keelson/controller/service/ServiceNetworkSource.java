package dev.keelson.controller.service;

import dev.keelson.object.ObjectSink;

/** Supplies changes of ServiceCIDRs, Services and IPAddresses. */
public interface ServiceNetworkSource extends NetworkChanges {

  /**
   * Passes the changes since the last call to {@code sink}, all objects on the first call. An
   * address that existed when a passed Service was stored is passed, too.
   */
  @Override
  void catchUp(ObjectSink<Kind> sink);

  /** Waits until the next {@link #catchUp} includes every write answered before this call. */
  void awaitNewest() throws InterruptedException;
}
