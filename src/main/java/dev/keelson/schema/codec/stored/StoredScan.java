package dev.keelson.schema.codec.stored;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node;
import dev.keelson.schema.codec.json.JsonTokens;
import dev.keelson.schema.codec.protobuf.Envelope;
import dev.keelson.schema.codec.tree.DecodeException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds single values in stored objects without reading the rest: selectors use a small part of an
 * object, and lists with selectors scan many objects.
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

  private static final ScanResult ABSENT_FIELD = new ScanResult.Absent();
  private static final ScanResult UNREADABLE_FIELD = new ScanResult.Unreadable();

  /** The scalar at {@code path} of a stored value. */
  public static ScanResult field(byte[] stored, StoredPath path) {
    return field(stored, 0, stored.length, path);
  }

  /** The scalar at {@code path} of the stored value from {@code from} to {@code to}. */
  public static ScanResult field(byte[] stored, int from, int to, StoredPath path) {
    return isJson(stored, from, to)
        ? field(stored, from, to, path.names())
        : notJson(alone(stored, from, to), path);
  }

  private static ScanResult notJson(byte[] stored, StoredPath path) {
    return Envelope.begins(stored) ? ProtobufScan.field(stored, path) : UNREADABLE_FIELD;
  }

  /** Protobuf is read from the start of an array: a copy where that is not so. */
  private static byte[] alone(byte[] stored, int from, int to) {
    return from == 0 && to == stored.length ? stored : Arrays.copyOfRange(stored, from, to);
  }

  private static boolean isJson(byte[] stored, int from, int to) {
    return from < to && stored[from] == '{';
  }

  private static ScanResult field(byte[] stored, int from, int to, byte[][] path) {
    int at = find(stored, from, to, path);
    if (at == ABSENT) {
      return ABSENT_FIELD;
    }
    if (at == UNREADABLE) {
      return UNREADABLE_FIELD;
    }
    int end = skip(stored, at, to);
    if (end < 0) {
      return UNREADABLE_FIELD;
    }
    return switch (stored[at]) {
      case '"' -> {
        String text = text(stored, at, end);
        yield text == null ? UNREADABLE_FIELD : new ScanResult.Value(text);
      }
      case '{', '[', 'n' -> ABSENT_FIELD;
      default -> new ScanResult.Value(new String(stored, at, end - at, StandardCharsets.UTF_8));
    };
  }

  /** The labels of a stored value; null if it has to be decoded to tell. */
  public static @Nullable Map<String, String> labels(byte[] stored) {
    return labels(stored, 0, stored.length);
  }

  /**
   * The labels of the stored value from {@code from} to {@code to}; null if it has to be decoded to
   * tell.
   */
  public static @Nullable Map<String, String> labels(byte[] stored, int from, int to) {
    if (!isJson(stored, from, to)) {
      byte[] alone = alone(stored, from, to);
      return Envelope.begins(alone) ? ProtobufScan.labels(alone) : null;
    }
    int at = find(stored, from, to, TO_LABELS);
    if (at == UNREADABLE) {
      return null;
    }
    if (at == ABSENT || stored[at] != '{') {
      return Map.of();
    }
    Map<String, String> labels = new HashMap<>(8);
    int i = at + 1;
    while (i < to && stored[i] == '"') {
      int keyEnd = skip(stored, i, to);
      if (keyEnd < 0 || keyEnd >= to || stored[keyEnd] != ':') {
        return null;
      }
      int valueEnd = skip(stored, keyEnd + 1, to);
      if (valueEnd < 0 || valueEnd >= to || stored[keyEnd + 1] != '"') {
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
    return i < to && stored[i] == '}' ? labels : null;
  }

  /** Whether a value is stored in the version of {@code kind}; false if unknown. */
  public static boolean isOf(byte[] stored, GroupVersionKind kind) {
    return isOf(stored, 0, stored.length, kind);
  }

  /** The same of the stored value from {@code from} to {@code to}. */
  public static boolean isOf(byte[] stored, int from, int to, GroupVersionKind kind) {
    if (!isJson(stored, from, to)) {
      byte[] alone = alone(stored, from, to);
      try {
        return Envelope.begins(alone)
            && Envelope.read(alone).apiVersion().equals(kind.apiVersion());
      } catch (DecodeException damaged) {
        return false;
      }
    }
    return field(stored, from, to, TO_VERSION) instanceof ScanResult.Value(String version)
        && version.equals(kind.apiVersion());
  }

  /**
   * Whether a value in protobuf may have owners, or finalizers that make it wait for others; true
   * if unknown, and for everything that is not protobuf.
   */
  public static boolean mayConcernOwners(byte[] stored) {
    return !Envelope.begins(stored) || ProtobufScan.mayConcernOwners(stored);
  }

  /** Where the value of {@code path} begins, {@link #ABSENT} or {@link #UNREADABLE}. */
  private static int find(byte[] json, int from, int to, byte[][] path) {
    int at = from;
    for (byte[] step : path) {
      if (at >= to || json[at] != '{') {
        // white space, or a scalar on the way
        return at == from ? UNREADABLE : ABSENT;
      }
      at = member(json, at, to, step);
      if (at < 0) {
        return at;
      }
    }
    return at;
  }

  /** Where the value of a member begins of the object that begins at {@code object}. */
  private static int member(byte[] json, int object, int to, byte[] name) {
    int i = object + 1;
    while (i < to && json[i] == '"') {
      int keyEnd = skip(json, i, to);
      if (keyEnd < 0 || keyEnd >= to - 1 || json[keyEnd] != ':') {
        return UNREADABLE;
      }
      if (keyEnd - i - 2 == name.length
          && Arrays.equals(json, i + 1, keyEnd - 1, name, 0, name.length)) {
        return keyEnd + 1;
      }
      i = skip(json, keyEnd + 1, to);
      if (i < 0 || i >= to) {
        return UNREADABLE;
      }
      if (json[i] == ',') {
        i++;
      }
    }
    return i < to && json[i] == '}' ? ABSENT : UNREADABLE;
  }

  /** Where the value that begins at {@code from} ends; negative if it does not. */
  private static int skip(byte[] json, int from, int to) {
    int depth = 0;
    int i = from;
    while (i < to) {
      switch (json[i]) {
        case '"' -> {
          i = string(json, i, to);
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
  private static int string(byte[] json, int from, int to) {
    for (int i = from + 1; i < to; i++) {
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
      return JsonTokens.of(string).document() instanceof Node.Text text ? text.value() : null;
    } catch (DecodeException e) {
      return null;
    }
  }
}
