package dev.keelson.server.controller;

import dev.keelson.http.simulated.PrintedText;
import dev.keelson.simulation.Behaviors;
import dev.keelson.simulation.Printed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The file of {@code --simulated-nodes-stages}, for simulated nodes and for their logs. */
public final class SimulatedText {

  private SimulatedText() {}

  /**
   * What containers print.
   *
   * @param stages the value of {@code --simulated-nodes-stages}; null for the default
   * @throws IllegalArgumentException if it is not of the form that the documentation describes
   */
  public static PrintedText of(@Nullable Path stages) {
    if (stages == null) {
      return PrintedText.DEFAULT;
    }
    Behaviors behaviors = behaviors(stages);
    return pod -> {
      Printed printed = behaviors.printed(pod.map("metadata").map("labels").texts());
      return new PrintedText.Text(printed.log(), printed.exec(), printed.exitCode());
    };
  }

  /**
   * How simulated nodes behave.
   *
   * @param file the value of {@code --simulated-nodes-stages}; null for the default
   * @throws IllegalArgumentException if it is not of the form that the documentation describes
   */
  static Behaviors behaviors(@Nullable Path file) {
    if (file == null) {
      return Behaviors.DEFAULT;
    }
    try {
      return Behaviors.parse(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "--simulated-nodes-stages: " + file + ": " + e.getMessage(), e);
    }
  }
}
