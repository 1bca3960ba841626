package dev.keelson.schema.codec.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Removes {@code metadata.managedFields} from the JSON of objects before it is decoded, for readers
 * that do not use them: they are up to half of an object. JSON that is not compact is returned as
 * it is, and so is JSON without managed fields.
 */
public final class ManagedFields {

  private static final byte[] METADATA = "metadata".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] MANAGED = "managedFields".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OBJECT = "object".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ITEMS = "items".getBytes(StandardCharsets.US_ASCII);

  private final byte[] json;

  /** Where the parts begin and end that are removed, in their order. */
  private int[] parts = new int[2];

  private int count;

  private ManagedFields(byte[] json) {
    this.json = json;
  }

  /** The JSON of an object without its managed fields. */
  public static byte[] removedFromObject(byte[] json) {
    ManagedFields found = new ManagedFields(json);
    found.object(0);
    return found.rest();
  }

  /** The JSON of a watch event without the managed fields of its object. */
  public static byte[] removedFromEvent(byte[] json) {
    ManagedFields found = new ManagedFields(json);
    found.object(found.member(0, OBJECT));
    return found.rest();
  }

  /** The JSON of a list without the managed fields of its objects. */
  public static byte[] removedFromList(byte[] json) {
    ManagedFields found = new ManagedFields(json);
    int at = found.member(0, ITEMS);
    while (at >= 0 && at + 1 < json.length && json[at] != ']') {
      // behind the bracket or the comma
      int item = at + 1;
      found.object(item);
      at = JsonSkip.value(json, item, json.length);
    }
    return found.rest();
  }

  /** Notes the part of the object that begins at a place; nothing if there is no such place. */
  private void object(int at) {
    int managed = member(member(at, METADATA), MANAGED);
    int end = managed < 0 ? JsonSkip.NONE : JsonSkip.value(json, managed, json.length);
    if (end < 0 || end >= json.length) {
      return;
    }
    // quotation marks and colon
    int name = managed - MANAGED.length - 3;
    boolean first = json[name - 1] == '{';
    note(first ? name : name - 1, first && json[end] == ',' ? end + 1 : end);
  }

  private void note(int from, int to) {
    if (count == parts.length) {
      parts = Arrays.copyOf(parts, 2 * count);
    }
    parts[count++] = from;
    parts[count++] = to;
  }

  private byte[] rest() {
    if (count == 0) {
      return json;
    }
    int removed = 0;
    for (int i = 0; i < count; i += 2) {
      removed += parts[i + 1] - parts[i];
    }
    byte[] rest = new byte[json.length - removed];
    int from = 0;
    int at = 0;
    for (int i = 0; i < count; i += 2) {
      System.arraycopy(json, from, rest, at, parts[i] - from);
      at += parts[i] - from;
      from = parts[i + 1];
    }
    System.arraycopy(json, from, rest, at, json.length - from);
    return rest;
  }

  /**
   * The place of the value of a member of the JSON object that begins at {@code object}; {@link
   * JsonSkip#NONE} if there is no such member or no such object.
   */
  private int member(int object, byte[] name) {
    if (object < 0 || object >= json.length || json[object] != '{') {
      return JsonSkip.NONE;
    }
    int at = object;
    do {
      // behind the brace or the comma
      int from = at + 2;
      if (from >= json.length || json[at + 1] != '"') {
        return JsonSkip.NONE;
      }
      int end = JsonSkip.string(json, from, json.length);
      if (end < 0 || end + 1 >= json.length || json[end] != ':') {
        return JsonSkip.NONE;
      }
      if (Arrays.equals(json, from, end - 1, name, 0, name.length)) {
        return end + 1;
      }
      at = JsonSkip.value(json, end + 1, json.length);
    } while (at >= 0 && at < json.length && json[at] == ',');
    return JsonSkip.NONE;
  }
}
