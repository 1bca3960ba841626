package dev.keelson.scheduler;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.scheduler.device.Devices;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/** Writes what binds pods to their nodes, several side by side. */
final class Binder {

  private static final Logger LOG = Logger.getLogger(Binder.class);

  /** Bindings under way. */
  private static final int MOST_BINDINGS = 32;

  private final PodWrites writes;
  private final Devices devices;
  private final PodQueue queue;
  private final Consumer<PodView> forget;
  private final SchedulerMetrics metrics;
  private final LongSupplier nanos;
  private final Semaphore bindings = new Semaphore(MOST_BINDINGS);

  /**
   * A binder.
   *
   * @param forget is called with a pod that was not bound
   * @param nanos a monotonic clock, in nanoseconds
   */
  Binder(
      PodWrites writes,
      Devices devices,
      PodQueue queue,
      Consumer<PodView> forget,
      SchedulerMetrics metrics,
      LongSupplier nanos) {
    this.writes = writes;
    this.devices = devices;
    this.queue = queue;
    this.forget = forget;
    this.metrics = metrics;
    this.nanos = nanos;
  }

  /**
   * Begins to bind a pod; waits while too many are being bound.
   *
   * @param begin when the attempt began, of the monotonic clock
   */
  void bind(PodView pod, Needs needs, String node, long begin) throws InterruptedException {
    bindings.acquire();
    Thread unused =
        Thread.ofVirtual()
            .name("bind")
            .start(
                () -> {
                  try {
                    write(pod, needs, node, begin);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  } finally {
                    bindings.release();
                  }
                });
  }

  private void write(PodView pod, Needs needs, String node, long begin)
      throws InterruptedException {
    try {
      if (!needs.devices().isEmpty()) {
        prepare(pod, needs, node);
      }
    } catch (ApiException e) {
      unreserve(pod, needs, node);
      retry(pod, node, e, begin);
      tell(pod, "running PreBind plugin \"DynamicResources\": " + e.text());
      return;
    }
    try {
      writes.bind(pod, node);
      count(pod, begin);
      queue.remove(pod.name());
    } catch (ApiException e) {
      unreserve(pod, needs, node);
      if (e.reason() == Reason.NOT_FOUND) {
        forget.accept(pod);
        queue.remove(pod.name());
        return;
      }
      retry(pod, node, e, begin);
      if (e.reason() != Reason.CONFLICT) {
        // otherwise somebody has bound or deleted it
        tell(pod, "running Bind plugin \"DefaultBinder\": " + e.text());
      }
    }
  }

  /** Gives the devices to the pod; others are bound while it waits for them. */
  private void prepare(PodView pod, Needs needs, String node) throws InterruptedException {
    Wants wants = pod.wants();
    if (wants != null && !wants.nominated().equals(node)) {
      writes.nominate(pod, node);
    }
    devices.write(pod.name(), pod.uid(), needs.devices(), node);
    if (devices.arePrepared(needs.devices())) {
      return;
    }
    writes.waits(pod, node);
    bindings.release();
    try {
      devices.awaitPreparation(needs.devices());
    } finally {
      bindings.acquireUninterruptibly();
    }
  }

  private void count(PodView pod, long begin) {
    long now = nanos.getAsLong();
    metrics.attempted(SchedulerMetrics.Result.SCHEDULED, now - begin);
    queue
        .tried(pod.name())
        .ifPresentOrElse(
            tried -> metrics.bound(tried.attempts(), now - tried.begin()),
            // the watch was faster
            () -> metrics.bound(1, now - begin));
  }

  private void retry(PodView pod, String node, ApiException problem, long begin) {
    metrics.attempted(SchedulerMetrics.Result.ERROR, nanos.getAsLong() - begin);
    LOG.debugf("event=pod-not-bound pod=%s node=%s error=%s", pod.name(), node, problem.text());
    forget.accept(pod);
    queue.failed(pod.name());
    queue.retry();
  }

  /** Tells why a pod for which a node was found was not bound, and that none is expected. */
  private void tell(PodView pod, String problem) throws InterruptedException {
    try {
      writes.refuse(pod, "SchedulerError", problem, "", /* news= */ true);
    } catch (ApiException e) {
      LOG.debugf("event=pod-status-not-written pod=%s error=%s", pod.name(), e.text());
    }
  }

  private void unreserve(PodView pod, Needs needs, String node) throws InterruptedException {
    if (needs.devices().isEmpty()) {
      return;
    }
    try {
      devices.unreserve(pod.name(), pod.uid(), needs.devices(), node);
    } catch (ApiException e) {
      // the controller of claims ends reservations of pods that have ended
      LOG.debugf("event=claim-not-released pod=%s error=%s", pod.name(), e.text());
    }
  }
}
