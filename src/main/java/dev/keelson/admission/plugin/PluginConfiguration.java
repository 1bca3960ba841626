package dev.keelson.admission.plugin;

import dev.keelson.object.Node.MapNode;
import java.nio.file.Path;

/**
 * The configuration of one plugin.
 *
 * @param content the configuration object, which the plugin validates
 * @param directory where relative paths in it begin
 */
public record PluginConfiguration(MapNode content, Path directory) {

  /** A path in the configuration. */
  public Path resolve(String path) {
    return directory.resolve(path);
  }
}
