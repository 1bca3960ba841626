package dev.keelson.server.registry;

import dev.keelson.controller.service.RepairMetrics;
import dev.keelson.http.health.Metrics;
import dev.keelson.registry.service.AddressBlock;
import dev.keelson.registry.service.AllocationMetrics;
import dev.keelson.registry.service.StoredNodePorts;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

/**
 * The metrics of Service addresses and node ports, under Kubernetes' names. Those of a range are
 * registered when it is first used.
 */
public final class ServiceMetrics implements AllocationMetrics, RepairMetrics {

  private static final String ADDRESSES = "kube_apiserver_clusterip_allocator_";
  private static final String PORTS = "kube_apiserver_nodeport_allocator_";

  private static final List<Duration> BOUNDS =
      List.of(
          Duration.ofMillis(1),
          Duration.ofMillis(5),
          Duration.ofMillis(10),
          Duration.ofMillis(50),
          Duration.ofMillis(100),
          Duration.ofMillis(250),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5));

  private final Metrics metrics;
  private final Counter portFailures;
  private final Counter addressFailures;
  private final Set<String> measured = ConcurrentHashMap.newKeySet();

  /** Counts the addresses that are allocated from a range. */
  private volatile ToIntFunction<AddressBlock> allocated = block -> 0;

  public ServiceMetrics(Metrics metrics) {
    this.metrics = metrics;
    portFailures =
        failures(
            "apiserver_nodeport_repair_reconcile_errors_total", "Failed repairs of node ports.");
    addressFailures =
        failures(
            "apiserver_clusterip_repair_reconcile_errors_total", "Failed repairs of cluster IPs.");
  }

  private Counter failures(String name, String help) {
    return Counter.builder(name).description(help).register(metrics.registry());
  }

  /**
   * Measures allocations at each scrape.
   *
   * @param counts the number of addresses that are allocated from a range
   */
  public void measure(ToIntFunction<AddressBlock> counts, StoredNodePorts ports) {
    allocated = counts;
    metrics.gauge(PORTS + "allocated_ports", Map.of(), () -> ports.lastKnown().used());
    metrics.gauge(
        PORTS + "available_ports",
        Map.of(),
        () -> ports.lastKnown().size() - ports.lastKnown().used());
  }

  private Map<String, String> labels(AddressBlock block) {
    Map<String, String> cidr = Map.of("cidr", block.toString());
    if (measured.add(block.toString())) {
      metrics.gauge(ADDRESSES + "allocated_ips", cidr, () -> allocated.applyAsInt(block));
      metrics.gauge(
          ADDRESSES + "available_ips",
          cidr,
          () -> Math.max(0, block.size() - allocated.applyAsInt(block)));
    }
    return cidr;
  }

  private static String text(Scope scope) {
    return scope.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void addressAllocated(AddressBlock block, Scope scope, Duration took) {
    Map<String, String> cidr = labels(block);
    metrics.count(
        ADDRESSES + "allocation_total",
        "Allocated cluster IPs, by range and by whether they were requested.",
        Map.of("cidr", block.toString(), "scope", text(scope)));
    metrics.time(
        ADDRESSES + "allocation_duration",
        "Time that the allocation of a cluster IP took.",
        cidr,
        BOUNDS,
        took);
  }

  @Override
  public void addressRefused(AddressBlock block, Scope scope) {
    Map<String, String> unused = labels(block);
    metrics.count(
        ADDRESSES + "allocation_errors_total",
        "Cluster IPs that could not be allocated.",
        Map.of("cidr", block.toString(), "scope", text(scope)));
  }

  @Override
  public void portAllocated(Scope scope) {
    metrics.count(
        PORTS + "allocation_total",
        "Allocated node ports, by whether they were requested.",
        Map.of("scope", text(scope)));
  }

  @Override
  public void portRefused(Scope scope) {
    metrics.count(
        PORTS + "allocation_errors_total",
        "Node ports that could not be allocated.",
        Map.of("scope", text(scope)));
  }

  @Override
  public void address(Fault fault) {
    metrics.count(
        "apiserver_clusterip_repair_ip_errors_total",
        "Errors of cluster IPs that the repair found, by type.",
        Map.of("type", fault.text()));
  }

  @Override
  public void port(Fault fault) {
    metrics.count(
        "apiserver_nodeport_repair_port_errors_total",
        "Errors of node ports that the repair found, by type.",
        Map.of("type", fault.text()));
  }

  @Override
  public void portsFailed() {
    portFailures.increment();
  }

  @Override
  public void addressesFailed() {
    addressFailures.increment();
  }
}
