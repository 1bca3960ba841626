package dev.keelson.schema.patch;

import dev.keelson.object.GoText;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.work.Turn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON Merge Patch (RFC 7386): members replace members, objects merge, {@code null} removes,
 * lists are replaced. As in the library that kube-apiserver uses (evanphx/json-patch v4), members
 * that are null are left out of the objects in a list, too.
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
            // so it is in that library: nulls stay in a list that replaces an object
            case Items list when !(merged.get(key) instanceof MapNode) ->
                merged.put(key, withoutNullMembers(list));
            default -> merged.put(key, value);
          }
        });
    return MapNode.copyOf(merged);
  }

  /** A list whose objects, at any depth, have no members that are null; null elements stay. */
  private static Items withoutNullMembers(Items list) {
    List<Node> items = new ArrayList<>(list.values().size());
    for (Node item : list.values()) {
      items.add(
          switch (item) {
            case MapNode map -> merge(MapNode.EMPTY, map);
            case Items inner -> withoutNullMembers(inner);
            default -> item;
          });
    }
    return new Items(items);
  }

  /** The entries of {@code object} in its order, to be changed. */
  static Map<String, Node> entries(MapNode object) {
    Map<String, Node> entries = LinkedHashMap.newLinkedHashMap(object.size());
    object.forEach(entries::put);
    return entries;
  }
}
