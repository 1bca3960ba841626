package dev.keelson.controller.discovery;

import dev.keelson.client.informer.EncodedObject;
import dev.keelson.client.informer.InformerType;
import dev.keelson.controller.manager.SharedInformers;
import dev.keelson.controller.service.NetworkChanges;
import dev.keelson.controller.service.NetworkChanges.Kind;
import dev.keelson.object.ObjectSink;
import java.util.Map;

/** The changes of ServiceCIDRs and IPAddresses, made of informers. */
public final class InformedRanges implements NetworkChanges {

  private static final Map<Kind, InformerType<EncodedObject>> TYPES =
      Map.of(
          Kind.SERVICE_CIDRS, InformedObjects.type(Kind.SERVICE_CIDRS.resource()),
          Kind.IP_ADDRESSES, InformedObjects.type(Kind.IP_ADDRESSES.resource()));

  private final InformedObjects<Kind> objects;

  /** Not yet following. */
  public InformedRanges(SharedInformers informers) {
    objects = new InformedObjects<>(informers, TYPES);
  }

  /** Waits until all ranges and addresses are known. */
  public void awaitSync() throws InterruptedException {
    objects.awaitSync();
  }

  @Override
  public void listen(Runnable changed) {
    objects.listen(changed);
  }

  @Override
  public void catchUp(ObjectSink<Kind> sink) {
    objects.catchUp(sink);
  }
}
