package dev.keelson.cel.plan;

/** A part of an expression. */
abstract class Step {

  /**
   * The value of the part; its cost is charged to the frame.
   *
   * @throws dev.keelson.cel.type.EvaluationError if it has none
   */
  abstract Object value(Frame frame);

  /**
   * Whether cel-go sees an attribute: a variable, or fields and indexes of something. Access to an
   * attribute's field costs one unit, access to a field of another part two.
   */
  boolean isAttribute() {
    return false;
  }
}
