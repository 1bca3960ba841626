package dev.keelson.cel.type;

import dev.keelson.object.Node;

/** Makes the values of the parts of a tree. */
interface Reader {

  /**
   * The value of a tree.
   *
   * @throws EvaluationError if the tree does not have the type
   */
  Object value(Node node, DataType type);
}
