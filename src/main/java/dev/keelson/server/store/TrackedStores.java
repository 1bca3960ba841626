package dev.keelson.server.store;

/**
 * One store with a tracker for each group of keys whose last write somebody waits for. Writes go
 * through {@link #whole} and pass every tracker.
 *
 * @param roles tracks roles and bindings
 * @param graph tracks the objects that relate nodes to others
 * @param identities tracks deletes of accounts, pods and nodes, and writes of Secrets
 * @param whole tracks namespaces, and is the store that everything uses
 */
public record TrackedStores(
    WriteTrackingStore roles,
    WriteTrackingStore graph,
    WriteTrackingStore identities,
    WriteTrackingStore whole) {}
