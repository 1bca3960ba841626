package dev.keelson.cel.cost;

import dev.keelson.cel.type.DataType;
import dev.keelson.cel.type.DataType.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The limits that a schema sets to the sizes of its values. */
final class SizeLimits {

  /** Keys of maps have no declared size. Kubernetes counts them as empty. */
  private static final DataType KEY = DataType.simple(Kind.STRING, "string", 0, 2);

  private final DataType root;

  SizeLimits(DataType root) {
    this.root = root;
  }

  /**
   * The size of the value at the end of a path.
   *
   * @param path a variable and names of fields, {@code @items}, {@code @values} or {@code @keys}
   * @return null if it is not known
   */
  @Nullable Range of(List<String> path) {
    if (path.isEmpty()) {
      return null;
    }
    DataType type = root;
    for (String step : path.subList(1, path.size())) {
      type =
          switch (step) {
            case "@items", "@values" -> type.element();
            case "@keys" -> type.kind() == Kind.MAP ? KEY : null;
            default -> type.fields().get(step);
          };
      if (type == null) {
        return null;
      }
    }
    return new Range(0, type.maxElements());
  }
}
