package dev.keelson.server.lifecycle;

import dev.keelson.controller.ControllerLoop;
import java.time.Duration;
import java.util.function.Supplier;
import org.graalvm.nativeimage.RuntimeOptions;

/**
 * Gives the heap that is no longer used back to the system when the process is idle: after the
 * start, whose garbage is several times what stays, and after each busy time. Native executable
 * only; its serial collector otherwise keeps the young generation for the next allocations.
 *
 * <p>Idle is an interval with less than a twentieth of a processor. A collection takes about 10
 * milliseconds for the few megabytes of a small server, and grows with what is live.
 */
public final class IdleHeapTrim implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofMillis(500);

  /** Less processor time than that in an interval is idle. */
  private static final Duration IDLE = INTERVAL.dividedBy(20);

  /** Processor time after a collection that makes the next one worth its cost. */
  private static final Duration WORK = Duration.ofSeconds(1);

  private final Supplier<Duration> processorTime;
  private final Runnable trim;
  private final ControllerLoop loop;
  private Duration atLastLook;
  private Duration worthwhile = Duration.ZERO;

  /**
   * @param processorTime what the process has used so far
   * @param trim collects and releases
   */
  IdleHeapTrim(Supplier<Duration> processorTime, Runnable trim) {
    this.processorTime = processorTime;
    this.trim = trim;
    this.loop = ControllerLoop.every("idle-heap-trim", INTERVAL, this::look);
    this.atLastLook = Duration.ZERO;
  }

  /** For this process. */
  public static IdleHeapTrim ofProcess() {
    return new IdleHeapTrim(
        () -> ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO),
        NativeHeap::release);
  }

  /** Begins to look; does nothing on a JVM. */
  public void start() {
    if (System.getProperty("org.graalvm.nativeimage.imagecode") != null) {
      atLastLook = processorTime.get();
      loop.startAfterInterval();
    }
  }

  /** One look, an interval after the one before. */
  void look() {
    Duration now = processorTime.get();
    boolean idle = now.minus(atLastLook).compareTo(IDLE) < 0;
    atLastLook = now;
    if (idle && now.compareTo(worthwhile) >= 0) {
      trim.run();
      atLastLook = processorTime.get();
      worthwhile = atLastLook.plus(WORK);
    }
  }

  @Override
  public void close() {
    loop.close();
  }

  /** Apart, since a JVM does not have the class of the options. */
  private static final class NativeHeap {

    /** How much of the free heap a collection keeps for allocations; 0 is what the policy wants. */
    private static final String KEPT = "MaxHeapFree";

    private NativeHeap() {}

    static void release() {
      Object before = RuntimeOptions.get(KEPT);
      RuntimeOptions.set(KEPT, 1L);
      try {
        System.gc();
      } finally {
        RuntimeOptions.set(KEPT, before);
      }
    }
  }
}
