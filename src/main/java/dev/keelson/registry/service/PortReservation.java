package dev.keelson.registry.service;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Allocates the node ports of one Service for one write (source: initNodePorts, updateNodePorts and
 * updateHealthCheckNodePort of kube-apiserver). A dry run shows ports that no Service has.
 */
final class PortReservation {

  private final StoredNodePorts ports;
  private final String service;
  private final boolean dryRun;
  private final List<Integer> allocated = new ArrayList<>();

  /** What a dry run pretends to have taken. */
  private final Set<Integer> shown = new HashSet<>();

  PortReservation(StoredNodePorts ports, String service, boolean dryRun) {
    this.ports = ports;
    this.service = service;
    this.dryRun = dryRun;
  }

  /** The spec of a new Service with its node ports. */
  MapNode create(MapNode spec) {
    MapNode next = spec;
    if (ServiceShape.mayHaveNodePorts(spec)) {
      next = eachPort(spec, new Creating(spec));
    }
    return ServiceShape.hasHealthCheckPort(next) ? healthCheck(next) : next;
  }

  /** The spec of an updated Service with its node ports. */
  MapNode update(MapNode spec, MapNode old) {
    MapNode next = spec;
    if (ServiceShape.mayHaveNodePorts(spec)) {
      next = eachPort(spec, new Updating(spec, old));
    }
    return ServiceShape.hasHealthCheckPort(next) && !ServiceShape.hasHealthCheckPort(old)
        ? healthCheck(next)
        : next;
  }

  void release() {
    allocated.forEach(ports::release);
  }

  /** Determines the node port of a port. */
  private interface Assignment {
    /** The node port, or 0 for none. */
    long of(MapNode port, int index);
  }

  private static MapNode eachPort(MapNode spec, Assignment assignment) {
    List<Node> result = new ArrayList<>();
    for (Node item : spec.items("ports")) {
      if (item instanceof MapNode port) {
        long number = assignment.of(port, result.size());
        result.add(number == 0 ? port : port.with("nodePort", new Node.Int(number)));
      } else {
        result.add(item);
      }
    }
    return result.isEmpty() ? spec : spec.with("ports", new Node.Items(result));
  }

  /** Ports with the same number, in several protocols, share a node port. */
  private final class Creating implements Assignment {
    private final boolean all;
    private final Map<Long, Long> requested = new HashMap<>();
    private final Map<Long, Long> byNumber = new HashMap<>();

    Creating(MapNode spec) {
      all = ServiceShape.hasNodePorts(spec);
      for (MapNode port : spec.maps("ports")) {
        if (ServiceShape.nodePort(port) != 0) {
          requested.putIfAbsent(number(port), ServiceShape.nodePort(port));
        }
      }
    }

    @Override
    public long of(MapNode port, int index) {
      long own = ServiceShape.nodePort(port);
      if (own == 0 && !all) {
        return 0;
      }
      Long shared = byNumber.get(number(port));
      if (shared == null) {
        Long wanted = requested.get(number(port));
        long taken = wanted == null ? any("nodePort") : request(wanted, index);
        byNumber.put(number(port), taken);
        return taken;
      }
      return own == 0 || own == shared ? shared : request(own, index);
    }

    private static long number(MapNode port) {
      return port.get("port") instanceof Node.Int number ? number.value() : 0;
    }
  }

  private final class Updating implements Assignment {
    private final boolean all;
    private final Set<Long> before = new HashSet<>();
    private final Set<String> used = new HashSet<>();

    Updating(MapNode spec, MapNode old) {
      all = ServiceShape.hasNodePorts(spec);
      old.items("ports").forEach(port -> before.add(ServiceShape.nodePort(port)));
    }

    @Override
    public long of(MapNode port, int index) {
      long own = ServiceShape.nodePort(port);
      if (own == 0 && !all) {
        return 0;
      }
      long number = own;
      if (own == 0) {
        number = any("nodePort");
      } else if (before.add(own)) {
        number = request(own, index);
      }
      String shown = "{" + port.text("protocol") + " " + number + "}";
      if (!used.add(shown)) {
        throw new ApiException(Reason.UNKNOWN, "duplicate nodePort: " + shown);
      }
      return number;
    }
  }

  private long request(long port, int index) {
    String refusal = refusal(port);
    if (!refusal.isEmpty()) {
      throw ServiceShape.invalid(
          service, FieldCause.invalid("spec.ports[" + index + "].nodePort", port, refusal));
    }
    return port;
  }

  private String refusal(long port) {
    if (dryRun) {
      if (!ports.configured().contains(port)) {
        return ports.outOfRange();
      }
      boolean free = !ports.lastKnown().has(port) && shown.add((int) port);
      return free ? "" : "provided port is already allocated";
    }
    String refusal = ports.allocate(port);
    if (refusal.isEmpty()) {
      allocated.add((int) port);
    }
    return refusal;
  }

  private long any(String what) {
    OptionalInt port = dryRun ? ports.free(shown) : ports.allocateNext();
    if (port.isEmpty()) {
      throw new ApiException(
          Reason.INTERNAL_ERROR,
          "Internal error occurred: failed to allocate a " + what + ": range is full");
    }
    (dryRun ? shown : allocated).add(port.getAsInt());
    return port.getAsInt();
  }

  private MapNode healthCheck(MapNode spec) {
    long wanted = ServiceShape.healthCheckPort(spec);
    if (wanted == 0) {
      return spec.with("healthCheckNodePort", new Node.Int(any("HealthCheck NodePort 0")));
    }
    String refusal = refusal(wanted);
    if (!refusal.isEmpty()) {
      throw new ApiException(
          Reason.INTERNAL_ERROR,
          "Internal error occurred: failed to allocate requested HealthCheck NodePort "
              + wanted
              + ": "
              + refusal);
    }
    return spec;
  }
}
