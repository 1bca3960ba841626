package dev.keelson.server.registry;

import dev.keelson.admission.plugin.AdmissionConfiguration;
import dev.keelson.admission.plugin.PluginOptions;
import dev.keelson.server.lifecycle.StartupException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the configuration file of the admission plugins at startup. */
public final class AdmissionFile {

  private AdmissionFile() {}

  /**
   * Returns the options with the content of the file that they name.
   *
   * @throws StartupException if the file cannot be read or is invalid
   */
  public static PluginOptions read(PluginOptions options) {
    Path file = options.configurationFile();
    if (file == null) {
      return options;
    }
    try {
      return options.with(AdmissionConfiguration.parse(file, AdmissionFile::content));
    } catch (IllegalArgumentException | UncheckedIOException e) {
      throw new StartupException(
          "--admission-control-config-file: " + file + ": " + e.getMessage(), e);
    }
  }

  private static byte[] content(Path path) {
    try {
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
