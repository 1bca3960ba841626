package dev.keelson.server.store;

import dev.keelson.api.GroupResource;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Page;
import dev.keelson.storage.Read;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A store that tells how long each call of another one took, whether it ended well or not. */
public final class MeasuredStore extends ForwardingStore {

  private volatile @Nullable Measuring measuring;

  /** Is told of a call. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Reports one call.
     *
     * @param operation get, list, create, update or delete
     */
    void called(String operation, GroupResource resource, Duration took);
  }

  private record Measuring(StoredResources resources, Listener listener) {}

  public MeasuredStore(RevisionedStore store) {
    super(store);
  }

  /** Begins to measure; what was called before is not told. */
  public void measure(StoredResources resources, Listener listener) {
    measuring = new Measuring(resources, listener);
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
    Measuring current = measuring;
    if (current != null) {
      current
          .listener()
          .called(
              operation, current.resources().of(key), Duration.ofNanos(System.nanoTime() - begin));
    }
  }

  private static String operation(Write write) {
    return switch (write) {
      case Write.Put put when put.expectedRevision() == Write.ABSENT -> "create";
      case Write.Put _ -> "update";
      case Write.Delete _ -> "delete";
    };
  }
}
