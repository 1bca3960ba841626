package dev.keelson.config;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.source.SettingsFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The data directory, the settings file and the log level. */
final class GeneralFlags {

  private final Flag<Path> dataDir;
  private final Flag<@Nullable Path> config;
  private final Flag<Integer> verbosity;

  GeneralFlags(FlagGroup group) {
    dataDir =
        group.single(
            "data-dir",
            "DIR",
            "./data",
            "Directory for the server's state: the SQLite file, generated certificates, and"
                + " the administrator's kubeconfig (admin.kubeconfig).",
            Values::path);
    config =
        group.optional(
            SettingsFile.CONFIG,
            "FILE",
            "File with settings: flat YAML whose keys are flag names, or Java properties if"
                + " the name ends in .properties. The command line and the environment take"
                + " precedence.",
            Values::path);
    verbosity =
        group.single(
            "v",
            "LEVEL",
            "0",
            "Log level: 0 logs lifecycle events and problems, 4 adds requests, 8 adds"
                + " libraries.",
            Values.integer(0, 10));
  }

  Flag<@Nullable Path> config() {
    return config;
  }

  Path dataDir(Settings settings) {
    return settings.value(dataDir);
  }

  int verbosity(Settings settings) {
    return settings.value(verbosity);
  }
}
