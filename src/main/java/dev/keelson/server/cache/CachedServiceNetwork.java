package dev.keelson.server.cache;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.controller.service.ServiceNetworkSource;
import dev.keelson.object.ObjectSink;

/** Supplies ServiceCIDRs, Services and IPAddresses from the watch cache. */
public final class CachedServiceNetwork implements ServiceNetworkSource, AutoCloseable {

  private final Reflectors<Kind> types;

  /**
   * @param types in the order of the kinds: addresses after Services, so that a Service is not seen
   *     without its addresses
   */
  public CachedServiceNetwork(Reflectors<Kind> types) {
    this.types = types;
  }

  @Override
  public void listen(Runnable changed) {
    Runnable unused = types.listen(changed);
  }

  @Override
  public void catchUp(ObjectSink<Kind> sink) {
    types.catchUp(sink);
  }

  @Override
  public void awaitNewest() throws InterruptedException {
    if (!types.awaitNewest()) {
      throw new ApiException(
          Reason.TIMEOUT, "the watch cache is behind the store", ErrorDetails.NONE, null);
    }
  }

  @Override
  public void close() {
    types.close();
  }
}
