package dev.keelson.server.store;

import dev.keelson.storage.RevisionedStore;
import java.util.stream.Stream;

/**
 * A store with a tracker of last writes for each reader that waits for them. Writes go through
 * {@link #whole} and pass every tracker.
 *
 * @param encoded the store with the bytes at rest, untracked: for what needs no values
 * @param roles tracks roles and bindings
 * @param graph tracks the objects that relate nodes to others
 * @param identities tracks deletes of accounts, pods and nodes, and writes of Secrets
 * @param definitions tracks CustomResourceDefinitions
 * @param limits tracks LimitRanges
 * @param admission tracks admission policies, their bindings and webhook configurations
 * @param serviceCidrs tracks ServiceCIDRs
 * @param whole tracks namespaces; the store that all other parts use
 */
public record TrackedStores(
    RevisionedStore encoded,
    WriteTrackingStore roles,
    WriteTrackingStore graph,
    WriteTrackingStore identities,
    WriteTrackingStore definitions,
    WriteTrackingStore limits,
    WriteTrackingStore admission,
    WriteTrackingStore serviceCidrs,
    WriteTrackingStore whole) {

  /** Forgets the last writes, for stores whose revisions may have gone back. */
  public void forget() {
    Stream.of(roles, graph, identities, definitions, limits, admission, serviceCidrs, whole)
        .forEach(WriteTrackingStore::forget);
  }
}
