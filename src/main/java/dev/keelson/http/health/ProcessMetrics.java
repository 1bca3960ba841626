package dev.keelson.http.health;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * The process metrics of Prometheus client libraries, used by dashboards of kube-apiserver, that
 * Micrometer's binders lack: the CPU time in seconds (Micrometer has nanoseconds) and the memory of
 * the process. Read from {@code /proc}; NaN on other systems than Linux. The binders of the Quarkus
 * extension add the others; {@link #NAMES} renames two of them.
 */
public final class ProcessMetrics {

  /** The clock ticks per second of {@code /proc}: always 100 on Linux. */
  private static final double TICKS_PER_SECOND = 100;

  private static final double PAGE_BYTES = 4096;

  private ProcessMetrics() {}

  /** Renames the binder's metrics of file descriptors. */
  static final MeterFilter NAMES =
      new MeterFilter() {
        @Override
        public Meter.Id map(Meter.Id id) {
          return switch (id.getName()) {
            case "process.files.open" -> id.withName("process_open_fds").withBaseUnit(null);
            case "process.files.max" -> id.withName("process_max_fds").withBaseUnit(null);
            default -> id;
          };
        }
      };

  /** Adds the metrics to a registry. */
  public static void register(MeterRegistry registry) {
    FunctionCounter.builder("process_cpu_seconds", registry, _ -> cpuSeconds())
        .description("Processor time that the process has used.")
        .register(registry);
    counter(registry, "process_network_receive_bytes", "InOctets");
    counter(registry, "process_network_transmit_bytes", "OutOctets");
    gauge(registry, "process_virtual_memory_max_bytes", ProcessMetrics::addressSpace);
    // boards of Go programs show it; virtual threads, which are many and cheap, are not in it
    gauge(registry, "go_goroutines", () -> ManagementFactory.getThreadMXBean().getThreadCount());
    gauge(registry, "process_resident_memory_bytes", () -> field(statm(), 1) * PAGE_BYTES);
    gauge(registry, "process_virtual_memory_bytes", () -> field(statm(), 0) * PAGE_BYTES);
  }

  private static void counter(MeterRegistry registry, String name, String field) {
    FunctionCounter.builder(name, registry, _ -> octets(field))
        .description("Bytes of the network of the process: " + field + " of its IP statistics.")
        .register(registry);
  }

  /** A field of the line pair {@code IpExt} of {@code /proc/self/net/netstat}. */
  private static double octets(String field) {
    List<String[]> pair =
        read("/proc/self/net/netstat")
            .lines()
            .filter(line -> line.startsWith("IpExt:"))
            .map(line -> line.split(" ", -1))
            .toList();
    int at = pair.size() == 2 ? List.of(pair.getFirst()).indexOf(field) : -1;
    return at < 0 ? Double.NaN : field(pair.getLast(), at);
  }

  /** The soft limit of the address space; without a limit the largest number, as in Go's client. */
  private static double addressSpace() {
    return read("/proc/self/limits")
        .lines()
        .filter(line -> line.startsWith("Max address space"))
        .map(line -> line.substring("Max address space".length()).strip().split(" +", -1)[0])
        .mapToDouble(limit -> limit.equals("unlimited") ? 0x1p64 : Double.parseDouble(limit))
        .findFirst()
        .orElse(Double.NaN);
  }

  private static void gauge(MeterRegistry registry, String name, Supplier<Number> value) {
    Gauge.builder(name, value).register(registry);
  }

  private static double cpuSeconds() {
    String[] stat = stat();
    return (field(stat, 11) + field(stat, 12)) / TICKS_PER_SECOND;
  }

  /** The fields of {@code /proc/self/stat} after the process name, which may contain spaces. */
  private static String[] stat() {
    String text = read("/proc/self/stat");
    return text.substring(text.lastIndexOf(')') + 1).strip().split(" ", -1);
  }

  private static String[] statm() {
    return read("/proc/self/statm").strip().split(" ", -1);
  }

  private static double field(String[] fields, int index) {
    return fields.length > index ? Double.parseDouble(fields[index]) : Double.NaN;
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      // not Linux
      return "";
    }
  }
}
