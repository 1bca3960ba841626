package dev.keelson.config;

import dev.keelson.api.GroupResource;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.CacheOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which types are kept in memory. */
final class CacheFlags {

  private record Size(GroupResource resource, int count) {}

  private final Flag<Boolean> enabled;
  private final Flag<Integer> defaultSize;
  private final Flag<List<Size>> sizes;

  CacheFlags(FlagGroup group) {
    enabled =
        group.toggle(
            "watch-cache",
            true,
            "Keep objects in memory, and answer reads and watches from there. Without it everything"
                + " is read from the store.");
    defaultSize =
        group.single(
            "default-watch-cache-size",
            "COUNT",
            "100",
            "0 keeps no type in memory that --watch-cache-sizes does not name. How much history is"
                + " kept follows the rate of change, so that any other number does the same.",
            Values.integer(0, Integer.MAX_VALUE));
    sizes =
        group.list(
            "watch-cache-sizes",
            "RESOURCE#COUNT",
            "For single types, such as configmaps#0,deployments.apps#100: 0 keeps none of their"
                + " objects in memory, any other number all.",
            CacheFlags::size);
  }

  CacheOptions options(Settings settings) {
    Map<GroupResource, Integer> counts = new HashMap<>();
    settings.value(sizes).forEach(size -> counts.put(size.resource, size.count));
    return new CacheOptions(settings.value(enabled), settings.value(defaultSize), counts);
  }

  private static Size size(String text) {
    int mark = text.indexOf('#');
    if (mark < 1) {
      throw new IllegalArgumentException(
          "a resource and a count such as configmaps#0 are expected, found \"" + text + "\"");
    }
    int dot = text.indexOf('.');
    boolean grouped = dot > 0 && dot < mark;
    String resource = text.substring(0, grouped ? dot : mark);
    String group = grouped ? text.substring(dot + 1, mark) : "";
    int count = Values.integer(0, Integer.MAX_VALUE).apply(text.substring(mark + 1));
    return new Size(new GroupResource(group, resource), count);
  }
}
