package dev.keelson.admission.quota;

import dev.keelson.quota.Quota;
import java.util.List;

/** Reads and charges the quotas of a namespace. Safe for use by several threads. */
public interface QuotaAccess {

  /** Returns the quotas of a namespace from the cache, in the order of their names. */
  List<Quota> cached(String namespace);

  /** Returns the stored quotas of a namespace, in the order of their names; may block. */
  List<Quota> newest(String namespace);

  /** The outcome of a charge. */
  sealed interface Charge {
    /** The usage is stored; {@code revision} is that of the quota now. */
    record Stored(long revision) implements Charge {}

    /** Another writer was first; {@code now} is the stored quota. */
    record Changed(Quota now) implements Charge {}

    /** The quota is gone. */
    record Gone() implements Charge {}
  }

  /**
   * Stores {@code quota.used()} if the quota still has the revision and uid of {@code quota}.
   *
   * @throws dev.keelson.api.ApiException if the write fails
   */
  Charge charge(Quota quota);
}
