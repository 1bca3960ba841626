package dev.keelson.schema.validation.core.pod;

import dev.keelson.schema.validation.Value;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Warnings about files of one volume that hide each other (source:
 * warningsForOverlappingVirtualPaths of pkg/api/pod). Of several paths that one overlaps with, the
 * greatest is told.
 */
final class VirtualPaths {

  private VirtualPaths() {}

  static void warnAboutVolumes(Value volumes, Consumer<String> warnings) {
    for (Value volume : volumes) {
      String name = "volume " + GoQuote.quote(volume.get("name").text()) + " (";
      compare(
          paths(volume.get("configMap")),
          name + "ConfigMap " + quoted(volume.get("configMap", "name")),
          warnings);
      compare(
          paths(volume.get("secret")),
          name + "Secret " + quoted(volume.get("secret", "secretName")),
          warnings);
      compare(paths(volume.get("downwardAPI")), name + "DownwardAPI", warnings);
      warnAboutProjected(volume.get("projected", "sources"), name + "Projected", warnings);
    }
  }

  private static void warnAboutProjected(Value sources, String name, Consumer<String> warnings) {
    NavigableSet<String> all = new TreeSet<>();
    for (Value source : sources) {
      List<String> paths = List.of();
      String what = name;
      if (source.get("configMap", "items").present()) {
        paths = paths(source.get("configMap"));
        what = name + " ConfigMap " + quoted(source.get("configMap", "name"));
      } else if (source.get("secret", "items").present()) {
        paths = paths(source.get("secret"));
        what = name + " Secret " + quoted(source.get("secret", "name"));
      } else if (source.get("downwardAPI", "items").present()) {
        paths = paths(source.get("downwardAPI"));
        what = name + " DownwardAPI";
      } else if (source.get("serviceAccountToken").present()) {
        paths = List.of(source.get("serviceAccountToken", "path").text());
        what = name + " ServiceAccountToken";
      } else if (!source.filled()) {
        warnings.accept(name + ") has no sources provided");
      }
      compare(paths, what, warnings);
      List<String> ordered = new ArrayList<>(new TreeSet<>(paths));
      ordered.addAll(all);
      ordered.sort(null);
      if (!paths.isEmpty()) {
        compare(ordered, what, warnings);
      }
      all.addAll(paths);
    }
  }

  private static List<String> paths(Value source) {
    List<String> paths = new ArrayList<>();
    for (Value item : source.get("items")) {
      paths.add(item.get("path").text());
    }
    return paths;
  }

  private static String quoted(Value text) {
    return GoQuote.quote(text.text());
  }

  private static void compare(List<String> paths, String what, Consumer<String> warnings) {
    NavigableSet<String> known = new TreeSet<>();
    for (String each : paths) {
      String path = withoutEnd(each);
      String other = path.isEmpty() ? null : overlap(known, path);
      if (other != null) {
        warnings.accept(
            what
                + "): overlapping paths: "
                + GoQuote.quote(path)
                + " with "
                + GoQuote.quote(other));
      }
      if (!path.isEmpty()) {
        known.add(path);
      }
    }
  }

  private static String withoutEnd(String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(0, end);
  }

  /** A known path that begins with {@code path} or that it begins with; null for none. */
  private static @Nullable String overlap(NavigableSet<String> known, String path) {
    String longer = known.ceiling(path);
    if (longer != null && longer.startsWith(path)) {
      return longer;
    }
    String shorter = known.lower(path);
    while (shorter != null && !path.startsWith(shorter)) {
      // nothing between what both begin with and the path begins with less
      shorter = known.floor(shorter.substring(0, common(shorter, path)));
    }
    return shorter;
  }

  private static int common(String one, String other) {
    int length = 0;
    while (length < one.length()
        && length < other.length()
        && one.charAt(length) == other.charAt(length)) {
      length++;
    }
    return length;
  }
}
