package dev.keelson.controller.service;

import dev.keelson.client.ResourceClient;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Sets the finalizer and the condition of ServiceCIDRs for an API server that does not do it, as
 * kube-controller-manager does. A server of Keelson does the same in {@link
 * ServiceNetworkController}, from what it knows of Services anyway.
 */
public final class ServiceCidrController implements QueueOwner, AutoCloseable {

  private final NetworkChanges source;

  /** Written by the feed; without Services. */
  private final NetworkState state = new NetworkState();

  private final ServiceCidrReconciler cidrs;
  private final WorkQueue<String> queue =
      new WorkQueue<>("servicecidrs", Duration.ofMillis(10), Duration.ofMinutes(1));
  private final ControllerLoop feed =
      ControllerLoop.every("service-cidr-feed", ControllerLoop.NO_RESYNC, this::pass);
  private final ControllerLoop worker =
      ControllerLoop.workers("service-cidrs", 1, queue, this::reconcile);

  /**
   * Not yet started.
   *
   * @param source of ServiceCIDRs and IPAddresses; complete when the controller starts, since a
   *     range without addresses is given up
   */
  public ServiceCidrController(ResourceClient client, NetworkChanges source, InstantSource clock) {
    this.source = source;
    this.cidrs = new ServiceCidrReconciler(client, state, clock);
  }

  /** Starts the threads. */
  public void start() {
    source.listen(feed::signal);
    feed.start();
    worker.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    feed.close();
    worker.close();
  }

  private void pass() {
    source.catchUp(state);
    state.findWrong(service -> {}, address -> {}, queue::add);
  }

  private Outcome reconcile(String name) {
    Duration again = cidrs.reconcile(name);
    if (again.isPositive()) {
      queue.addAfter(name, again);
    }
    return Outcome.DONE;
  }
}
