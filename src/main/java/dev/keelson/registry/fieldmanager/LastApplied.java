package dev.keelson.registry.fieldmanager;

import dev.keelson.object.Annotations;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.DecodeException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The annotation in which kubectl's client-side apply stores its configuration. A manager that
 * migrates to server-side apply owns those fields, and the annotation is kept current for later
 * client-side applies.
 */
final class LastApplied {

  /** The field manager that shares its fields with client-side apply. */
  static final String MANAGER = "kubectl";

  private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

  private LastApplied() {}

  /** The configuration in the object if it is of the version {@code apiVersion}. */
  static Optional<MapNode> of(ApiObject object, String apiVersion) {
    String text = object.meta().node().map("annotations").text(ANNOTATION);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return ObjectReader.untypedJson(text.getBytes(StandardCharsets.UTF_8)) instanceof MapNode root
              && root.text("apiVersion").equals(apiVersion)
          ? Optional.of(root)
          : Optional.empty();
    } catch (DecodeException _) {
      // a malformed annotation is ignored
      return Optional.empty();
    }
  }

  /**
   * The object with its annotation set to {@code configuration}; unchanged if it has none. An
   * annotation that would be too large is removed, as Kubernetes does.
   */
  static MapNode updated(MapNode object, MapNode configuration) {
    MapNode metadata = object.map("metadata");
    MapNode annotations = metadata.map("annotations");
    if (annotations.text(ANNOTATION).isEmpty()) {
      return object;
    }
    String json =
        new String(ObjectWriter.json(sorted(bare(configuration))), StandardCharsets.UTF_8);
    MapNode next = annotations.with(ANNOTATION, Node.text(json + "\n"));
    if (Annotations.areTooLarge(next)) {
      next = annotations.without(ANNOTATION);
    }
    return object.with("metadata", metadata.with("annotations", next));
  }

  private static MapNode bare(MapNode configuration) {
    MapNode metadata = configuration.map("metadata");
    MapNode annotations = metadata.map("annotations");
    if (!annotations.has(ANNOTATION)) {
      return configuration;
    }
    return configuration.with(
        "metadata", metadata.with("annotations", annotations.without(ANNOTATION)));
  }

  private static Node sorted(Node node) {
    return switch (node) {
      case MapNode map -> sorted(map);
      case Node.Items items ->
          new Node.Items(items.values().stream().map(LastApplied::sorted).toList());
      default -> node;
    };
  }

  private static MapNode sorted(MapNode map) {
    Map<String, Node> entries = new TreeMap<>();
    map.forEach((key, value) -> entries.put(key, sorted(value)));
    return MapNode.copyOf(entries);
  }
}
