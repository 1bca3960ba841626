package dev.keelson.schema.jsonpath;

import dev.keelson.object.Node;
import java.util.List;

/** One step of a path: what it makes of each value that the step before it found. */
sealed interface Step {

  /** The field of an object. */
  record Field(String name) implements Step {}

  /** All values in an object or array. */
  enum Wildcard implements Step {
    ALL
  }

  /** A value and everything below it that has parts. */
  enum Descent implements Step {
    RECURSIVE
  }

  /** Some elements of an array. */
  record Slice(Range range) implements Step {}

  /** The elements of an array for which a comparison holds. */
  record Filter(List<Step> left, String operator, List<Step> right) implements Step {

    /** The operator of a filter without a comparison: whether the left side finds anything. */
    static final String EXISTS = "exists";

    public Filter {
      left = List.copyOf(left);
      right = List.copyOf(right);
    }
  }

  /** What several paths find, one after the other. */
  record Union(List<List<Step>> paths) implements Step {
    public Union {
      paths = List.copyOf(paths);
    }
  }

  /** A text, number or truth value, whatever came before. */
  record Literal(Node value) implements Step {}

  /** A word of templates, such as {@code range}: it has no meaning in a path. */
  record Keyword(String word) implements Step {}
}
