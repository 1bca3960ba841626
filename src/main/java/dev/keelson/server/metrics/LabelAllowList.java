package dev.keelson.server.metrics;

import dev.keelson.config.option.WebOptions;
import dev.keelson.http.health.Metrics;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.server.lifecycle.StartupException;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values that labels of metrics may have, so that clients cannot make new time series without
 * bound; others are one value (source: component-base, metrics/opts.go).
 *
 * @param allowed by the full name of the metric, and then the label
 */
public record LabelAllowList(Map<String, Map<String, Set<String>>> allowed) {

  /** What other values are counted as. */
  private static final String UNEXPECTED = "unexpected";

  private static final String FLAG = "--allow-metric-labels-manifest: ";

  public LabelAllowList {
    allowed = Map.copyOf(allowed);
  }

  /**
   * Reads the file of {@code --allow-metric-labels-manifest} and adds the flag's values, which win.
   *
   * @throws StartupException naming the flag, the file and the entry
   */
  public static LabelAllowList of(WebOptions options) {
    Map<String, String> pairs = new HashMap<>();
    Path file = options.metricLabelsFile();
    if (file != null) {
      pairs.putAll(read(file));
    }
    pairs.putAll(options.metricLabels());
    Map<String, Map<String, Set<String>>> allowed = new HashMap<>();
    pairs.forEach(
        (name, values) -> {
          int comma = name.indexOf(',');
          allowed
              .computeIfAbsent(name.substring(0, comma), metric -> new HashMap<>())
              .put(name.substring(comma + 1), Set.copyOf(Arrays.asList(values.split(",", -1))));
        });
    return new LabelAllowList(allowed);
  }

  private static Map<String, String> read(Path file) {
    try {
      return parse(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new StartupException(FLAG + "cannot read " + file + ": " + e, e);
    } catch (IllegalArgumentException e) {
      throw new StartupException(FLAG + file + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, String> parse(byte[] yaml) {
    Node root;
    try {
      root = ObjectReader.untypedYaml(yaml);
    } catch (DecodeException e) {
      throw new IllegalArgumentException(e.text(), e);
    }
    if (!(root instanceof MapNode map)) {
      throw new IllegalArgumentException("expected an object");
    }
    Map<String, String> pairs = new HashMap<>();
    for (String name : map.keys()) {
      if (name.indexOf(',') < 0 || !(map.get(name) instanceof Node.Text values)) {
        throw new IllegalArgumentException(name + ": expected METRIC,LABEL: VALUE,...");
      }
      pairs.put(name, values.value());
    }
    return pairs;
  }

  /** Maps the other values of these labels to {@code unexpected}. */
  public MeterFilter filter() {
    return new MeterFilter() {
      @Override
      public Meter.Id map(Meter.Id id) {
        Map<String, Set<String>> labels = labels(id);
        return labels == null ? id : id.replaceTags(mapped(id.getTags(), labels));
      }
    };
  }

  /** Those of a metric; null if all of its values are allowed. */
  private @Nullable Map<String, Set<String>> labels(Meter.Id id) {
    for (String name : Metrics.fullNames(id)) {
      Map<String, Set<String>> labels = allowed.get(name);
      if (labels != null) {
        return labels;
      }
    }
    return null;
  }

  private static List<Tag> mapped(List<Tag> tags, Map<String, Set<String>> labels) {
    List<Tag> mapped = new ArrayList<>(tags.size());
    for (Tag tag : tags) {
      Set<String> values = labels.get(tag.getKey());
      mapped.add(
          values == null || values.contains(tag.getValue())
              ? tag
              : Tag.of(tag.getKey(), UNEXPECTED));
    }
    return mapped;
  }
}
