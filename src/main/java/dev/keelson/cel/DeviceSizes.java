package dev.keelson.cel;

import dev.keelson.cel.cost.Range;
import dev.keelson.cel.cost.SizeLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of the variable {@code device}, by the limits of the API (source: {@code
 * cel/compile.go} of {@code dynamic-resource-allocation}).
 */
final class DeviceSizes implements SizeLimits {

  private static final long DRIVER = 63;
  private static final long DOMAIN = 63;
  private static final long NAME = 32;

  /** Attributes and capacities of a device. */
  private static final long ENTRIES = 32;

  /** A string or a version; other attributes count as much. */
  private static final long ATTRIBUTE = 64;

  private static final String KEYS = "@keys";

  @Override
  public @Nullable Range of(List<String> path) {
    if (path.isEmpty()) {
      return null;
    }
    // the first step is the only variable
    List<String> below = path.subList(1, path.size());
    if (below.isEmpty()) {
      return upTo(0);
    }
    return switch (below.getFirst()) {
      case "driver" -> below.size() == 1 ? upTo(DRIVER) : null;
      case "attributes" -> byDomain(below.subList(1, below.size()), true);
      case "capacity" -> byDomain(below.subList(1, below.size()), false);
      default -> null;
    };
  }

  /** The size of a map by domains, or of the value at the end of the path in it. */
  private static @Nullable Range byDomain(List<String> path, boolean attributes) {
    return switch (path.size()) {
      case 0 -> upTo(ENTRIES);
      case 1 ->
          path.getFirst().equals(KEYS)
              ? upTo(DOMAIN)
              : isElement(path.getFirst()) ? upTo(ENTRIES) : null;
      case 2 -> isElement(path.getFirst()) ? byName(path.getLast(), attributes) : null;
      default -> null;
    };
  }

  private static @Nullable Range byName(String step, boolean attributes) {
    if (step.equals(KEYS)) {
      return upTo(NAME);
    }
    if (attributes) {
      // whatever its name, an attribute has the same limit
      return upTo(ATTRIBUTE);
    }
    return isElement(step) ? upTo(0) : null;
  }

  private static boolean isElement(String step) {
    return step.equals("@values") || step.equals("@items");
  }

  private static Range upTo(long most) {
    return new Range(0, most);
  }
}
