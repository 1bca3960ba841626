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

  /** A request that waits for its result: completes with null if it is admitted. */
  private record Waiter(QuotaRequest request, CompletableFuture<Void> result) {}

  Charges(QuotaAccess access, Duration patience) {
    this.access = access;
    this.patience = patience;
  }

  /**
   * Waits until the request is charged.
   *
   * @throws ApiException if a quota rejects it, or if it cannot be charged in time
   */
  void admit(QuotaRequest request) throws InterruptedException {
    Waiter waiter = new Waiter(request, new CompletableFuture<>());
    enqueue(request.call().namespace(), waiter);
    try {
      Void unused = waiter.result.get(patience.toNanos(), TimeUnit.NANOSECONDS);
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
            admitted(waiter);
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
      quotas = store(quotas, running);
      mode = Rejection.FINAL;
      if (quotas.isEmpty()) {
        charged.forEach(Charges::admitted);
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

  private static void admitted(Waiter waiter) {
    boolean unused = waiter.result.complete(null);
  }

  /** Stores the quotas that differ; returns the newest state of those that changed meanwhile. */
  private List<Quota> store(List<Quota> before, List<Quota> after) {
    List<Quota> changed = new ArrayList<>();
    for (int i = 0; i < after.size(); i++) {
      Quota quota = after.get(i);
      if (!quota.used().equals(before.get(i).used())
          && access.charge(quota) instanceof QuotaAccess.Charge.Changed lost) {
        changed.add(lost.now());
      }
    }
    return changed;
  }
}
