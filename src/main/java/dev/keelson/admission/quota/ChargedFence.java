package dev.keelson.admission.quota;

import dev.keelson.admission.WriteFence;
import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.quota.UsageFences;
import java.time.Duration;

/**
 * The fence of a charged write. If it was raised after the charge, the usage may have been counted
 * without the object, so that the write is charged again. If it was raised before, and this server
 * did not know yet, the charge stands: that count is stored only over the quota from before the
 * raise. Until that count is stored, the quota may hold the first charge; a rejection is therefore
 * final only after some time.
 */
final class ChargedFence implements WriteFence {

  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final int ATTEMPTS = 50;

  /** Charges the write. */
  @FunctionalInterface
  interface Charge {
    /** Returns the least revision of the quotas that hold the charge. */
    long run() throws InterruptedException;
  }

  private final UsageFences fences;
  private final String namespace;
  private final Charge charge;
  private long revision;

  /** The least revision of the quotas that hold the charge. */
  private long charged;

  /**
   * The fence of a write.
   *
   * @param revision the revision of the fence from before the charge
   * @param charged the least revision of the quotas that hold the charge
   * @param charge charges the write again
   */
  ChargedFence(UsageFences fences, String namespace, long revision, long charged, Charge charge) {
    this.fences = fences;
    this.namespace = namespace;
    this.revision = revision;
    this.charged = charged;
    this.charge = charge;
  }

  @Override
  public String key() {
    return fences.key(namespace);
  }

  @Override
  public long revision() {
    return revision;
  }

  @Override
  public void raised(long now) {
    fences.learn(namespace, now);
    revision = now;
    if (now < charged) {
      return;
    }
    try {
      for (int attempt = 1; ; attempt++) {
        try {
          charged = charge.run();
          return;
        } catch (ApiException e) {
          if (e.reason() != Reason.FORBIDDEN || attempt == ATTEMPTS) {
            throw e;
          }
        }
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(Reason.TIMEOUT, "the request was interrupted");
    }
  }
}
