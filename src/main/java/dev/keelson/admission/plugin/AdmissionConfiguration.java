package dev.keelson.admission.plugin;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Parses the file of {@code --admission-control-config-file}, an AdmissionConfiguration: the
 * configurations of the plugins, in the file itself or in files that it names.
 */
public final class AdmissionConfiguration {

  private static final String KIND = "AdmissionConfiguration";
  private static final Set<String> VERSIONS =
      Set.of("apiserver.config.k8s.io/v1", "apiserver.k8s.io/v1alpha1");

  private AdmissionConfiguration() {}

  /**
   * Parses the file.
   *
   * @param files reads a file as YAML or JSON
   * @throws IllegalArgumentException naming the invalid field
   */
  public static Map<PluginName, PluginConfiguration> parse(
      Path file, Function<Path, byte[]> files) {
    Path parent = file.toAbsolutePath().getParent();
    Path directory = parent == null ? file.toAbsolutePath() : parent;
    MapNode root = object(files.apply(file));
    if (!root.text("kind").equals(KIND) || !VERSIONS.contains(root.text("apiVersion"))) {
      throw new IllegalArgumentException(
          "expected kind " + KIND + " in apiserver.config.k8s.io/v1");
    }
    checkKeys("", root, Set.of("apiVersion", "kind", "plugins"));
    Map<PluginName, PluginConfiguration> configurations = new EnumMap<>(PluginName.class);
    Set<String> names = new HashSet<>();
    int number = 0;
    for (Node item : root.items("plugins")) {
      String at = "plugins[" + number++ + "]";
      MapNode plugin = item instanceof MapNode map ? map : MapNode.EMPTY;
      checkKeys(at, plugin, Set.of("name", "path", "configuration"));
      String name = plugin.text("name");
      if (name.isEmpty()) {
        throw new IllegalArgumentException(at + ".name: is required");
      }
      if (!names.add(name)) {
        throw new IllegalArgumentException(at + ".name: duplicate value \"" + name + "\"");
      }
      // a file may configure plugins that this server does not have, as in Kubernetes
      PluginName.of(name).ifPresent(known -> put(configurations, known, plugin, directory, files));
    }
    return configurations;
  }

  private static void put(
      Map<PluginName, PluginConfiguration> configurations,
      PluginName name,
      MapNode plugin,
      Path directory,
      Function<Path, byte[]> files) {
    if (plugin.get("configuration") instanceof MapNode content) {
      configurations.put(name, new PluginConfiguration(content, directory));
    } else if (!plugin.text("path").isEmpty()) {
      Path other = directory.resolve(plugin.text("path"));
      Path parent = other.getParent();
      configurations.put(
          name,
          new PluginConfiguration(object(files.apply(other)), parent == null ? directory : parent));
    }
  }

  private static MapNode object(byte[] yaml) {
    try {
      if (ObjectReader.untypedYaml(yaml) instanceof MapNode map) {
        return map;
      }
    } catch (DecodeException e) {
      throw new IllegalArgumentException(e.text(), e);
    }
    throw new IllegalArgumentException("expected an object");
  }

  private static void checkKeys(String at, MapNode node, Set<String> known) {
    for (String key : node.keys()) {
      if (!known.contains(key)) {
        throw new IllegalArgumentException(
            (at.isEmpty() ? "" : at + ".") + key + ": unknown field");
      }
    }
  }
}
