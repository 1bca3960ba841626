package dev.keelson.registry.service;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.Timestamps;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Entry;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.ObjectStore;
import java.time.InstantSource;
import org.jboss.logging.Logger;

/**
 * The Endpoints in the store that go with their Service: a new Service of the same name must not
 * begin with the addresses of the old one (source: {@code afterDelete} of kube-apiserver's
 * Services). Safe for use by several threads.
 */
public final class StoredEndpoints {

  private static final Logger LOG = Logger.getLogger(StoredEndpoints.class);

  private final ObjectStore store;
  private final ObjectCodec codec;
  private final StoredType type;
  private final Timestamps timestamps;

  /**
   * The Endpoints of a store.
   *
   * @param type how Endpoints are stored
   */
  public StoredEndpoints(
      ObjectStore store, ObjectCodec codec, StoredType type, InstantSource clock) {
    this.store = store;
    this.codec = codec;
    this.type = type;
    this.timestamps = new Timestamps(clock);
  }

  /**
   * Deletes the Endpoints of a Service that is gone; those with finalizers are marked. If the store
   * is unavailable, they are left to the controller of Endpoints.
   */
  void delete(ServiceName service) {
    try {
      Entry entry = store.get(type, service.namespace(), service.name()).entry();
      while (entry != null) {
        switch (deleted(entry, service)) {
          case WriteOutcome.Conflict conflict -> entry = conflict.current();
          case WriteOutcome.Applied _, WriteOutcome.Missing _, WriteOutcome.Guarded _ ->
              entry = null;
        }
      }
    } catch (StorageException e) {
      LOG.warnf(
          "event=endpoints-not-deleted namespace=%s name=%s error=%s",
          service.namespace(), service.name(), e.getMessage());
    }
  }

  private WriteOutcome deleted(Entry entry, ServiceName service) {
    ApiObject endpoints = codec.decode(type, entry.value());
    ObjectMeta meta = endpoints.meta();
    if (meta.finalizers().isEmpty()) {
      return store.delete(type, service.namespace(), service.name(), entry.modRevision());
    }
    if (meta.deleting()) {
      return new WriteOutcome.Applied(entry.modRevision());
    }
    ObjectMeta marked =
        meta.with("deletionTimestamp", Node.text(timestamps.now()))
            .with("deletionGracePeriodSeconds", new Node.Int(0));
    return store.replace(
        type,
        service.namespace(),
        service.name(),
        codec.encode(type, endpoints.withMeta(marked)),
        entry.modRevision());
  }
}
