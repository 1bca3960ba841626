package dev.keelson.cel.plan;

import org.jspecify.annotations.Nullable;

/** An operator that is built in. */
interface Operator {

  /**
   * Its result; null if it does not take values of these types.
   *
   * @param second the same as {@code first} if the operator has one operand
   */
  @Nullable Object apply(Object first, Object second);
}
