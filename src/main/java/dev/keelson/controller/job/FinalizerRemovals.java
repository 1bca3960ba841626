package dev.keelson.controller.job;

import dev.keelson.client.informer.ObjectName;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The pods whose finalizer was removed and which the informer has not yet told so, by their uids:
 * they must not be counted again (source: {@code tracking_utils.go}). Safe for use by several
 * threads.
 */
final class FinalizerRemovals {

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<ObjectName, Set<String>> expected = new HashMap<>();

  Set<String> expected(ObjectName job) {
    lock.lock();
    try {
      return Set.copyOf(expected.getOrDefault(job, Set.of()));
    } finally {
      lock.unlock();
    }
  }

  void expect(ObjectName job, Collection<String> uids) {
    lock.lock();
    try {
      boolean unused = expected.computeIfAbsent(job, _ -> new HashSet<>()).addAll(uids);
    } finally {
      lock.unlock();
    }
  }

  /** The pod has no finalizer any more, or keeps it. */
  void observed(ObjectName job, String uid) {
    lock.lock();
    try {
      Set<String> uids = expected.get(job);
      if (uids != null && uids.remove(uid) && uids.isEmpty()) {
        expected.remove(job);
      }
    } finally {
      lock.unlock();
    }
  }

  void forget(ObjectName job) {
    lock.lock();
    try {
      @Nullable Set<String> unused = expected.remove(job);
    } finally {
      lock.unlock();
    }
  }
}
