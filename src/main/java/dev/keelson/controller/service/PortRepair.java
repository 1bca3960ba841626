package dev.keelson.controller.service;

import dev.keelson.client.ResourceClient;
import dev.keelson.controller.service.NetworkChanges.Kind;
import dev.keelson.controller.service.NetworkState.Used;
import dev.keelson.controller.service.RepairMetrics.Fault;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.logging.Logger;

/**
 * Makes the allocated node ports agree with those of Services (source: kube-apiserver's
 * portallocator-repair-controller). A port that no Service has is released after it was found so
 * several times, since the write of its Service may be under way. Used by one thread.
 */
final class PortRepair {

  private static final Logger LOG = Logger.getLogger(PortRepair.class);
  private static final String COMPONENT = "portallocator-repair-controller";

  /** The pass that finds a port without a Service for this time releases it. */
  private static final int PASSES_BEFORE_RELEASE = 3;

  private static final int ATTEMPTS = 5;

  private final ResourceClient client;
  private final ServiceNetworkSource source;
  private final NetworkState state;
  private final PortAllocations allocations;
  private final NetworkEvents events;
  private final RepairMetrics metrics;

  /** How often a port without a Service is kept still. */
  private Map<Integer, Integer> leaks = new HashMap<>();

  PortRepair(
      ResourceClient client,
      ServiceNetworkSource source,
      NetworkState state,
      PortAllocations allocations,
      NetworkEvents events,
      RepairMetrics metrics) {
    this.client = client;
    this.source = source;
    this.state = state;
    this.allocations = allocations;
    this.events = events;
    this.metrics = metrics;
  }

  /** Runs one pass; throws what the client and the store throw. */
  void run() throws InterruptedException {
    try {
      for (int i = 0; i < ATTEMPTS; i++) {
        if (tryOnce()) {
          return;
        }
      }
    } catch (RuntimeException e) {
      metrics.portsFailed();
      throw e;
    }
    // the ports change all the time: the next pass repairs them
    metrics.portsFailed();
  }

  private boolean tryOnce() throws InterruptedException {
    // read before the Services: a port whose Service is stored later changes the revision, or is
    // kept for some passes
    PortAllocations.State stored = allocations.read();
    source.awaitNewest();
    source.catchUp(state);
    Set<Integer> rebuilt = new TreeSet<>();
    for (Map.Entry<String, Used> service : state.services().entrySet()) {
      for (int port : service.getValue().ports()) {
        take(service.getKey(), port, stored, rebuilt);
      }
    }
    Map<Integer, Integer> left = new HashMap<>();
    for (int port : stored.ports()) {
      if (!rebuilt.contains(port) && allocations.inRange(port)) {
        int count = leaks.getOrDefault(port, PASSES_BEFORE_RELEASE - 1);
        if (count > 0) {
          left.put(port, count - 1);
          rebuilt.add(port);
        } else {
          metrics.port(Fault.LEAK);
          LOG.warnf("event=node-port-released port=%d", port);
        }
      }
    }
    boolean same = stored.sameRange() && rebuilt.equals(stored.ports());
    if (!same && !allocations.replace(rebuilt, stored.revision())) {
      return false;
    }
    leaks = left;
    return true;
  }

  private void take(String service, int port, PortAllocations.State stored, Set<Integer> rebuilt) {
    if (!allocations.inRange(port)) {
      metrics.port(Fault.OUT_OF_RANGE);
      warn(
          service,
          "PortOutOfRange",
          "Port "
              + port
              + " is not within the port range "
              + allocations.range()
              + "; please recreate service");
    } else if (!rebuilt.add(port)) {
      metrics.port(Fault.DUPLICATE);
      warn(
          service,
          "PortAlreadyAllocated",
          "Port " + port + " was assigned to multiple services; please recreate service");
    } else if (!stored.ports().contains(port)) {
      metrics.port(Fault.REPAIR);
      warn(service, "PortNotAllocated", "Port " + port + " is not allocated; repairing");
    }
  }

  private void warn(String service, String reason, String message) {
    int slash = service.indexOf('/');
    client
        .get(Kind.SERVICES.resource(), service.substring(0, slash), service.substring(slash + 1))
        .ifPresent(about -> events.warn(COMPONENT, about, reason, "", message));
  }
}
