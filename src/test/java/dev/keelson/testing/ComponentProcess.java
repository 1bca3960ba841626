package dev.keelson.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process of a command such as {@code keelson controllers}; {@link #close} kills it. Not
 * thread-safe: one test owns it.
 */
public final class ComponentProcess implements AutoCloseable {

  private static final long STOP_SECONDS = 90;

  private final Process process;
  private final List<String> log = new ArrayList<>();

  private ComponentProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts a component; does not wait for it.
   *
   * @param command the first argument, such as {@code controllers}
   */
  public static ComponentProcess start(String command, List<String> flags) {
    return start(List.of(), command, flags);
  }

  /**
   * Starts a command on a terminal of its own.
   *
   * @param flags without white space
   */
  public static ComponentProcess startOnTerminal(String command, List<String> flags) {
    // script wants one argument for all words of the command; a suite in the background of a shell
    // has SIGINT ignored, which a JVM that inherits it leaves so
    return start(
        List.of("sh", "-c", "exec script -qec \"env --default-signal=INT $*\" /dev/null", "script"),
        command,
        flags);
  }

  private static ComponentProcess start(List<String> launcher, String command, List<String> flags) {
    List<String> arguments = new ArrayList<>();
    arguments.add(command);
    arguments.addAll(flags);
    ComponentProcess component =
        new ComponentProcess(
            KeelsonProcess.launch(
                launcher,
                arguments,
                System.getProperty("keelson.java.options", KeelsonProcess.OPTIONS)));
    // a platform thread: reading a pipe pins the carrier of a virtual one
    Thread.ofPlatform().daemon().name(command + "-log").start(component::readLog);
    return component;
  }

  private void readLog() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        synchronized (log) {
          log.add(line);
        }
      }
    } catch (IOException e) {
      // the stream of a process that was killed
      synchronized (log) {
        log.add("end of log: " + e);
      }
    }
  }

  /** What it has printed so far. */
  public String log() {
    synchronized (log) {
      return String.join("\n", log);
    }
  }

  /** Types a character on its terminal; 3 is Ctrl-C. */
  public void type(int character) {
    try {
      process.getOutputStream().write(character);
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the command has ended:\n" + log(), e);
    }
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Stops it with SIGTERM; returns its exit code. */
  public int stop() {
    process.destroy();
    return awaitEnd();
  }

  /** Kills it, as in a power failure. */
  public void kill() {
    process.destroyForcibly();
    int unused = awaitEnd();
  }

  /** Waits until it ends; returns its exit code. */
  public int awaitEnd() {
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("still running after " + STOP_SECONDS + " s\n" + log());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while the component stopped", e);
    }
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
  }
}
