package dev.keelson.admission.plugin;

import dev.keelson.object.Node.MapNode;
import java.nio.file.Path;
import java.util.Map;

/**
 * The configuration of one plugin.
 *
 * @param content the configuration object, which the plugin validates
 * @param directory where relative paths in it begin
 */
public record PluginConfiguration(MapNode content, Path directory) {

  /**
   * Returns the content, if it has one of the types that a plugin reads.
   *
   * @param kinds the kind of each API version
   * @throws IllegalArgumentException if it has another type
   */
  public MapNode content(Map<String, String> kinds) {
    String version = content.text("apiVersion");
    String kind = content.text("kind");
    if (!kind.equals(kinds.get(version))) {
      throw new IllegalArgumentException(
          "no kind \"" + kind + "\" is registered for version \"" + version + "\"");
    }
    return content;
  }

  /** A path in the configuration. */
  public Path resolve(String path) {
    return directory.resolve(path);
  }
}
