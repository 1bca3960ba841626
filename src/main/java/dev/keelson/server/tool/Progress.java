package dev.keelson.server.tool;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Tells how far a command has come: a line that is written over on a terminal, elsewhere a line
 * every few seconds. Used by one thread.
 */
final class Progress {

  private static final long TERMINAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long PLAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Moves to the start of the line and clears it (ECMA-48, EL). */
  private static final String CLEAR_LINE = "\r\u001b[K";

  private static final double MEBIBYTE = 1 << 20;

  private final PrintStream out;
  private final boolean terminal;
  private final LongSupplier nanos;
  private final BooleanSupplier stopped;
  private String doing = "";
  private String unit = "";
  private long total;
  private long done;
  private long bytes;
  private long begunNanos;
  private long shownNanos;
  private boolean shown;

  /**
   * @param out where lines go
   * @param terminal whether a line can be written over
   * @param nanos as {@link System#nanoTime}
   * @param stopped whether the user wants the command to end
   */
  Progress(PrintStream out, boolean terminal, LongSupplier nanos, BooleanSupplier stopped) {
    this.out = out;
    this.terminal = terminal;
    this.nanos = nanos;
    this.stopped = stopped;
  }

  /**
   * Begins a part of the work.
   *
   * @param doing what is done, such as {@code Copying}
   * @param unit what is counted, such as {@code objects}
   * @param total how many there are
   */
  void begin(String doing, String unit, long total) {
    this.doing = doing;
    this.unit = unit;
    this.total = total;
    done = 0;
    bytes = 0;
    begunNanos = nanos.getAsLong();
    shownNanos = begunNanos;
  }

  /**
   * Counts what has been done.
   *
   * @throws StoppedException if the user has stopped the command
   */
  void add(long count, long size) {
    done += count;
    bytes += size;
    if (stopped.getAsBoolean()) {
      throw new StoppedException();
    }
    long now = nanos.getAsLong();
    if (now - shownNanos >= (terminal ? TERMINAL_NANOS : PLAIN_NANOS)) {
      shownNanos = now;
      show(line(now));
    }
  }

  private void show(String line) {
    if (terminal) {
      out.print(CLEAR_LINE + line);
      out.flush();
      shown = true;
    } else {
      out.println(line);
    }
  }

  private String line(long now) {
    double seconds = (now - begunNanos) / 1e9;
    double rate = seconds > 0 ? done / seconds : 0;
    StringBuilder line = new StringBuilder();
    line.append(String.format(Locale.ROOT, "%s: %,d of %,d %s", doing, done, total, unit));
    if (bytes > 0) {
      line.append(String.format(Locale.ROOT, ", %,.1f MiB", bytes / MEBIBYTE));
    }
    line.append(String.format(Locale.ROOT, ", %,.0f %s/s", rate, unit));
    if (rate > 0 && total > done) {
      line.append(", ").append(left(Duration.ofSeconds((long) Math.ceil((total - done) / rate))));
    }
    return line.toString();
  }

  private static String left(Duration left) {
    if (left.toHours() > 0) {
      return left.toHours() + " h " + left.toMinutesPart() + " min left";
    }
    return left.toMinutes() > 0
        ? left.toMinutes() + " min " + left.toSecondsPart() + " s left"
        : left.toSeconds() + " s left";
  }

  /** Removes the line that is written over. */
  void end() {
    if (shown) {
      out.print(CLEAR_LINE);
      out.flush();
      shown = false;
    }
  }
}
