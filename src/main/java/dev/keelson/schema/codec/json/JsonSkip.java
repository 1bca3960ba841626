package dev.keelson.schema.codec.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds the ends of values in JSON that an encoder wrote, without reading them: well formed and
 * compact. For other bytes the result may be wrong, but is never out of bounds.
 */
public final class JsonSkip {

  /** There is no end. */
  static final int NONE = -1;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  /** The bit that distinguishes brackets from braces. */
  private static final int BRACKET_BITS = 0xDF;

  private JsonSkip() {}

  /** The place behind the value that begins at {@code from}, or {@link #NONE}. */
  static int value(byte[] json, int from, int to) {
    if (from >= to) {
      return NONE;
    }
    return switch (json[from]) {
      case '"' -> string(json, from + 1, to);
      case '{', '[' -> container(json, from + 1, to);
      default -> scalar(json, from, to);
    };
  }

  /**
   * The place behind the container that is open at {@code from}, or {@link #NONE}.
   *
   * @param from inside of it, between two tokens
   */
  public static int container(byte[] json, int from, int to) {
    int depth = 1;
    int i = from;
    while (i < to) {
      byte b = json[i++];
      if (b == '"') {
        i = string(json, i, to);
        if (i < 0) {
          return NONE;
        }
      } else {
        int bracket = b & BRACKET_BITS;
        if (bracket == '[') {
          depth++;
        } else if (bracket == ']' && --depth == 0) {
          return i;
        }
      }
    }
    return NONE;
  }

  /** The place behind the closing quotation mark of a string, or {@link #NONE}. */
  static int string(byte[] json, int from, int to) {
    int i = from;
    while (true) {
      while (i + Long.BYTES <= to) {
        long word = (long) LONGS.get(json, i);
        long quote = word ^ ONES * '"';
        long slash = word ^ ONES * '\\';
        // a high bit for each byte that is one of both, the lowest of them surely
        long stop = ((quote - ONES & ~quote) | (slash - ONES & ~slash)) & HIGH_BITS;
        if (stop != 0) {
          i += Long.numberOfTrailingZeros(stop) >>> 3;
          break;
        }
        i += Long.BYTES;
      }
      if (i >= to) {
        return NONE;
      }
      byte b = json[i++];
      if (b == '"') {
        return i;
      }
      if (b == '\\') {
        i++;
      }
    }
  }

  private static int scalar(byte[] json, int from, int to) {
    int i = from;
    while (i < to) {
      byte b = json[i];
      if (b == ',' || b == '}' || b == ']') {
        break;
      }
      i++;
    }
    return i == from ? NONE : i;
  }
}
