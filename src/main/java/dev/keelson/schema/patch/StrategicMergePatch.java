package dev.keelson.schema.patch;

import dev.keelson.object.GoText;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;

/**
 * A strategic merge patch: a merge patch that knows which lists are merged, by the merge keys of
 * the schema, and that may carry directives (source: Kubernetes' "Strategic Merge Patch" document
 * for API developers, and apimachinery's strategicpatch for what that leaves open).
 */
public final class StrategicMergePatch implements Patch {

  private final MapNode document;
  private final StructSchema schema;

  private StrategicMergePatch(MapNode document, StructSchema schema) {
    this.document = document;
    this.schema = schema;
  }

  /**
   * The patch that {@code document} is.
   *
   * @param schema of the objects that it is for, in the version that they are served in
   * @throws PatchException if it is no object
   */
  public static StrategicMergePatch of(Node document, StructSchema schema) {
    return switch (document) {
      case MapNode map -> new StrategicMergePatch(map, schema);
      case Node.Null _ -> new StrategicMergePatch(MapNode.EMPTY, schema);
      default ->
          throw PatchException.malformed(
              "json: cannot unmarshal "
                  + GoText.jsonType(document)
                  + " into Go value of type map[string]interface {}");
    };
  }

  @Override
  public MapNode apply(MapNode target) {
    return StrategicMerge.merge(target, document, schema);
  }

  /** The document as Kubernetes' messages show it, cut if it is long. */
  @Override
  public String toString() {
    return GoText.of(document);
  }
}
