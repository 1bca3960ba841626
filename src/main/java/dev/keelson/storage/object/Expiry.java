package dev.keelson.storage.object;

import dev.keelson.schema.StoredType;
import dev.keelson.storage.RevisionedStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The time to live of types whose objects the store removes some time after their last write. Safe
 * for use by several threads.
 *
 * <p>A lease costs the store more than an object, so objects written within a short time share one
 * (source: kube-apiserver's lease manager). The lease lasts that much longer, so that no object
 * expires early.
 */
public final class Expiry {

  /** Objects that share a lease are written within this time, or a twentieth of their life. */
  private static final Duration SHARED = Duration.ofMinutes(1);

  /** The end of a lease is one transaction of the store, which must not grow too large. */
  private static final int MOST_OBJECTS = 1000;

  private final Map<String, Duration> lives;
  private final InstantSource clock;
  private final Map<String, Shared> open = new HashMap<>();

  /** A lease that objects can still join. */
  private static final class Shared {
    final long lease;
    final Instant until;
    int objects;

    Shared(long lease, Instant until) {
      this.lease = lease;
      this.until = until;
    }
  }

  /**
   * Times to live.
   *
   * @param lives how long, by the key prefix of the stored type; each at least a second
   */
  public Expiry(Map<String, Duration> lives, InstantSource clock) {
    this.lives = Map.copyOf(lives);
    this.clock = clock;
  }

  /** No object expires. */
  static Expiry none() {
    return new Expiry(Map.of(), InstantSource.fixed(Instant.EPOCH));
  }

  /**
   * The lease of an object that is written now; 0 if it does not expire. May block, and throws the
   * exceptions of the store.
   *
   * @param store the one that holds the objects of {@code type}
   */
  long lease(RevisionedStore store, StoredType type) {
    Duration life = lives.get(type.keyPrefix());
    if (life == null) {
      return 0;
    }
    synchronized (open) {
      Instant now = clock.instant();
      @Nullable Shared shared = open.get(type.keyPrefix());
      if (shared == null || !now.isBefore(shared.until) || shared.objects == MOST_OBJECTS) {
        Duration joinable = life.dividedBy(20);
        joinable = joinable.compareTo(SHARED) < 0 ? joinable : SHARED;
        shared = new Shared(store.grantLease(life.plus(joinable)), now.plus(joinable));
        open.put(type.keyPrefix(), shared);
      }
      shared.objects++;
      return shared.lease;
    }
  }

  /**
   * Called after a write with the lease failed: the lease may have expired, so the next write gets
   * another.
   */
  void invalidate(StoredType type, long lease) {
    synchronized (open) {
      Shared shared = open.get(type.keyPrefix());
      if (shared != null && shared.lease == lease) {
        open.remove(type.keyPrefix());
      }
    }
  }
}
