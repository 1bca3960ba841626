package dev.keelson.http.aggregation;

import dev.keelson.api.GroupVersion;
import org.jspecify.annotations.Nullable;

/** The group version that a path of the API begins with. */
final class VersionPath {

  private VersionPath() {}

  /** The group version of a path, null if it has none. */
  static @Nullable GroupVersion versionOf(String path) {
    String[] steps = path.split("/", 5);
    if (steps.length >= 4 && steps[1].equals("apis") && !steps[2].isEmpty()) {
      return steps[3].isEmpty() ? null : new GroupVersion(steps[2], steps[3]);
    }
    return steps.length >= 3 && steps[1].equals("api") && !steps[2].isEmpty()
        ? new GroupVersion("", steps[2])
        : null;
  }
}
