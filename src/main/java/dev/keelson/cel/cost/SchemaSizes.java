package dev.keelson.cel.cost;

import dev.keelson.cel.type.DataType;
import dev.keelson.cel.type.DataType.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The limits that a schema sets to the sizes of its values. */
public final class SchemaSizes implements SizeLimits {

  /** Keys of maps have no declared size. Kubernetes counts them as empty. */
  private static final DataType KEY = DataType.simple(Kind.STRING, "string", 0, 2);

  private final DataType root;

  /**
   * The limits of the parts of variables.
   *
   * @param root the type of the variables
   */
  public SchemaSizes(DataType root) {
    this.root = root;
  }

  @Override
  public @Nullable Range of(List<String> path) {
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
