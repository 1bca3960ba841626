package dev.keelson.config;

import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.EncryptionOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Flags of encryption at rest. */
final class EncryptionFlags {

  private final Flag<@Nullable Path> file;
  private final Flag<Boolean> reload;

  EncryptionFlags(FlagGroup group) {
    file =
        group.optional(
            "encryption-provider-config",
            "FILE",
            "EncryptionConfiguration (apiserver.config.k8s.io/v1): which resources are encrypted in"
                + " the store, and with which keys.",
            Values::path);
    reload =
        group.toggle(
            "encryption-provider-config-automatic-reload",
            false,
            "Reload the file of --encryption-provider-config when it changes; its providers are"
                + " used when they are healthy.");
  }

  /** The options; null without a file. */
  @Nullable EncryptionOptions options(Settings settings) {
    Path path = settings.value(file);
    boolean follow = settings.value(reload);
    if (path == null) {
      if (follow) {
        throw new FlagException(reload.dashed() + " must be set with " + file.dashed());
      }
      return null;
    }
    return new EncryptionOptions(Checks.readable(file, path), follow);
  }
}
