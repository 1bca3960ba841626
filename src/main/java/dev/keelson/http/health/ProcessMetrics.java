package dev.keelson.http.health;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The process and its memory, under the names that Prometheus' own client libraries use. Read from
 * {@code /proc}, which a JVM and a native executable share; elsewhere than on Linux the values are
 * not a number.
 */
final class ProcessMetrics {

  /** The unit of times in {@code /proc}: always 100 a second for user space on Linux. */
  private static final double TICKS_PER_SECOND = 100;

  private static final double PAGE_BYTES = 4096;

  private ProcessMetrics() {}

  static void register(MeterRegistry registry) {
    FunctionCounter.builder("process_cpu_seconds", registry, _ -> cpuSeconds())
        .description("Processor time that the process has used.")
        .register(registry);
    gauge(registry, "process_resident_memory_bytes", () -> field(statm(), 1) * PAGE_BYTES);
    gauge(registry, "process_virtual_memory_bytes", () -> field(statm(), 0) * PAGE_BYTES);
    gauge(registry, "process_open_fds", ProcessMetrics::openFiles);
    gauge(registry, "process_max_fds", ProcessMetrics::maxFiles);
    gauge(registry, "process_start_time_seconds", ProcessMetrics::startTime);
    Runtime runtime = Runtime.getRuntime();
    gauge(registry, "jvm_memory_used_bytes", () -> runtime.totalMemory() - runtime.freeMemory());
    gauge(registry, "jvm_memory_committed_bytes", runtime::totalMemory);
    gauge(registry, "jvm_memory_max_bytes", runtime::maxMemory);
  }

  private static void gauge(MeterRegistry registry, String name, Supplier<Number> value) {
    Gauge.Builder<?> builder = Gauge.builder(name, value);
    (name.startsWith("jvm_memory") ? builder.tag("area", "heap") : builder).register(registry);
  }

  private static double cpuSeconds() {
    String[] stat = stat();
    return (field(stat, 11) + field(stat, 12)) / TICKS_PER_SECOND;
  }

  private static double startTime() {
    double boot = Double.NaN;
    for (String line : read("/proc/stat").split("\n", -1)) {
      if (line.startsWith("btime ")) {
        boot = Double.parseDouble(line.substring("btime ".length()));
      }
    }
    return boot + field(stat(), 19) / TICKS_PER_SECOND;
  }

  private static double maxFiles() {
    for (String line : read("/proc/self/limits").split("\n", -1)) {
      if (line.startsWith("Max open files")) {
        String soft = line.split(" +", -1)[3];
        return soft.equals("unlimited") ? Double.POSITIVE_INFINITY : Double.parseDouble(soft);
      }
    }
    return Double.NaN;
  }

  private static double openFiles() {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    } catch (IOException e) {
      // no Linux
      return Double.NaN;
    }
  }

  /** The fields of {@code /proc/self/stat} after the name, which may hold spaces itself. */
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
      // no Linux
      return "";
    }
  }
}
