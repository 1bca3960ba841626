package dev.keelson.schema.patch;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.work.Turn;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A JSON Merge Patch (RFC 7386): members replace members, objects merge, {@code null} removes,
 * lists are replaced as they are.
 */
public final class MergePatch implements Patch {

  private final MapNode document;

  private MergePatch(MapNode document) {
    this.document = document;
  }

  /**
   * The patch that {@code document} is.
   *
   * @throws PatchException if it is no object: by the RFC that would replace the target by
   *     something that is none either
   */
  public static MergePatch of(Node document) {
    return switch (document) {
      case MapNode map -> new MergePatch(map);
      case Node.Null _ -> throw PatchException.malformed("Invalid JSON Patch");
      default ->
          throw PatchException.malformed(
              "error decoding patch: json: cannot unmarshal "
                  + GoText.jsonType(document)
                  + " into Go value of type map[string]interface {}");
    };
  }

  @Override
  public MapNode apply(MapNode target) {
    return merge(target, document);
  }

  static MapNode merge(MapNode target, MapNode patch) {
    Map<String, Node> merged = entries(target);
    patch.forEach(
        (key, value) -> {
          Turn.pass();
          switch (value) {
            case Node.Null _ -> merged.remove(key);
            case MapNode map ->
                merged.put(
                    key, merge(merged.get(key) instanceof MapNode old ? old : MapNode.EMPTY, map));
            default -> merged.put(key, value);
          }
        });
    return MapNode.copyOf(merged);
  }

  /** The entries of {@code object} in its order, to be changed. */
  static Map<String, Node> entries(MapNode object) {
    Map<String, Node> entries = LinkedHashMap.newLinkedHashMap(object.size());
    object.forEach(entries::put);
    return entries;
  }
}
