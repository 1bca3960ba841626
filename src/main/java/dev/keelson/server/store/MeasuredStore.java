package dev.keelson.server.store;

import dev.keelson.api.GroupResource;
import dev.keelson.request.Latencies;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Page;
import dev.keelson.storage.Read;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.time.Duration;

/** Measures the duration of each call of a store, failed calls included. */
public final class MeasuredStore extends ForwardingStore {

  private final StoredResources resources;
  private final Listener listener;

  /** Takes the durations. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Reports one call.
     *
     * @param operation get, list, create, update or delete
     */
    void called(String operation, GroupResource resource, Duration took);
  }

  /**
   * Measures every call of {@code store}.
   *
   * @param resources names the resource of a key
   * @param listener takes each call; called on the caller's thread
   */
  public MeasuredStore(RevisionedStore store, StoredResources resources, Listener listener) {
    super(store);
    this.resources = resources;
    this.listener = listener;
  }

  @Override
  public Read get(Bytes key, long atRevision) {
    long begin = System.nanoTime();
    try {
      return super.get(key, atRevision);
    } finally {
      tell("get", key, begin);
    }
  }

  @Override
  public Page range(KeyRange range, long atRevision, int limit) {
    long begin = System.nanoTime();
    try {
      return super.range(range, atRevision, limit);
    } finally {
      tell("list", range.start(), begin);
    }
  }

  @Override
  public WriteOutcome write(Write write) {
    long begin = System.nanoTime();
    try {
      return super.write(write);
    } finally {
      tell(operation(write), write.key(), begin);
    }
  }

  private void tell(String operation, Bytes key, long begin) {
    long nanos = System.nanoTime() - begin;
    Latencies.addToCurrent(Latencies.Layer.STORE, nanos);
    listener.called(operation, resources.of(key), Duration.ofNanos(nanos));
  }

  private static String operation(Write write) {
    return switch (write) {
      case Write.Put put when put.expectedRevision() == Write.ABSENT -> "create";
      case Write.Put _ -> "update";
      case Write.Delete _ -> "delete";
    };
  }
}
