package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.structural.NormalForm;

/** Values without declared structure, as the type they belong to holds them. */
public final class FreeJson {

  private FreeJson() {}

  /** The value as a type holds it. */
  public static Node of(Free type, Node value) {
    return type == Free.ANY_JSON ? NormalForm.of(value) : value;
  }
}
