package dev.keelson.cel.schema;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Schemas and values for tests, from Java's lists and maps. */
final class RuleSamples {

  private RuleSamples() {}

  static Node node(Object value) {
    return switch (value) {
      case Node node -> node;
      case Map<?, ?> map -> {
        MapNode.Builder builder = MapNode.builder(map.size());
        Map<String, Object> sorted = new TreeMap<>();
        map.forEach((key, entry) -> sorted.put(String.valueOf(key), entry));
        sorted.forEach((key, entry) -> builder.put(key, node(entry)));
        yield builder.build();
      }
      case List<?> list -> new Node.Items(list.stream().map(RuleSamples::node).toList());
      case String text -> new Node.Text(text);
      case Boolean truth -> Node.Bool.of(truth);
      case Integer number -> new Node.Int(number);
      case Long number -> new Node.Int(number);
      case Double number -> new Node.Decimal(number.toString());
      default -> throw new IllegalArgumentException("no JSON: " + value);
    };
  }

  static MapNode map(Object... entries) {
    MapNode.Builder builder = MapNode.builder(entries.length / 2);
    for (int i = 0; i < entries.length; i += 2) {
      builder.put((String) entries[i], node(entries[i + 1]));
    }
    return builder.build();
  }

  static MapNode type(String name) {
    return map("type", name);
  }

  static MapNode text(String format) {
    return map("type", "string", "format", format);
  }

  static MapNode object(Object... properties) {
    return map("type", "object", "properties", map(properties));
  }

  static MapNode list(MapNode items) {
    return map("type", "array", "items", items);
  }

  static MapNode set(MapNode items) {
    return list(items).with("x-kubernetes-list-type", new Node.Text("set"));
  }

  static MapNode mapList(MapNode items, String... keys) {
    return list(items)
        .with("x-kubernetes-list-type", new Node.Text("map"))
        .with("x-kubernetes-list-map-keys", node(List.of(keys)));
  }

  static MapNode mapOf(MapNode values) {
    return map("type", "object", "additionalProperties", values);
  }

  static MapNode rule(String text) {
    return map("rule", text);
  }

  static MapNode rule(String text, String field, Object value) {
    return map("rule", text, field, value);
  }

  /** The schema with rules. */
  static MapNode withRules(MapNode schema, Object... rules) {
    return schema.with("x-kubernetes-validations", node(List.of(rules)));
  }
}
