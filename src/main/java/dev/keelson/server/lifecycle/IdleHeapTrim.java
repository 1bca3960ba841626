package dev.keelson.server.lifecycle;

import dev.keelson.controller.ControllerLoop;
import java.time.Duration;
import java.util.function.Supplier;
import org.graalvm.nativeimage.RuntimeOptions;

/**
 * Returns unused heap to the operating system when the process is idle: right after the start,
 * whose garbage is several times the live objects, and after a minute without work. Native
 * executable only; its serial collector otherwise keeps the young generation for the next
 * allocations.
 *
 * <p>A collection takes about 10 milliseconds for the few megabytes of a small server, and grows
 * with the live objects. The next burst of work has to take the memory back, which costs up to a
 * third more processor time while it lasts; hence the minute.
 */
public final class IdleHeapTrim implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofMillis(500);

  /** An interval with less processor time is idle: a twentieth of a processor. */
  private static final Duration IDLE = INTERVAL.dividedBy(20);

  /** The number of consecutive idle intervals before a later collection: one minute. */
  private static final int IDLE_INTERVALS = 120;

  /** The processor time between two collections, at least. */
  private static final Duration WORK = Duration.ofSeconds(1);

  private final Supplier<Duration> processorTime;
  private final Runnable trim;
  private final ControllerLoop loop;
  private Duration lastSample;
  private Duration nextTrim = Duration.ZERO;
  private int idleIntervals;
  private int required = 1;

  /**
   * @param processorTime the processor time that the process has used
   * @param trim collects garbage and releases free heap
   */
  IdleHeapTrim(Supplier<Duration> processorTime, Runnable trim) {
    this.processorTime = processorTime;
    this.trim = trim;
    this.loop = ControllerLoop.every("idle-heap-trim", INTERVAL, this::sample);
    this.lastSample = Duration.ZERO;
  }

  /** Returns a trim of this process. */
  public static IdleHeapTrim ofProcess() {
    return new IdleHeapTrim(
        () -> ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO),
        NativeHeap::release);
  }

  /** Starts to sample the processor time; does nothing on a JVM. */
  public void start() {
    if (System.getProperty("org.graalvm.nativeimage.imagecode") != null) {
      lastSample = processorTime.get();
      loop.startAfterInterval();
    }
  }

  /** Samples the processor time; called at each interval. */
  void sample() {
    Duration now = processorTime.get();
    boolean idle = now.minus(lastSample).compareTo(IDLE) < 0;
    lastSample = now;
    idleIntervals = idle ? idleIntervals + 1 : 0;
    if (idleIntervals >= required && now.compareTo(nextTrim) >= 0) {
      trim.run();
      lastSample = processorTime.get();
      nextTrim = lastSample.plus(WORK);
      idleIntervals = 0;
      required = IDLE_INTERVALS;
    }
  }

  @Override
  public void close() {
    loop.close();
  }

  /** A class of its own: a JVM does not have RuntimeOptions. */
  private static final class NativeHeap {

    /** The free heap that a collection keeps, in bytes; 0 leaves it to the GC policy. */
    private static final String MAX_HEAP_FREE = "MaxHeapFree";

    private NativeHeap() {}

    static void release() {
      Object before = RuntimeOptions.get(MAX_HEAP_FREE);
      RuntimeOptions.set(MAX_HEAP_FREE, 1L);
      try {
        System.gc();
      } finally {
        RuntimeOptions.set(MAX_HEAP_FREE, before);
      }
    }
  }
}
