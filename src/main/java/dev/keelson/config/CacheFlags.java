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

/** Flags of the watch cache. */
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
            "Serve reads and watches from memory. If false, everything is read from the store.");
    defaultSize =
        group.single(
            "default-watch-cache-size",
            "COUNT",
            "100",
            "0 disables the watch cache for types that --watch-cache-sizes does not list."
                + " Other values have no effect: the history grows with the rate of changes.",
            Values.integer(0, Integer.MAX_VALUE));
    sizes =
        group.list(
            "watch-cache-sizes",
            "RESOURCE#COUNT",
            "Watch cache by resource, such as configmaps#0,deployments.apps#100: 0 disables"
                + " it, other values enable it.",
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
