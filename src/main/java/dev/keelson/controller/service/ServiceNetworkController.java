package dev.keelson.controller.service;

import dev.keelson.client.ResourceClient;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import dev.keelson.value.Cidr;
import dev.keelson.value.IpAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Follows ServiceCIDRs, Services and IPAddresses: maintains the finalizer and the condition of
 * ServiceCIDRs, and repairs the allocations of addresses and node ports. Every server runs it.
 *
 * <p>A change costs a look at the few fields that {@link NetworkState} has; only what may be wrong
 * is queued. Everything is looked at again at an interval.
 */
public final class ServiceNetworkController implements QueueOwner, AutoCloseable {

  /** How long all objects are taken for right between two looks, as in kube-apiserver. */
  private static final Duration RESYNC = Duration.ofMinutes(3);

  /** The interval at which addresses without a Service are looked at. */
  private static final Duration INTERVAL = Duration.ofSeconds(15);

  private final ServiceNetworkSource source;
  private final PortAllocations ports;
  private final NetworkState state = new NetworkState();
  private final AddressRepair addressRepair;
  private final PortRepair portRepair;
  private final ServiceCidrReconciler cidrs;
  private final RepairMetrics metrics;
  private final boolean reconcilesRanges;
  private final LongSupplier nanos;
  private final WorkQueue<Item> queue =
      new WorkQueue<>("servicecidrs", Duration.ofMillis(10), Duration.ofMinutes(1));
  private final ControllerLoop feed;
  private final ControllerLoop worker;
  private long lastResync;
  private long lastLookAtOrphans;
  private boolean resynced;

  /** What is to be reconciled. */
  private sealed interface Item {
    /** A ServiceCIDR. */
    record Range(String name) implements Item {}

    /** A Service whose addresses are not its own. */
    record Service(String namespace, String name) implements Item {}

    /** An IPAddress that no Service has. */
    record Orphan(String address) implements Item {}
  }

  /**
   * Creates the controller without starting it.
   *
   * @param reconcilesRanges whether ServiceCIDRs get their conditions and finalizers here, and not
   *     by Kubernetes' controller manager
   * @param nanos a clock in nanoseconds, for the interval of looks at everything
   */
  public ServiceNetworkController(
      ResourceClient client,
      ServiceNetworkSource source,
      PortAllocations ports,
      RepairMetrics metrics,
      boolean reconcilesRanges,
      InstantSource clock,
      LongSupplier nanos) {
    this.source = source;
    this.ports = ports;
    this.metrics = metrics;
    this.reconcilesRanges = reconcilesRanges;
    this.nanos = nanos;
    NetworkEvents events = new NetworkEvents(client, clock);
    addressRepair = new AddressRepair(client, state, events, metrics, clock);
    portRepair = new PortRepair(client, source, state, ports, events, metrics);
    cidrs = new ServiceCidrReconciler(client, state, clock);
    feed = ControllerLoop.every("service-feed", INTERVAL, this::pass);
    worker = ControllerLoop.workers("service-repair", 1, queue, this::reconcile);
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

  /** The number of addresses of Services in each range of a ServiceCIDR. */
  public Map<Cidr, Integer> allocated() {
    Map<Cidr, Integer> counts = new HashMap<>();
    List<IpAddress> addresses = state.managedAddresses();
    for (Cidr range : state.allRanges()) {
      counts.put(range, (int) addresses.stream().filter(range::contains).count());
    }
    return counts;
  }

  private void pass() throws InterruptedException {
    source.catchUp(state);
    boolean due = !resynced || nanos.getAsLong() - lastResync >= RESYNC.toNanos();
    if (due) {
      state.touchAll();
    }
    queueWrong();
    if (due) {
      if (!resynced) {
        ports.removeFormer();
      }
      portRepair.run();
      queueWrong();
      lastResync = nanos.getAsLong();
      resynced = true;
    }
    // most of them have a Service a moment later
    if (due || nanos.getAsLong() - lastLookAtOrphans >= INTERVAL.toNanos()) {
      state.orphans().forEach(address -> queue.add(new Item.Orphan(address)));
      lastLookAtOrphans = nanos.getAsLong();
    }
  }

  private void queueWrong() {
    state.findWrong(
        key -> queue.add(service(key)),
        address -> queue.add(new Item.Orphan(address)),
        name -> {
          if (reconcilesRanges) {
            queue.add(new Item.Range(name));
          }
        });
  }

  private static Item service(String key) {
    int slash = key.indexOf('/');
    return new Item.Service(key.substring(0, slash), key.substring(slash + 1));
  }

  private Outcome reconcile(Item item) {
    return switch (item) {
      case Item.Range range -> {
        Duration again = cidrs.reconcile(range.name());
        if (again.isPositive()) {
          queue.addAfter(item, again);
        }
        yield Outcome.DONE;
      }
      case Item.Service service -> {
        if (!state.hasRanges()) {
          yield Outcome.RETRY;
        }
        yield repaired(() -> addressRepair.service(service.namespace(), service.name()));
      }
      case Item.Orphan orphan -> repaired(() -> addressRepair.orphan(orphan.address()));
    };
  }

  private Outcome repaired(Runnable repair) {
    try {
      repair.run();
      return Outcome.DONE;
    } catch (RuntimeException e) {
      metrics.addressesFailed();
      throw e;
    }
  }
}
