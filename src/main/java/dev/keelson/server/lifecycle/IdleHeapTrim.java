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

  /** An interval with less processor time than that is idle: a twentieth of a processor. */
  private static final Duration IDLE = INTERVAL.dividedBy(20);

  /** So many idle intervals in a row, after work, precede a collection: a minute. */
  private static final int PATIENCE = 120;

  /** Processor time since a collection that makes the next one worth its cost. */
  private static final Duration WORK = Duration.ofSeconds(1);

  private final Supplier<Duration> processorTime;
  private final Runnable trim;
  private final ControllerLoop loop;
  private Duration atLastLook;
  private Duration worthwhile = Duration.ZERO;
  private int idleIntervals;
  private int needed = 1;

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
    idleIntervals = idle ? idleIntervals + 1 : 0;
    if (idleIntervals >= needed && now.compareTo(worthwhile) >= 0) {
      trim.run();
      atLastLook = processorTime.get();
      worthwhile = atLastLook.plus(WORK);
      idleIntervals = 0;
      needed = PATIENCE;
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
