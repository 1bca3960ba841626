package dev.keelson.admission.quota;

import dev.keelson.quota.Quota;
import java.util.List;
import java.util.Optional;

/** Reads and charges the quotas of a namespace. Safe for use by several threads. */
public interface QuotaAccess {

  /** Returns the quotas of a namespace from the cache, in the order of their names. */
  List<Quota> cached(String namespace);

  /** Returns the stored quotas of a namespace, in the order of their names; may block. */
  List<Quota> newest(String namespace);

  /**
   * Stores {@code quota.used()} if the quota still has the revision and uid of {@code quota}.
   *
   * @return the stored quota; empty if it has changed or is gone
   * @throws dev.keelson.api.ApiException if the write fails
   */
  Optional<Quota> charge(Quota quota);
}
