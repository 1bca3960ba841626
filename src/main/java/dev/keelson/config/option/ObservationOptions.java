package dev.keelson.config.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the server lets operators see of itself.
 *
 * @param tracingConfigFile the TracingConfiguration; null without tracing
 * @param logFormat the format of the log
 * @param profiling whether recordings and thread dumps are served at {@code /debug/pprof/}
 */
public record ObservationOptions(
    @Nullable Path tracingConfigFile, LogFormat logFormat, boolean profiling) {

  /** How lines of the log are written. */
  public enum LogFormat {
    /** A line of text for each event. */
    TEXT,
    /** A JSON object for each event, with the fields of component-base's. */
    JSON
  }
}
