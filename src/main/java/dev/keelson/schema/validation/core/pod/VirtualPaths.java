package dev.keelson.schema.validation.core.pod;

import dev.keelson.schema.validation.Value;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Warnings about files of one volume that hide each other (source:
 * warningsForOverlappingVirtualPaths of pkg/api/pod).
 */
final class VirtualPaths {

  /** Of more paths that overlap with one, only so many are told. */
  private static final int MOST_TOLD = 100;

  /**
   * A path in a volume.
   *
   * @param source what puts a file there, as warnings show it
   * @param number of the path in its volume
   */
  private record Placed(String path, String source, int number) {}

  private final NavigableMap<String, List<Placed>> known = new TreeMap<>();
  private int count;

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
    VirtualPaths paths = new VirtualPaths();
    for (Value item : source.get("items")) {
      Placed path = paths.placed(item.get("path"), "");
      for (Placed other : paths.overlapping(path)) {
        String object = named.isEmpty() ? "" : " " + quoted(source.get(named));
        warnings.accept(
            start(volume)
                + word
                + object
                + "): overlapping paths: "
                + GoQuote.quote(path.path())
                + " with "
                + GoQuote.quote(other.path()));
      }
      paths.add(path);
    }
  }

  private static String start(Value volume) {
    return "volume " + quoted(volume.get("name")) + " (";
  }

  private static void warnAboutProjected(Value volume, Value sources, Consumer<String> warnings) {
    VirtualPaths paths = new VirtualPaths();
    for (Value source : sources) {
      if (!source.filled()) {
        warnings.accept(start(volume) + "Projected) has no sources provided");
      }
      for (Placed path : paths.ofSource(source)) {
        for (Placed other : paths.overlapping(path)) {
          warnings.accept(
              start(volume)
                  + "Projected): overlapping paths: "
                  + shown(path)
                  + " with "
                  + shown(other));
        }
        paths.add(path);
      }
    }
  }

  private List<Placed> ofSource(Value source) {
    List<Placed> paths = new ArrayList<>();
    if (source.get("configMap", "items").present()) {
      items(source.get("configMap"), "ConfigMap " + quoted(source.get("configMap", "name")), paths);
    } else if (source.get("secret", "items").present()) {
      items(source.get("secret"), "Secret " + quoted(source.get("secret", "name")), paths);
    } else if (source.get("downwardAPI").present()) {
      items(source.get("downwardAPI"), "DownwardAPI", paths);
    } else if (source.get("serviceAccountToken").present()) {
      paths.add(placed(source.get("serviceAccountToken", "path"), "ServiceAccountToken"));
    } else if (source.get("clusterTrustBundle").present()) {
      Value bundle = source.get("clusterTrustBundle");
      Value name = bundle.get(bundle.get("name").present() ? "name" : "signerName");
      paths.add(placed(bundle.get("path"), "ClusterTrustBundle " + quoted(name)));
    }
    return paths;
  }

  private void items(Value source, String shown, List<Placed> paths) {
    for (Value item : source.get("items")) {
      paths.add(placed(item.get("path"), shown));
    }
  }

  private Placed placed(Value path, String source) {
    String text = path.text();
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == '/') {
      end--;
    }
    return new Placed(text.substring(0, end), source, count++);
  }

  private void add(Placed path) {
    if (path.path().isEmpty()) {
      return;
    }
    known.computeIfAbsent(path.path(), key -> new ArrayList<>(1)).add(path);
  }

  /** The known paths that are {@code path}, below it or above it, in the order they were added. */
  private List<Placed> overlapping(Placed path) {
    if (path.path().isEmpty()) {
      return List.of();
    }
    List<Placed> found = new ArrayList<>(known.getOrDefault(path.path(), List.of()));
    // what begins with the path and a slash is before what begins with it and the next character
    for (List<Placed> below : known.subMap(path.path() + '/', path.path() + '0').values()) {
      if (found.size() >= MOST_TOLD) {
        break;
      }
      found.addAll(below);
    }
    for (int at = path.path().indexOf('/'); at >= 0; at = path.path().indexOf('/', at + 1)) {
      found.addAll(known.getOrDefault(path.path().substring(0, at), List.of()));
    }
    found.sort(Comparator.comparingInt(Placed::number));
    return found.size() > MOST_TOLD ? found.subList(0, MOST_TOLD) : found;
  }

  private static String shown(Placed path) {
    return GoQuote.quote(path.path()) + " (" + path.source() + ")";
  }

  private static String quoted(Value text) {
    return GoQuote.quote(text.text());
  }
}
