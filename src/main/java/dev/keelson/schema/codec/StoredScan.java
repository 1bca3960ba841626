package dev.keelson.schema.codec;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds single values in stored objects without reading the rest: what a selector looks at is a
 * small part of an object, and lists with selectors look at many objects.
 *
 * <p>What is stored was written by an encoder, so it is well formed; where it is not, the scan says
 * that it cannot tell, and the caller decodes.
 */
public final class StoredScan {

  private static final byte[] METADATA = "metadata".getBytes(StandardCharsets.UTF_8);
  private static final byte[] LABELS = "labels".getBytes(StandardCharsets.UTF_8);
  private static final byte[][] TO_LABELS = {METADATA, LABELS};
  private static final byte[][] TO_VERSION = {"apiVersion".getBytes(StandardCharsets.UTF_8)};

  private static final int ABSENT = -1;
  private static final int UNREADABLE = -2;

  private StoredScan() {}

  /** What a scan for a scalar found. */
  public sealed interface Found {

    /** The scalar as a field selector sees it: the text, or the literal of a number or truth. */
    record Value(String text) implements Found {}

    /** There is no such field, or it is null, an object or an array. */
    record Absent() implements Found {}

    /** The value has to be decoded to tell. */
    record Unreadable() implements Found {}
  }

  private static final Found ABSENT_FIELD = new Found.Absent();
  private static final Found UNREADABLE_FIELD = new Found.Unreadable();

  /** The scalar at {@code path} of a stored value. */
  public static Found field(byte[] stored, StoredPath path) {
    return Envelope.begins(stored) ? ProtobufScan.field(stored, path) : field(stored, path.names());
  }

  private static Found field(byte[] stored, byte[][] path) {
    int at = find(stored, path);
    if (at == ABSENT) {
      return ABSENT_FIELD;
    }
    if (at == UNREADABLE) {
      return UNREADABLE_FIELD;
    }
    int end = skip(stored, at);
    if (end < 0) {
      return UNREADABLE_FIELD;
    }
    return switch (stored[at]) {
      case '"' -> {
        String text = text(stored, at, end);
        yield text == null ? UNREADABLE_FIELD : new Found.Value(text);
      }
      case '{', '[', 'n' -> ABSENT_FIELD;
      default -> new Found.Value(new String(stored, at, end - at, StandardCharsets.UTF_8));
    };
  }

  /** The labels of a stored value; null if it has to be decoded to tell. */
  public static @Nullable Map<String, String> labels(byte[] stored) {
    if (Envelope.begins(stored)) {
      return ProtobufScan.labels(stored);
    }
    int at = find(stored, TO_LABELS);
    if (at == UNREADABLE) {
      return null;
    }
    if (at == ABSENT || stored[at] != '{') {
      return Map.of();
    }
    Map<String, String> labels = new HashMap<>(8);
    int i = at + 1;
    while (i < stored.length && stored[i] == '"') {
      int keyEnd = skip(stored, i);
      if (keyEnd < 0 || keyEnd >= stored.length || stored[keyEnd] != ':') {
        return null;
      }
      int valueEnd = skip(stored, keyEnd + 1);
      if (valueEnd < 0 || valueEnd >= stored.length || stored[keyEnd + 1] != '"') {
        return null;
      }
      String key = text(stored, i, keyEnd);
      String value = text(stored, keyEnd + 1, valueEnd);
      if (key == null || value == null) {
        return null;
      }
      labels.put(key, value);
      i = valueEnd;
      if (stored[i] == ',') {
        i++;
      }
    }
    return i < stored.length && stored[i] == '}' ? labels : null;
  }

  /** Whether a value is stored in the version of {@code kind}; false if that cannot be told. */
  public static boolean isOf(byte[] stored, GroupVersionKind kind) {
    if (Envelope.begins(stored)) {
      try {
        return Envelope.read(stored).apiVersion().equals(kind.apiVersion());
      } catch (DecodeException damaged) {
        return false;
      }
    }
    return field(stored, TO_VERSION) instanceof Found.Value(String version)
        && version.equals(kind.apiVersion());
  }

  /**
   * Whether a value in protobuf may have owners, or finalizers that make it wait for others; true
   * if that cannot be told, and for everything that is not protobuf.
   */
  public static boolean mayConcernOwners(byte[] stored) {
    return !Envelope.begins(stored) || ProtobufScan.mayConcernOwners(stored);
  }

  /** Where the value of {@code path} begins, {@link #ABSENT} or {@link #UNREADABLE}. */
  private static int find(byte[] json, byte[][] path) {
    int at = 0;
    for (byte[] step : path) {
      if (at >= json.length || json[at] != '{') {
        // white space, or a scalar on the way
        return at == 0 ? UNREADABLE : ABSENT;
      }
      at = member(json, at, step);
      if (at < 0) {
        return at;
      }
    }
    return at;
  }

  /** Where the value of a member begins of the object that begins at {@code object}. */
  private static int member(byte[] json, int object, byte[] name) {
    int i = object + 1;
    while (i < json.length && json[i] == '"') {
      int keyEnd = skip(json, i);
      if (keyEnd < 0 || keyEnd >= json.length - 1 || json[keyEnd] != ':') {
        return UNREADABLE;
      }
      if (keyEnd - i - 2 == name.length
          && Arrays.equals(json, i + 1, keyEnd - 1, name, 0, name.length)) {
        return keyEnd + 1;
      }
      i = skip(json, keyEnd + 1);
      if (i < 0 || i >= json.length) {
        return UNREADABLE;
      }
      if (json[i] == ',') {
        i++;
      }
    }
    return i < json.length && json[i] == '}' ? ABSENT : UNREADABLE;
  }

  /** Where the value that begins at {@code from} ends; negative if it does not. */
  private static int skip(byte[] json, int from) {
    int depth = 0;
    int i = from;
    while (i < json.length) {
      switch (json[i]) {
        case '"' -> {
          i = string(json, i);
          if (i < 0 || depth == 0) {
            return i;
          }
        }
        case '{', '[' -> {
          depth++;
          i++;
        }
        case '}', ']' -> {
          if (depth == 0) {
            return i;
          }
          depth--;
          i++;
          if (depth == 0) {
            return i;
          }
        }
        case ',' -> {
          if (depth == 0) {
            return i;
          }
          i++;
        }
        case ' ', '\n', '\t', '\r' -> {
          return UNREADABLE;
        }
        default -> i++;
      }
    }
    return UNREADABLE;
  }

  /** Where the string that begins at {@code from} ends, behind its quotation mark. */
  private static int string(byte[] json, int from) {
    for (int i = from + 1; i < json.length; i++) {
      if (json[i] == '"') {
        return i + 1;
      }
      if (json[i] == '\\') {
        i++;
      }
    }
    return UNREADABLE;
  }

  private static @Nullable String text(byte[] json, int from, int end) {
    for (int i = from; i < end; i++) {
      if (json[i] == '\\') {
        return unescaped(Arrays.copyOfRange(json, from, end));
      }
    }
    return new String(json, from + 1, end - from - 2, StandardCharsets.UTF_8);
  }

  private static @Nullable String unescaped(byte[] string) {
    try {
      return ObjectReader.untypedJson(string) instanceof Node.Text text ? text.value() : null;
    } catch (DecodeException e) {
      return null;
    }
  }
}
