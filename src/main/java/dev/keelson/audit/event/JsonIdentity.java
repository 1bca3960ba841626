package dev.keelson.audit.event;

import java.nio.charset.StandardCharsets;

/** Reads the identity in an object's metadata and no further. */
final class JsonIdentity {

  private final JsonCursor cursor;
  private String namespace = "";
  private String name = "";
  private String uid = "";
  private String resourceVersion = "";

  JsonIdentity(byte[] json) {
    cursor = new JsonCursor(json);
  }

  ObjectIdentity read() {
    try {
      if (enter()) {
        do {
          cursor.peek();
          int from = cursor.at;
          int to = cursor.string();
          cursor.expect(':');
          if (cursor.is(from, to, "metadata") && cursor.peek() == '{') {
            metadata();
            break;
          }
          cursor.skip(1);
        } while (cursor.more('}'));
      }
    } catch (MalformedJsonException e) {
      // the request is refused for it; what was read so far is all there is to show
      return identity();
    }
    return identity();
  }

  private ObjectIdentity identity() {
    return new ObjectIdentity(namespace, name, uid, resourceVersion);
  }

  private boolean enter() throws MalformedJsonException {
    cursor.expect('{');
    return cursor.peek() != '}';
  }

  private void metadata() throws MalformedJsonException {
    if (!enter()) {
      return;
    }
    do {
      cursor.peek();
      int from = cursor.at;
      int to = cursor.string();
      cursor.expect(':');
      if (cursor.peek() != '"') {
        cursor.skip(2);
      } else if (cursor.is(from, to, "name")) {
        name = text();
      } else if (cursor.is(from, to, "namespace")) {
        namespace = text();
      } else if (cursor.is(from, to, "uid")) {
        uid = text();
      } else if (cursor.is(from, to, "resourceVersion")) {
        resourceVersion = text();
      } else {
        cursor.string();
      }
    } while (cursor.more('}'));
  }

  /** The string's content; names of the API need no escapes, and are shown as sent if they have. */
  private String text() throws MalformedJsonException {
    int from = cursor.at + 1;
    int to = cursor.string() - 1;
    return new String(cursor.json, from, to - from, StandardCharsets.UTF_8);
  }
}
