package dev.keelson.server.store;

/**
 * A store with a tracker of last writes for each reader that waits for them. Writes go through
 * {@link #whole} and pass every tracker.
 *
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
    WriteTrackingStore roles,
    WriteTrackingStore graph,
    WriteTrackingStore identities,
    WriteTrackingStore definitions,
    WriteTrackingStore limits,
    WriteTrackingStore admission,
    WriteTrackingStore serviceCidrs,
    WriteTrackingStore whole) {}
