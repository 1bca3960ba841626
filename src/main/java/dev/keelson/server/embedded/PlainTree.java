package dev.keelson.server.embedded;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as values of the JDK, which every class loader shares: {@link Map}, {@link List}, {@link
 * String}, {@link Long}, {@link BigDecimal}, {@link Boolean} and null.
 */
public final class PlainTree {

  private PlainTree() {}

  /**
   * Reads a JSON text.
   *
   * @throws dev.keelson.api.ApiException if it is none
   */
  public static @Nullable Object read(String json) {
    return plain(ObjectReader.untypedJson(json.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Writes a value as JSON.
   *
   * @throws IllegalArgumentException if a part of it has no form in JSON
   */
  public static String write(@Nullable Object value) {
    return new String(ObjectWriter.json(node(value)), StandardCharsets.UTF_8);
  }

  static @Nullable Object plain(@Nullable Node node) {
    return switch (node) {
      case null -> null;
      case Node.Text text -> text.value();
      case Node.Int number -> number.value();
      case Node.Decimal number -> new BigDecimal(number.literal());
      case Node.Bool bool -> bool == Node.Bool.TRUE;
      case Node.Items items -> {
        List<@Nullable Object> values = new ArrayList<>();
        items.values().forEach(item -> values.add(plain(item)));
        yield values;
      }
      case MapNode map -> {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        map.forEach((key, value) -> values.put(key, plain(value)));
        yield values;
      }
      case Node.Null none -> null;
    };
  }

  static Node node(@Nullable Object value) {
    return switch (value) {
      case null -> Node.Null.NULL;
      case String text -> new Node.Text(text);
      case Boolean bool -> Node.Bool.of(bool);
      case Integer number -> new Node.Int(number);
      case Long number -> new Node.Int(number);
      case Number number -> new Node.Decimal(number.toString());
      case List<?> items -> {
        List<Node> nodes = new ArrayList<>();
        items.forEach(item -> nodes.add(node(item)));
        yield new Node.Items(nodes);
      }
      case Map<?, ?> map -> {
        Map<String, Node> nodes = new LinkedHashMap<>();
        map.forEach((key, item) -> nodes.put(String.valueOf(key), node(item)));
        yield MapNode.copyOf(nodes);
      }
      default -> throw new IllegalArgumentException("no JSON: " + value.getClass());
    };
  }
}
