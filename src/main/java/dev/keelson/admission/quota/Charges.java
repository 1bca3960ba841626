package dev.keelson.admission.quota;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Reason;
import dev.keelson.quota.Quota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Charges writes to quotas. The writes of one namespace that arrive while a charge is being stored
 * are charged together, with one write for each quota (source: {@code quotaEvaluator} of
 * apiserver).
 */
final class Charges {

  /*
   * Each namespace with requests has a lane: a list of requests and one virtual thread that takes
   * all of them, checks one after the other on a running copy of the quotas, and stores the quotas
   * that changed, each only if it still has the revision that was read. A refused write of a quota
   * means that another server or the controller was first: those requests are checked again on the
   * newest state, but only against the quotas that are not charged yet. A request is admitted when
   * all its quotas are stored, and rejected only on a state that was read from the store, since the
   * cache may not have what was given back.
   *
   * The lock guards the lanes; no other lock is taken under it.
   */

  /** How often a batch is tried again after another writer was first. */
  private static final int ATTEMPTS = 50;

  private static final GroupResource QUOTAS = new GroupResource("", "resourcequotas");

  private final QuotaAccess access;
  private final Duration patience;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, List<Waiter>> lanes = new HashMap<>();

  /** The revision of a charge that changed no quota: nothing came after it. */
  static final long UNCHARGED = Long.MAX_VALUE;

  /** A request that waits for its result: the revision of its charge if it is admitted. */
  private static final class Waiter {
    private final QuotaRequest request;
    private final CompletableFuture<Long> result = new CompletableFuture<>();

    /** The least revision of the quotas that are charged so far; owned by the lane's thread. */
    private long charged = UNCHARGED;

    Waiter(QuotaRequest request) {
      this.request = request;
    }

    void admitted() {
      boolean unused = result.complete(charged);
    }
  }

  /**
   * What became of the quotas of a batch.
   *
   * @param charged the least revision of those that are charged
   * @param changed the newest state of those that another writer changed first
   */
  private record Stored(long charged, List<Quota> changed) {}

  Charges(QuotaAccess access, Duration patience) {
    this.access = access;
    this.patience = patience;
  }

  /**
   * Waits until the request is charged.
   *
   * @return the least revision of the quotas that hold the charge; {@link #UNCHARGED} if none does
   * @throws ApiException if a quota rejects it, or if it cannot be charged in time
   */
  long admit(QuotaRequest request) throws InterruptedException {
    Waiter waiter = new Waiter(request);
    enqueue(request.call().namespace(), waiter);
    try {
      return waiter.result.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e);
    } catch (TimeoutException e) {
      throw new ApiException(
          Reason.INTERNAL_ERROR, "Internal error occurred: resource quota evaluation timed out");
    }
  }

  private void enqueue(String namespace, Waiter waiter) {
    lock.lock();
    try {
      List<Waiter> lane = lanes.get(namespace);
      if (lane != null) {
        lane.add(waiter);
        return;
      }
      lanes.put(namespace, new ArrayList<>(List.of(waiter)));
    } finally {
      lock.unlock();
    }
    Thread unused = Thread.ofVirtual().name("quota " + namespace).start(() -> drain(namespace));
  }

  private void drain(String namespace) {
    List<Waiter> batch = next(namespace);
    while (!batch.isEmpty()) {
      try {
        process(namespace, batch);
      } catch (RuntimeException e) {
        for (Waiter waiter : batch) {
          boolean unused = waiter.result.completeExceptionally(e);
        }
      }
      batch = next(namespace);
    }
  }

  /** Takes all waiting requests; removes the lane if there are none. */
  private List<Waiter> next(String namespace) {
    lock.lock();
    try {
      List<Waiter> waiting = lanes.getOrDefault(namespace, List.of());
      if (waiting.isEmpty()) {
        lanes.remove(namespace);
        return List.of();
      }
      lanes.put(namespace, new ArrayList<>());
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  private void process(String namespace, List<Waiter> batch) {
    List<Quota> cached = access.cached(namespace);
    List<Waiter> rejected = attempt(cached, batch, Rejection.DEFERRED);
    if (!rejected.isEmpty()) {
      List<Waiter> unused = attempt(access.newest(namespace), rejected, Rejection.FINAL);
    }
  }

  /** Whether a rejection may be due to a stale state. */
  private enum Rejection {
    DEFERRED,
    FINAL
  }

  /** Checks and charges; returns the requests whose rejection is not final. */
  private List<Waiter> attempt(List<Quota> known, List<Waiter> batch, Rejection first) {
    List<Quota> quotas = known;
    List<Waiter> open = batch;
    List<Waiter> rejected = new ArrayList<>();
    Rejection mode = first;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      List<Quota> running = quotas;
      List<Waiter> charged = new ArrayList<>();
      for (Waiter waiter : open) {
        try {
          List<Quota> next = waiter.request.check(running);
          if (waiter.request.call().dryRun() || next.equals(running)) {
            waiter.admitted();
          } else {
            charged.add(waiter);
            running = next;
          }
        } catch (RuntimeException e) {
          if (mode == Rejection.DEFERRED) {
            rejected.add(waiter);
          } else {
            boolean unused = waiter.result.completeExceptionally(e);
          }
        }
      }
      if (charged.isEmpty()) {
        return rejected;
      }
      open = charged;
      // where another writer was first, what it stored
      Stored stored = store(quotas, running);
      quotas = stored.changed();
      mode = Rejection.FINAL;
      for (Waiter waiter : charged) {
        waiter.charged = Math.min(waiter.charged, stored.charged());
      }
      if (quotas.isEmpty()) {
        charged.forEach(Waiter::admitted);
        return rejected;
      }
    }
    for (Waiter waiter : open) {
      boolean unused =
          waiter.result.completeExceptionally(
              ApiException.conflict(
                  QUOTAS,
                  quotas.isEmpty() ? "" : quotas.getFirst().name(),
                  "the object has been modified; please apply your changes to the latest version"
                      + " and try again"));
    }
    return rejected;
  }

  /** Stores the quotas that differ. */
  private Stored store(List<Quota> before, List<Quota> after) {
    long charged = UNCHARGED;
    List<Quota> changed = new ArrayList<>();
    for (int i = 0; i < after.size(); i++) {
      Quota quota = after.get(i);
      if (!quota.used().equals(before.get(i).used())) {
        switch (access.charge(quota)) {
          case QuotaAccess.Charge.Stored stored -> charged = Math.min(charged, stored.revision());
          case QuotaAccess.Charge.Changed lost -> changed.add(lost.now());
          case QuotaAccess.Charge.Gone _ -> {}
        }
      }
    }
    return new Stored(charged, changed);
  }
}
