package dev.keelson.server.health;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** How long this process has been running, the start of the virtual machine included. */
public final class ProcessUptime {

  /** The unit of times in {@code /proc/self/stat}: always 100 a second for user space on Linux. */
  private static final double TICKS_PER_SECOND = 100;

  private ProcessUptime() {}

  /** The age, exact to about 10 ms. */
  public static Duration now() {
    try {
      // the JDK's own figure is as coarse as a second, since it rests on the kernel's boot time
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      double started = Long.parseLong(afterName[19]) / TICKS_PER_SECOND;
      String uptime = Files.readString(Path.of("/proc/uptime"));
      double now = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
      return Duration.ofMillis(Math.round(Math.max(0, now - started) * 1000));
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
      // no Linux, or a /proc of another form
      Instant start = Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
      return Duration.between(start, Instant.now());
    }
  }
}
