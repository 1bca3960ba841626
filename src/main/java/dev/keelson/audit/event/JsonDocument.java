package dev.keelson.audit.event;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * JSON documents as bytes: read once from front to end, checked, and copied without white space.
 * Nothing is decoded but the few fields that an event shows.
 */
public final class JsonDocument {

  private static final byte[] STATUS_HEAD =
      "{\"kind\":\"Status\",\"apiVersion\":\"v1\",".getBytes(StandardCharsets.US_ASCII);

  private JsonDocument() {}

  /** What is left out of a document. */
  public enum Omission {
    /** Nothing. */
    NOTHING,
    /** The managedFields of an object, of the items of a list and of the objects of table rows. */
    MANAGED_FIELDS
  }

  /**
   * The document on one line, as an event embeds it.
   *
   * @param json in UTF-8; bytes that are none become replacement characters
   * @return empty if it is not one well-formed JSON value, or nests deeper than 512
   */
  public static Optional<byte[]> compact(byte[] json, Omission omission) {
    JsonCopy copy = new JsonCopy(json, omission == Omission.MANAGED_FIELDS, json.length);
    try {
      return Optional.of(copy.document());
    } catch (MalformedJsonException e) {
      return Optional.empty();
    }
  }

  /**
   * The identity in an object's metadata; of malformed documents what was read before the fault.
   */
  public static ObjectIdentity identity(byte[] json) {
    return new JsonIdentity(json).read();
  }

  /**
   * The string under a key of an object; empty if there is none, or the document is malformed
   * before it.
   *
   * @param key in ASCII without escapes
   */
  public static String text(byte[] json, String key) {
    JsonCursor cursor = new JsonCursor(json);
    try {
      cursor.expect('{');
      if (cursor.peek() == '}') {
        return "";
      }
      do {
        cursor.peek();
        int from = cursor.at;
        int to = cursor.string();
        cursor.expect(':');
        if (cursor.is(from, to, key) && cursor.peek() == '"') {
          return cursor.text();
        }
        cursor.skip(1);
      } while (cursor.more('}'));
      return "";
    } catch (MalformedJsonException e) {
      return "";
    }
  }

  /** A Status without its kind and version; empty if the document is anything else. */
  static Optional<byte[]> statusFields(byte[] json) {
    if (startsWith(json, STATUS_HEAD)) {
      byte[] fields = new byte[json.length - STATUS_HEAD.length + 1];
      System.arraycopy(json, STATUS_HEAD.length, fields, 1, fields.length - 1);
      fields[0] = '{';
      return compact(fields, Omission.NOTHING);
    }
    return Optional.empty();
  }

  private static boolean startsWith(byte[] json, byte[] head) {
    if (json.length < head.length) {
      return false;
    }
    for (int i = 0; i < head.length; i++) {
      if (json[i] != head[i]) {
        return false;
      }
    }
    return true;
  }
}
