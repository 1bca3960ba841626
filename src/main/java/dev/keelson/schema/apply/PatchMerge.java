package dev.keelson.schema.apply;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges the partial object of a mutating policy into an object, without ownership (source:
 * apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go).
 */
public final class PatchMerge {

  private PatchMerge() {}

  /**
   * The merged object.
   *
   * @throws IllegalArgumentException with Kubernetes' message if the patch is not valid by the
   *     schema, or has a list, map or struct that is atomic
   */
  public static MapNode of(SchemaNode schema, MapNode live, MapNode patch) {
    String problem = ConfigurationCheck.of(schema, patch);
    if (!problem.isEmpty()) {
      throw new IllegalArgumentException(
          "failed to convert patch object to typed object: " + problem);
    }
    List<String> atomic = new ArrayList<>();
    atomics(schema, patch, "", atomic);
    if (!atomic.isEmpty()) {
      throw new IllegalArgumentException(
          "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
              + String.join(", ", atomic));
    }
    return Merge.of(schema, live, patch);
  }

  /** A user who means to set some fields would remove all others of an atomic value. */
  private static void atomics(SchemaNode schema, Node value, String path, List<String> found) {
    if (!(value instanceof MapNode || value instanceof Items)) {
      return;
    }
    if (Shapes.kind(schema, null, value) == Shapes.Kind.LEAF) {
      found.add(path);
    }
    if (value instanceof MapNode map) {
      for (int i = 0; i < map.size(); i++) {
        String name = map.keyAt(i);
        if (Shapes.declares(schema, name)) {
          atomics(Shapes.field(schema, name), map.valueAt(i), path + "." + name, found);
        }
      }
    } else if (value instanceof Items items) {
      SchemaNode element = Shapes.below(schema, "i:0");
      for (int i = 0; i < items.values().size(); i++) {
        atomics(element, items.values().get(i), path + "[" + i + "]", found);
      }
    }
  }
}
