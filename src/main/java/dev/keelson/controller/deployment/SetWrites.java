package dev.keelson.controller.deployment;

import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.workload.ReplicaSetFacts;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ReplicaSets that the controller has written and that its informer has not told yet. Sizes of
 * a rollout depend on each other: with an old size of one ReplicaSet another would become too large
 * or too small, and the resourceVersion of that other one cannot tell. Resource versions are
 * compared as numbers (KEP-5504). The writes of a Deployment are used by one thread at a time.
 */
final class SetWrites {

  /** After a write without an answer: what is stored must be read. */
  private static final long UNKNOWN = 0;

  private final ApiClient client;
  private final Informer<ReplicaSetFacts> sets;

  /** By the uid of the Deployment, the revision from which on a ReplicaSet is known. */
  private final Map<String, Map<ObjectName, Long>> untold = new ConcurrentHashMap<>();

  SetWrites(ApiClient client, Informer<ReplicaSetFacts> sets) {
    this.client = client;
    this.sets = sets;
  }

  /** A ReplicaSet of a Deployment was written. */
  void written(String deployment, ReplicaSetFacts set) {
    of(deployment).put(set.name(), version(set));
  }

  /** A ReplicaSet of a Deployment may have been written: there was no answer. */
  void unanswered(String deployment, ObjectName set) {
    of(deployment).put(set, UNKNOWN);
  }

  private Map<ObjectName, Long> of(String deployment) {
    return untold.computeIfAbsent(deployment, _ -> new ConcurrentHashMap<>());
  }

  /** Forgets a Deployment, or one whose writes are all told. */
  void forget(String deployment) {
    Map<ObjectName, Long> unused = untold.remove(deployment);
  }

  /** Whether the informer knows all that was written for a Deployment. */
  boolean told(String deployment) throws InterruptedException {
    Map<ObjectName, Long> writes = untold.getOrDefault(deployment, Map.of());
    for (Map.Entry<ObjectName, Long> write : writes.entrySet()) {
      if (!told(write)) {
        return false;
      }
    }
    forget(deployment);
    return true;
  }

  private boolean told(Map.Entry<ObjectName, Long> write) throws InterruptedException {
    Optional<ReplicaSetFacts> known = sets.get(write.getKey());
    if (known.isPresent() && write.getValue() != UNKNOWN) {
      return version(known.get()) >= write.getValue();
    }
    ObjectName name = write.getKey();
    Optional<ReplicaSetFacts> stored =
        client
            .get(ReplicaSetFacts.RESOURCE, name.namespace(), name.name())
            .map(ReplicaSetFacts::of);
    if (stored.isEmpty()) {
      // it was deleted meanwhile
      return known.isEmpty();
    }
    long version = version(stored.get());
    Long unused = write.setValue(version);
    return known.isPresent() && version(known.get()) >= version;
  }

  private static long version(ReplicaSetFacts set) {
    return Long.parseUnsignedLong(set.resourceVersion());
  }
}
