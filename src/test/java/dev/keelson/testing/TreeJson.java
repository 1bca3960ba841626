package dev.keelson.testing;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/** JSON of trees by way of Gson, which shares no code with the server's own writer. */
public final class TreeJson {

  private TreeJson() {}

  /** The JSON of {@code node} in UTF-8. */
  public static byte[] write(Node node) {
    return element(node).toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The tree of a JSON value. */
  public static Node read(byte[] json) {
    return node(JsonParser.parseString(new String(json, StandardCharsets.UTF_8)));
  }

  /** The JSON object in {@code bytes}. */
  public static JsonObject parse(byte[] bytes) {
    return JsonParser.parseString(new String(bytes, StandardCharsets.UTF_8)).getAsJsonObject();
  }

  /** The JSON object in {@code text}. */
  public static JsonObject parse(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  private static JsonElement element(Node node) {
    return switch (node) {
      case MapNode map -> {
        JsonObject object = new JsonObject();
        map.forEach((key, value) -> object.add(key, element(value)));
        yield object;
      }
      case Node.Items items -> {
        JsonArray array = new JsonArray();
        items.values().forEach(item -> array.add(element(item)));
        yield array;
      }
      case Node.Text text -> new JsonPrimitive(text.value());
      case Node.Int number -> new JsonPrimitive(number.value());
      case Node.Decimal number -> new JsonPrimitive(new BigDecimal(number.literal()));
      case Node.Bool bool -> new JsonPrimitive(bool.value());
      case Node.Null none -> JsonNull.INSTANCE;
    };
  }

  private static Node node(JsonElement element) {
    if (element instanceof JsonObject object) {
      MapNode.Builder map = MapNode.builder(object.size());
      object.entrySet().forEach(entry -> map.put(entry.getKey(), node(entry.getValue())));
      return map.build();
    }
    if (element instanceof JsonArray array) {
      return new Node.Items(array.asList().stream().map(TreeJson::node).toList());
    }
    if (element instanceof JsonPrimitive value && value.isString()) {
      return Node.text(value.getAsString());
    }
    if (element instanceof JsonPrimitive value && value.isBoolean()) {
      return Node.Bool.of(value.getAsBoolean());
    }
    if (element instanceof JsonPrimitive value) {
      String literal = value.getAsString();
      return literal.matches("-?\\d{1,18}")
          ? new Node.Int(Long.parseLong(literal))
          : new Node.Decimal(literal);
    }
    return Node.Null.NULL;
  }
}
