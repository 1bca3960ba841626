package dev.keelson.schema.openapi;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Puts the JSON of a document together from entries that were written apart. */
final class JsonParts {

  private final JsonText json;
  private final Map<String, List<byte[]>> content;
  private final List<byte[]> parts = new ArrayList<>();
  private final ByteArrayOutputStream current = new ByteArrayOutputStream();

  private JsonParts(JsonText json, Map<String, List<byte[]>> content) {
    this.json = json;
    this.content = content;
  }

  /** The entries of an object without the braces around them. */
  static byte[] entries(JsonText json, MapNode object) {
    byte[] whole = json.write(object);
    return Arrays.copyOfRange(whole, 1, whole.length - 1);
  }

  /**
   * The parts of a document.
   *
   * @param frame the document, on whose first two levels the objects of the names in {@code
   *     content} are replaced
   * @param content the entries of these objects
   */
  static List<byte[]> document(JsonText json, MapNode frame, Map<String, List<byte[]>> content) {
    JsonParts document = new JsonParts(json, content);
    document.object(frame);
    document.flush();
    return document.parts;
  }

  private void object(MapNode object) {
    current.write('{');
    for (int i = 0; i < object.size(); i++) {
      if (i > 0) {
        current.write(',');
      }
      String key = object.keyAt(i);
      current.writeBytes(json.write(Node.text(key)));
      current.write(':');
      List<byte[]> entries = content.get(key);
      if (entries != null) {
        join(entries);
      } else if (object.valueAt(i) instanceof MapNode inner && hasContent(inner)) {
        object(inner);
      } else {
        current.writeBytes(json.write(object.valueAt(i)));
      }
    }
    current.write('}');
  }

  private boolean hasContent(MapNode object) {
    return object.keys().stream().anyMatch(content::containsKey);
  }

  private void join(List<byte[]> entries) {
    current.write('{');
    boolean first = true;
    for (byte[] part : entries) {
      if (part.length > 0) {
        if (!first) {
          current.write(',');
        }
        first = false;
        flush();
        parts.add(part);
      }
    }
    current.write('}');
  }

  private void flush() {
    if (current.size() > 0) {
      parts.add(current.toByteArray());
      current.reset();
    }
  }
}
