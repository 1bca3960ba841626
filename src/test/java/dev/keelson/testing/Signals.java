package dev.keelson.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
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

  /**
   * Sends SIGHUP, by which log rotation asks for files to be opened again.
   *
   * @throws AssertionError when the process does not exist
   */
  public static void hangUp(long pid) {
    send("HUP", pid);
  }

  /**
   * Sends SIGSTOP: the process does nothing until {@link #resume}, and its sockets stay open.
   *
   * @throws AssertionError when the process does not exist
   */
  public static void pause(long pid) {
    send("STOP", pid);
  }

  /**
   * Sends SIGCONT.
   *
   * @throws AssertionError when the process does not exist
   */
  public static void resume(long pid) {
    send("CONT", pid);
  }

  private static void send(String signal, long pid) {
    try {
      int status = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
      if (status != 0) {
        throw new AssertionError("kill -" + signal + " " + pid + " ended with " + status);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while the signal was sent", e);
    }
  }
}
