package dev.keelson.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * The door that the fuzzer knows, by the names of its methods: it is told a {@link FuzzTarget} once
 * and then gives it inputs. An input may take a second, and {@value #MOST_BYTES} bytes of memory.
 */
public final class Fuzz {

  /** How much an input may allocate in sum; a hundred thousand times its own size. */
  public static final long MOST_BYTES = 64L << 20;

  /** The longest that an input may take. */
  public static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static FuzzTarget target = FuzzTarget.JSON;
  private static long inputs;
  private static long slowest;
  private static long largest;

  private Fuzz() {}

  /** Chooses the target whose name stands in {@code arguments}. */
  public static void fuzzerInitialize(String[] arguments) {
    target = FuzzTarget.valueOf(arguments[0]);
  }

  /** Tries an input. */
  public static void fuzzerTestOneInput(byte[] data) {
    inputs++;
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    long begin = System.nanoTime();
    target.check(data);
    long nanos = System.nanoTime() - begin;
    bytes = THREADS.getCurrentThreadAllocatedBytes() - bytes;
    if (nanos > slowest || bytes > largest) {
      // the machine may have been busy with something else, and a class may have been loaded
      long before = THREADS.getCurrentThreadAllocatedBytes();
      begin = System.nanoTime();
      target.check(data);
      nanos = Math.min(nanos, System.nanoTime() - begin);
      bytes = Math.min(bytes, THREADS.getCurrentThreadAllocatedBytes() - before);
      slowest = Math.max(slowest, nanos);
      largest = Math.max(largest, bytes);
    }
    if (nanos > MOST_NANOS) {
      throw new IllegalStateException("an input took " + nanos + " ns, twice");
    }
    if (bytes > MOST_BYTES) {
      throw new IllegalStateException("an input took " + bytes + " bytes of memory");
    }
  }

  /** Tells what there was, in a line for the run as a whole. */
  public static void fuzzerTearDown() {
    System.out.println(
        "keelson-fuzz inputs=%d slowest-micros=%d largest-kib=%d"
            .formatted(inputs, slowest / 1000, largest >> 10));
  }
}
