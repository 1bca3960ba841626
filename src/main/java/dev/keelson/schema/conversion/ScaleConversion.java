package dev.keelson.schema.conversion;

import dev.keelson.api.ApiException;
import dev.keelson.api.LabelRequirement;
import dev.keelson.api.LabelSelector;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Scales of extensions/v1beta1 and autoscaling/v1: the selector of the old one is a map, and a text
 * where no map can say it.
 */
enum ScaleConversion implements VersionConversion {
  INSTANCE;

  private static final String STATUS = "status";
  private static final String SELECTOR = "selector";
  private static final String TEXT = "targetSelector";

  @Override
  public MapNode toNew(MapNode old) {
    MapNode status = old.map(STATUS);
    String text = status.text(TEXT);
    if (text.isEmpty()) {
      text =
          new TreeMap<>(status.map(SELECTOR).texts())
              .entrySet().stream()
                  .map(label -> label.getKey() + "=" + label.getValue())
                  .collect(Collectors.joining(","));
    }
    MapNode next = status.without(TEXT).without(SELECTOR);
    return replaced(old, text.isEmpty() ? next : next.with(SELECTOR, Node.text(text)));
  }

  @Override
  public MapNode toOld(MapNode current) {
    MapNode status = current.map(STATUS);
    String text = status.text(SELECTOR);
    MapNode next = status.without(SELECTOR);
    if (!text.isEmpty()) {
      Map<String, String> labels = labels(text);
      if (!labels.isEmpty()) {
        MapNode.Builder map = MapNode.builder(labels.size());
        labels.forEach((key, value) -> map.put(key, Node.text(value)));
        next = next.with(SELECTOR, map.build());
      }
      next = next.with(TEXT, Node.text(text));
    }
    return replaced(current, next);
  }

  private static MapNode replaced(MapNode scale, MapNode status) {
    return scale.has(STATUS) ? scale.with(STATUS, status) : scale;
  }

  /** The labels that a selector asks for; empty if it asks for anything else. */
  private static Map<String, String> labels(String text) {
    Map<String, String> labels = new TreeMap<>();
    try {
      for (LabelRequirement each : LabelSelector.parse(text).requirements()) {
        if (each.operator() != LabelRequirement.Operator.IN || each.values().size() != 1) {
          return Map.of();
        }
        labels.put(each.key(), each.values().iterator().next());
      }
    } catch (ApiException e) {
      // what is no selector stays a text
      return Map.of();
    }
    return labels;
  }
}
