package dev.keelson.registry.service;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.Timestamps;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Entry;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.ObjectStore;
import dev.keelson.value.IpAddress;
import java.time.InstantSource;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * The IPAddresses of Services in the store. An address is allocated by the create of its object,
 * which succeeds on one of several servers. Safe for use by several threads.
 */
public final class StoredAddresses {

  private static final Logger LOG = Logger.getLogger(StoredAddresses.class);

  private final ObjectStore store;
  private final ObjectCodec codec;
  private final StoredType type;
  private final Timestamps timestamps;

  /**
   * @param type how IPAddresses are stored
   */
  public StoredAddresses(
      ObjectStore store, ObjectCodec codec, StoredType type, InstantSource clock) {
    this.store = store;
    this.codec = codec;
    this.type = type;
    this.timestamps = new Timestamps(clock);
  }

  /**
   * Creates the IPAddress of a Service.
   *
   * @param address in canonical form
   * @return false if it exists, also for the same Service
   */
  boolean create(String address, ServiceName service) {
    return store.create(type, "", address, codec.encode(type, object(address, service)))
        instanceof WriteOutcome.Applied;
  }

  /** Whether there is an IPAddress. */
  boolean exists(String address) {
    return store.get(type, "", address).entry() != null;
  }

  /**
   * Deletes the IPAddress if it is the Service's. If the store is unavailable, the repair deletes
   * it later.
   */
  void delete(String address, ServiceName service) {
    try {
      Entry entry = store.get(type, "", address).entry();
      if (entry != null && isFor(entry, service)) {
        WriteOutcome unused = store.delete(type, "", address, entry.modRevision());
      }
    } catch (StorageException e) {
      LOG.warnf("event=address-not-released address=%s error=%s", address, e.getMessage());
    }
  }

  private boolean isFor(Entry entry, ServiceName service) {
    MapNode parent = codec.decode(type, entry.value()).root().map("spec").map("parentRef");
    return parent.text("group").isEmpty()
        && parent.text("resource").equals("services")
        && parent.text("namespace").equals(service.namespace())
        && parent.text("name").equals(service.name());
  }

  private ApiObject object(String address, ServiceName service) {
    String family = IpAddress.parse(address).family().toString();
    MapNode labels =
        MapNode.of("ipaddress.kubernetes.io/ip-family", Node.text(family))
            .with("ipaddress.kubernetes.io/managed-by", Node.text("ipallocator.k8s.io"));
    MapNode meta =
        MapNode.of("name", Node.text(address))
            .with("uid", Node.text(UUID.randomUUID().toString()))
            .with("creationTimestamp", Node.text(timestamps.now()))
            .with("labels", labels);
    MapNode parent =
        MapNode.of("resource", Node.text("services"))
            .with("namespace", Node.text(service.namespace()))
            .with("name", Node.text(service.name()));
    return new ApiObject(
        MapNode.of("metadata", meta).with("spec", MapNode.of("parentRef", parent)));
  }
}
