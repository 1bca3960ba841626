package dev.keelson.cel.cost;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The limits of the sizes of an expression's variables and of what is in them. */
@FunctionalInterface
public interface SizeLimits {

  /**
   * The size of the value at the end of a path.
   *
   * @param path a variable and names of fields, {@code @items}, {@code @values} or {@code @keys};
   *     empty for a value that is not reached from a variable
   * @return null if it is not known
   */
  @Nullable Range of(List<String> path);
}
