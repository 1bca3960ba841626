package dev.keelson.server.lifecycle;

import dev.keelson.controller.ControllerLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.graalvm.nativeimage.RuntimeOptions;
import org.graalvm.nativeimage.c.function.CFunction;
import org.graalvm.word.Pointer;
import org.graalvm.word.UnsignedWord;
import org.graalvm.word.WordFactory;

/**
 * Returns unused heap, and the pages of the executable ({@link ExecutablePages}), to the operating
 * system when the process is idle: right after the start, whose garbage is several times the live
 * objects, and after a minute with little work, such as heartbeats of nodes, which come at once and
 * then not for seconds. Native executable only; its serial collector otherwise keeps the young
 * generation for the next allocations, and the garbage of the old one.
 *
 * <p>A collection takes about 10 milliseconds for the few megabytes of a small server, and grows
 * with the live objects: the next one waits for twenty times the processor time of the last. The
 * next burst of work has to take the memory back, which costs up to a third more processor time
 * while it lasts; hence the minute.
 */
public final class IdleHeapTrim implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofMillis(500);

  /** An interval with less processor time is idle, on the average: a twentieth of a processor. */
  private static final Duration IDLE = INTERVAL.dividedBy(20);

  /** The number of intervals that are idle together before a later collection: one minute. */
  private static final int IDLE_INTERVALS = 120;

  /** The processor time between two collections, at least, and in collections. */
  private static final Duration WORK = Duration.ofSeconds(1);

  private static final int WORK_PER_COLLECTION = 20;

  private final Supplier<Duration> processorTime;
  private final Runnable trim;
  private final ControllerLoop loop;

  /** The processor time at the ends of the last intervals, the oldest first. */
  private final Deque<Duration> samples = new ArrayDeque<>();

  private Duration nextTrim = Duration.ZERO;
  private int required = 1;

  /**
   * @param processorTime the processor time that the process has used
   * @param trim collects garbage and releases free heap
   */
  IdleHeapTrim(Supplier<Duration> processorTime, Runnable trim) {
    this.processorTime = processorTime;
    this.trim = trim;
    this.loop = ControllerLoop.every("idle-heap-trim", INTERVAL, this::sample);
    samples.add(Duration.ZERO);
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
      samples.clear();
      samples.add(processorTime.get());
      loop.startAfterInterval();
    }
  }

  /** Samples the processor time; called at each interval. */
  void sample() {
    Duration now = processorTime.get();
    boolean still = now.minus(samples.getLast()).compareTo(IDLE) < 0;
    samples.add(now);
    while (samples.size() > required + 1) {
      samples.removeFirst();
    }
    boolean idle =
        samples.size() > required
            && now.minus(samples.getFirst()).compareTo(IDLE.multipliedBy(required)) < 0;
    if (still && idle && now.compareTo(nextTrim) >= 0) {
      trim.run();
      Duration after = processorTime.get();
      Duration pause = after.minus(now).multipliedBy(WORK_PER_COLLECTION);
      nextTrim = after.plus(pause.compareTo(WORK) > 0 ? pause : WORK);
      required = IDLE_INTERVALS;
      samples.clear();
      samples.add(after);
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

    /** MADV_DONTNEED: unmodified pages of a private mapping of a file are read again when used. */
    private static final int DONT_NEED = 4;

    private NativeHeap() {}

    static void release() {
      Object before = RuntimeOptions.get(MAX_HEAP_FREE);
      RuntimeOptions.set(MAX_HEAP_FREE, 1L);
      try {
        System.gc();
      } finally {
        RuntimeOptions.set(MAX_HEAP_FREE, before);
      }
      ExecutablePages.release(NativeHeap::unmap);
    }

    private static void unmap(long address, long bytes) {
      // a failure leaves the pages where they are
      int unused = madvise(WordFactory.pointer(address), WordFactory.unsigned(bytes), DONT_NEED);
    }

    /** The function of the C library (source: madvise(2)). */
    @CFunction("madvise")
    private static native int madvise(Pointer address, UnsignedWord bytes, int advice);
  }
}
