package dev.keelson.server.health;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** The uptime of this process, including the start of the JVM. */
public final class ProcessUptime {

  /** The clock ticks per second of {@code /proc/self/stat}: always 100 on Linux. */
  private static final double TICKS_PER_SECOND = 100;

  private ProcessUptime() {}

  /** Returns the uptime, accurate to about 10 ms. */
  public static Duration now() {
    try {
      // the JDK's value is only accurate to a second, since it depends on the boot time
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      double started = Long.parseLong(afterName[19]) / TICKS_PER_SECOND;
      String uptime = Files.readString(Path.of("/proc/uptime"));
      double now = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
      return Duration.ofMillis(Math.round(Math.max(0, now - started) * 1000));
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
      // not Linux, or an unknown format of /proc
      Instant start = Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
      return Duration.between(start, Instant.now());
    }
  }
}
