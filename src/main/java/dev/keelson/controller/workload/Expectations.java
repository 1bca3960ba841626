package dev.keelson.controller.workload;

import dev.keelson.client.informer.ObjectName;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a controller has done and its informer has not yet told it, so that it does not do it twice
 * (source: Kubernetes' {@code ControllerExpectations}). Expectations that are not fulfilled in five
 * minutes are given up. Safe for use by several threads.
 */
public final class Expectations {

  private static final long GIVEN_UP = Duration.ofMinutes(5).toNanos();

  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<ObjectName, Expected> all = new HashMap<>();

  private static final class Expected {
    final long since;
    long creations;
    final Set<String> deletions = new HashSet<>();

    Expected(long since) {
      this.since = since;
    }
  }

  /**
   * No expectations.
   *
   * @param nanos a monotonic clock, in nanoseconds
   */
  public Expectations(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Whether nothing is expected any more for a workload. */
  public boolean satisfied(ObjectName workload) {
    lock.lock();
    try {
      Expected expected = all.get(workload);
      return expected == null
          || (expected.creations <= 0 && expected.deletions.isEmpty())
          || nanos.getAsLong() - expected.since > GIVEN_UP;
    } finally {
      lock.unlock();
    }
  }

  /** The uids of the pods whose deletion is expected: they still seem to be there. */
  public Set<String> deletions(ObjectName workload) {
    lock.lock();
    try {
      Expected expected = all.get(workload);
      return expected == null || nanos.getAsLong() - expected.since > GIVEN_UP
          ? Set.of()
          : Set.copyOf(expected.deletions);
    } finally {
      lock.unlock();
    }
  }

  /** Expects new pods, and nothing else. */
  public void expectCreations(ObjectName workload, int count) {
    Expected expected = new Expected(nanos.getAsLong());
    expected.creations = count;
    put(workload, expected);
  }

  /** Expects the deletion of pods, and nothing else. */
  public void expectDeletions(ObjectName workload, Set<String> uids) {
    Expected expected = new Expected(nanos.getAsLong());
    expected.deletions.addAll(uids);
    put(workload, expected);
  }

  /** Expects new pods and the deletion of others, and nothing else. */
  public void expect(ObjectName workload, int creations, Set<String> deletions) {
    Expected expected = new Expected(nanos.getAsLong());
    expected.creations = creations;
    expected.deletions.addAll(deletions);
    put(workload, expected);
  }

  private void put(ObjectName workload, Expected expected) {
    lock.lock();
    try {
      all.put(workload, expected);
    } finally {
      lock.unlock();
    }
  }

  /** A pod was created, or will not be. */
  public void created(ObjectName workload, int count) {
    lock.lock();
    try {
      Expected expected = all.get(workload);
      if (expected != null) {
        expected.creations -= count;
      }
    } finally {
      lock.unlock();
    }
  }

  /** A pod is being deleted, or will not be. */
  public void deleted(ObjectName workload, String uid) {
    lock.lock();
    try {
      Expected expected = all.get(workload);
      if (expected != null) {
        boolean unused = expected.deletions.remove(uid);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Forgets a workload that was deleted. */
  public void forget(ObjectName workload) {
    lock.lock();
    try {
      @Nullable Expected unused = all.remove(workload);
    } finally {
      lock.unlock();
    }
  }
}
