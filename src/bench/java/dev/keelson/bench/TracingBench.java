package dev.keelson.bench;

import com.sun.management.ThreadMXBean;
import dev.keelson.request.Latencies;
import dev.keelson.request.Latencies.Layer;
import dev.keelson.request.Span;
import dev.keelson.request.Spans;
import dev.keelson.request.Tracer;
import dev.keelson.server.tracing.Tracing;
import dev.keelson.server.tracing.TracingConfiguration;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures what the hooks of tracing cost a request: time and allocated bytes of six layers that
 * report their time, alone, with the hooks but without tracing, with a trace that is not sampled,
 * and with one that is. No collector listens.
 */
public final class TracingBench {

  private static final int REQUESTS = 200_000;
  private static final int LAYERS = 6;
  private static final int ROUNDS = 3;

  private final PrintStream out;
  private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private TracingBench(PrintStream out) {
    this.out = out;
  }

  /** Runs; takes no arguments. */
  public static void main(String[] arguments) {
    new TracingBench(System.out).run();
  }

  private void run() {
    try (Tracing unsampled = Tracing.of(new TracingConfiguration("127.0.0.1:1", 0), "bench");
        Tracing sampled = Tracing.of(new TracingConfiguration("127.0.0.1:1", 1_000_000), "bench")) {
      for (int round = 0; round < ROUNDS; round++) {
        measure("without hooks", () -> request(null, false));
        measure("off", () -> request(null, true));
        measure("not sampled", () -> request(unsampled, true));
        measure("sampled", () -> request(sampled, true));
      }
    }
  }

  private void measure(String name, Runnable request) {
    long allocated = threads.getCurrentThreadAllocatedBytes();
    long begin = System.nanoTime();
    for (int i = 0; i < REQUESTS; i++) {
      request.run();
    }
    double nanos = (System.nanoTime() - begin) / (double) REQUESTS;
    double bytes = (threads.getCurrentThreadAllocatedBytes() - allocated) / (double) REQUESTS;
    out.printf(Locale.ROOT, "tracing %s: %.0f ns, %.0f bytes a request%n", name, nanos, bytes);
  }

  private static void request(@Nullable Tracer tracer, boolean hooks) {
    Latencies latencies = new Latencies();
    latencies.begin(System.nanoTime());
    Span root = null;
    if (tracer != null) {
      root =
          tracer.request(
              new Tracer.Incoming(
                  "GET /api/v1/pods",
                  "audit",
                  latencies.begun(),
                  Map.of("accept", List.of("application/json")),
                  /* trusted= */ false));
      latencies.trace(root);
    }
    int unused = latencies.during(() -> hooks ? hooked() : plain());
    if (root != null) {
      root.end();
    }
  }

  private static int plain() {
    for (int i = 0; i < LAYERS; i++) {
      long begin = Latencies.begin();
      Latencies.end(Layer.STORE, begin);
    }
    return LAYERS;
  }

  private static int hooked() {
    for (int i = 0; i < LAYERS; i++) {
      long begin = Latencies.begin();
      try (Spans.Open _ = Spans.open("Get sqlite")) {
        Latencies.end(Layer.STORE, begin);
      }
    }
    return LAYERS;
  }
}
