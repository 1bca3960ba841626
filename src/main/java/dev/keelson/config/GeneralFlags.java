package dev.keelson.config;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.source.SettingsFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the server keeps its files, where settings come from, and how much it tells. */
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
            "Where everything is kept that the server makes: the SQLite file, certificates, and the"
                + " administrator's kubeconfig (admin.kubeconfig).",
            Values::path);
    config =
        group.optional(
            SettingsFile.CONFIG,
            "FILE",
            "A file with settings, flat, the keys named as the flags: YAML, or Java properties if"
                + " the name ends in .properties. The command line and the environment go before"
                + " it.",
            Values::path);
    verbosity =
        group.single(
            "v",
            "LEVEL",
            "0",
            "How much to log: 0 is lifecycle and trouble, 4 adds requests, 8 adds the libraries.",
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
