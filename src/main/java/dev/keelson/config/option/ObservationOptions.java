package dev.keelson.config.option;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the server lets operators see of itself.
 *
 * @param tracingConfigFile the TracingConfiguration; null without tracing
 * @param logFormat the format of the log
 * @param flags the text of every flag by its name, as {@code /flagz} shows it: a value that may
 *     hold a password is replaced
 * @param profiling whether recordings and thread dumps are served at {@code /debug/pprof/}
 */
public record ObservationOptions(
    @Nullable Path tracingConfigFile,
    LogFormat logFormat,
    Map<String, String> flags,
    boolean profiling) {

  public ObservationOptions {
    flags = Map.copyOf(flags);
  }

  /** How lines of the log are written. */
  public enum LogFormat {
    /** A line of text for each event. */
    TEXT,
    /** A JSON object for each event, with the fields of component-base's. */
    JSON
  }
}
