package dev.keelson.schema.codec.stored;

/** The JSON of {@code fieldsV1}, the field sets of managed fields. */
final class FieldsV1Json {

  private FieldsV1Json() {}

  /**
   * Whether JSON has the form of a set of fields as encoders write it, which takes half of many
   * objects: objects in objects, and in the names nothing that JSON shows in another way.
   */
  static boolean isCanonical(byte[] bytes, int from, int to) {
    int level = 0;
    int i = from;
    boolean inside = true;
    while (i < to) {
      byte b = bytes[i++];
      if (b == '{' && inside) {
        level++;
        // on to the value of the first entry, or to the end of an empty one
        if (i < to && bytes[i] == '"') {
          i = name(bytes, i + 1, to);
        } else {
          inside = false;
        }
      } else if (b == '}' && !inside) {
        if (--level == 0) {
          return i == to;
        }
        if (i < to && bytes[i] == ',') {
          i++;
          i = i < to && bytes[i] == '"' ? name(bytes, i + 1, to) : to;
          inside = true;
        }
      } else {
        return false;
      }
    }
    return false;
  }

  /** The place behind a plain name and its colon; {@code to} if it is none. */
  private static int name(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to) {
      byte b = bytes[i++];
      if (b == '"') {
        return i < to && bytes[i] == ':' ? i + 1 : to;
      }
      if (b == '\\') {
        if (i >= to || (bytes[i] != '"' && bytes[i] != '\\')) {
          return to;
        }
        i++;
      } else if (b < ' ' || b == 0x7F || b == '<' || b == '>' || b == '&') {
        return to;
      }
    }
    return to;
  }
}
