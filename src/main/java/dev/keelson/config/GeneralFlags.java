package dev.keelson.config;

import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.ObservationOptions;
import dev.keelson.config.option.ObservationOptions.LogFormat;
import dev.keelson.config.source.SettingsFile;
import dev.keelson.value.GoDuration;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The data directory, the settings file, and what operators see: the log, traces, profiles. */
final class GeneralFlags {

  private static final int MOST_VERBOSE = 10;

  /** What kube-apiserver shows for the values of such flags. */
  private static final String CLASSIFIED = "CLASSIFIED";

  private static final Pattern SECRET =
      Pattern.compile("//[^/@]*@|pass(word|wd)?=", Pattern.CASE_INSENSITIVE);

  private final Flag<Path> dataDir;
  private final Flag<@Nullable Path> config;
  private final Flag<Integer> verbosity;
  private final Flag<LogFormat> logFormat;
  private final Flag<@Nullable Path> tracing;
  private final Flag<Boolean> profiling;

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
            "Log level: 0 and less logs lifecycle events and problems, 4 adds requests, 8 adds"
                + " libraries.",
            Values.integer(Integer.MIN_VALUE, Integer.MAX_VALUE));
    logFormat =
        group.single(
            "logging-format",
            "FORMAT",
            "text",
            "Format of the log: text, or json for one JSON object a line.",
            Values.oneOf(List.of(LogFormat.values())));
    tracing =
        group.optional(
            "tracing-config-file",
            "FILE",
            "TracingConfiguration (apiserver.config.k8s.io/v1): the OTLP collector that gets the"
                + " spans of requests, and how many are sampled.",
            Values::path);
    profiling =
        group.toggle(
            "profiling",
            true,
            "Serve JFR recordings and thread dumps at /debug/pprof/ to those who are authorized.");
  }

  /**
   * Tracing, the format of the log, and profiles.
   *
   * @param others the values of flags that are accepted without effect, by name
   */
  ObservationOptions observation(
      Settings settings, List<Flag<?>> all, Map<String, List<String>> others) {
    Path file = settings.value(tracing);
    return new ObservationOptions(
        file == null ? null : Checks.readable(tracing, file),
        settings.value(logFormat),
        texts(settings, all, others),
        settings.value(profiling));
  }

  private static Map<String, String> texts(
      Settings settings, List<Flag<?>> all, Map<String, List<String>> others) {
    Map<String, String> texts = new HashMap<>();
    for (Flag<?> flag : all) {
      String text = settings.text(flag);
      if (flag.label().equals("DURATION") && GoDuration.isDuration(text)) {
        // as Go prints it: 1m0s
        text = GoDuration.parse(text).toString();
      }
      texts.put(flag.name(), isSecret(text) ? CLASSIFIED : text);
    }
    others.forEach(
        (name, given) -> {
          String text = String.join(",", given);
          texts.put(name, isSecret(text) ? CLASSIFIED : text);
        });
    return texts;
  }

  /** Whether a URL names a password, before its host or as a parameter. */
  private static boolean isSecret(String text) {
    return SECRET.matcher(text).find();
  }

  Flag<@Nullable Path> config() {
    return config;
  }

  Path dataDir(Settings settings) {
    return settings.value(dataDir);
  }

  int verbosity(Settings settings) {
    return Math.clamp(settings.value(verbosity), 0, MOST_VERBOSE);
  }
}
