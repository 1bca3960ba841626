package dev.keelson.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** The signals that reach the tests and the processes that they start. */
public final class Signals {

  private Signals() {}

  /** Skips a test that sends SIGHUP where nohup has it ignored: processes inherit that. */
  public static void assumeHangUpArrives() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return;
    }
    boolean ignored =
        Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .anyMatch(line -> (Integer.parseInt(line.substring(line.length() - 1), 16) & 1) != 0);
    Assumptions.assumeFalse(ignored, "SIGHUP is ignored, as under nohup");
  }
}
