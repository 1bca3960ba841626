package dev.keelson.audit.event;

import java.nio.charset.StandardCharsets;

/** Copies one JSON document without white space, and without managedFields if so asked. */
final class JsonCopy {

  /** Where a value stands, as far as managedFields may be below it. */
  private enum Place {
    DOCUMENT,
    OBJECT,
    METADATA,
    ITEMS,
    ROWS,
    ROW,
    OTHER
  }

  private final JsonCursor cursor;
  private final boolean omitsManagedFields;
  private final JsonBuffer out;

  JsonCopy(byte[] json, boolean omitsManagedFields, int expected) {
    this.cursor = new JsonCursor(json);
    this.omitsManagedFields = omitsManagedFields;
    this.out = new JsonBuffer(expected);
  }

  byte[] document() throws MalformedJsonException {
    value(omitsManagedFields ? Place.DOCUMENT : Place.OTHER, 0);
    if (cursor.peek() >= 0) {
      throw cursor.malformed();
    }
    byte[] copy = out.toBytes();
    if (!cursor.beyondAscii) {
      return copy;
    }
    // bytes that are no UTF-8 become replacement characters on the way through a string
    return new String(copy, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
  }

  private void value(Place place, int depth) throws MalformedJsonException {
    switch (cursor.peek()) {
      case '{' -> object(place, depth);
      case '[' -> array(place, depth);
      case '"' -> {
        int from = cursor.at;
        out.raw(cursor.json, from, cursor.string());
      }
      default -> {
        int from = cursor.at;
        cursor.scalar();
        out.raw(cursor.json, from, cursor.at);
      }
    }
  }

  private void object(Place place, int depth) throws MalformedJsonException {
    cursor.at++;
    cursor.check(depth);
    out.raw('{');
    boolean first = true;
    if (cursor.peek() == '}') {
      cursor.at++;
    } else {
      do {
        cursor.peek();
        int from = cursor.at;
        int to = cursor.string();
        cursor.expect(':');
        if (place == Place.METADATA && cursor.is(from, to, "managedFields")) {
          cursor.skip(depth + 1);
          continue;
        }
        if (!first) {
          out.raw(',');
        }
        first = false;
        out.raw(cursor.json, from, to).raw(':');
        value(below(place, from, to), depth + 1);
      } while (cursor.more('}'));
    }
    out.raw('}');
  }

  private void array(Place place, int depth) throws MalformedJsonException {
    cursor.at++;
    cursor.check(depth);
    out.raw('[');
    Place element =
        switch (place) {
          case ITEMS -> Place.OBJECT;
          case ROWS -> Place.ROW;
          default -> Place.OTHER;
        };
    if (cursor.peek() == ']') {
      cursor.at++;
    } else {
      boolean first = true;
      do {
        if (!first) {
          out.raw(',');
        }
        first = false;
        value(element, depth + 1);
      } while (cursor.more(']'));
    }
    out.raw(']');
  }

  private Place below(Place place, int from, int to) {
    return switch (place) {
      case DOCUMENT -> {
        if (cursor.is(from, to, "metadata")) {
          yield Place.METADATA;
        }
        if (cursor.is(from, to, "items")) {
          yield Place.ITEMS;
        }
        yield cursor.is(from, to, "rows") ? Place.ROWS : Place.OTHER;
      }
      case OBJECT -> cursor.is(from, to, "metadata") ? Place.METADATA : Place.OTHER;
      case ROW -> cursor.is(from, to, "object") ? Place.OBJECT : Place.OTHER;
      case METADATA, ITEMS, ROWS, OTHER -> Place.OTHER;
    };
  }
}
