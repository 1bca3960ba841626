package dev.keelson.http.health;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    gauge(registry, "process_resident_memory_bytes", () -> field(statm(), 1) * PAGE_BYTES);
    gauge(registry, "process_virtual_memory_bytes", () -> field(statm(), 0) * PAGE_BYTES);
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
