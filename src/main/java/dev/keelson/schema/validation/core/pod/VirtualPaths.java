package dev.keelson.schema.validation.core.pod;

import dev.keelson.schema.validation.Value;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
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
      warnAboutSource(volume, "configMap", "ConfigMap", "name", warnings);
      warnAboutSource(volume, "secret", "Secret", "secretName", warnings);
      warnAboutSource(volume, "downwardAPI", "DownwardAPI", "", warnings);
      Value sources = volume.get("projected", "sources");
      if (sources.filled()) {
        warnAboutProjected(volume, sources, warnings);
      }
    }
  }

  /**
   * Compares the paths of one source of a volume.
   *
   * @param named the field that names the source's object; empty for none
   */
  private static void warnAboutSource(
      Value volume, String field, String word, String named, Consumer<String> warnings) {
    Value source = volume.get(field);
    if (source.present()) {
      compare(
          paths(source),
          () -> start(volume) + word + (named.isEmpty() ? "" : " " + quoted(source.get(named))),
          warnings);
    }
  }

  private static String start(Value volume) {
    return "volume " + quoted(volume.get("name")) + " (";
  }

  private static void warnAboutProjected(Value volume, Value sources, Consumer<String> warnings) {
    Supplier<String> name = () -> start(volume) + "Projected";
    NavigableSet<String> all = new TreeSet<>();
    for (Value source : sources) {
      List<String> paths = List.of();
      Supplier<String> what = name;
      if (source.get("configMap", "items").present()) {
        paths = paths(source.get("configMap"));
        what = () -> name.get() + " ConfigMap " + quoted(source.get("configMap", "name"));
      } else if (source.get("secret", "items").present()) {
        paths = paths(source.get("secret"));
        what = () -> name.get() + " Secret " + quoted(source.get("secret", "name"));
      } else if (source.get("downwardAPI", "items").present()) {
        paths = paths(source.get("downwardAPI"));
        what = () -> name.get() + " DownwardAPI";
      } else if (source.get("serviceAccountToken").present()) {
        paths = List.of(source.get("serviceAccountToken", "path").text());
        what = () -> name.get() + " ServiceAccountToken";
      } else if (!source.filled()) {
        warnings.accept(name.get() + ") has no sources provided");
      }
      if (!paths.isEmpty()) {
        compare(paths, what, warnings);
        List<String> ordered = new ArrayList<>(new TreeSet<>(paths));
        ordered.addAll(all);
        ordered.sort(null);
        compare(ordered, what, warnings);
        all.addAll(paths);
      }
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

  private static void compare(
      List<String> paths, Supplier<String> what, Consumer<String> warnings) {
    if (paths.isEmpty()) {
      return;
    }
    NavigableSet<String> known = new TreeSet<>();
    for (String each : paths) {
      String path = withoutEnd(each);
      String other = path.isEmpty() ? null : overlap(known, path);
      if (other != null) {
        warnings.accept(
            what.get()
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
