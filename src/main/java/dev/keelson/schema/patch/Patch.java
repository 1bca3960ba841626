package dev.keelson.schema.patch;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;

/** A change to an object, written as a document. Immutable; may be applied any number of times. */
public interface Patch {

  /**
   * The object that the patch makes of {@code target}, which itself stays as it is. The result may
   * be any JSON value; decode it by the schema.
   *
   * @throws PatchException if the patch does not fit {@code target}
   */
  Node apply(MapNode target);
}
