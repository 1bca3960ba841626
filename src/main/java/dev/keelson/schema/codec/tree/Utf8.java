package dev.keelson.schema.codec.tree;

import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** UTF-8 as Go treats it: a byte that belongs to no valid sequence reads as U+FFFD. */
public final class Utf8 {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Utf8() {}

  /** The same array if it is valid UTF-8, else a copy in which every wrong byte is replaced. */
  public static byte[] valid(byte[] bytes) {
    int at = firstNonAscii(bytes, 0);
    while (at < bytes.length) {
      int length = sequence(bytes, at);
      if (length == 0) {
        return replaced(bytes, at);
      }
      at += length;
    }
    return bytes;
  }

  /** Whether the bytes from {@code from} to before {@code to} are valid UTF-8. */
  public static boolean valid(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      int length = sequence(bytes, at);
      if (length == 0 || at + length > to) {
        return false;
      }
      at += length;
    }
    return true;
  }

  private static byte[] replaced(byte[] bytes, int validUntil) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + 16);
    out.write(bytes, 0, validUntil);
    int at = validUntil;
    while (at < bytes.length) {
      int length = sequence(bytes, at);
      if (length == 0) {
        out.write(0xEF);
        out.write(0xBF);
        out.write(0xBD);
        at++;
      } else {
        out.write(bytes, at, length);
        at += length;
      }
    }
    return out.toByteArray();
  }

  private static int firstNonAscii(byte[] bytes, int from) {
    int at = from;
    while (at + Long.BYTES <= bytes.length && ((long) LONGS.get(bytes, at) & HIGH_BITS) == 0) {
      at += Long.BYTES;
    }
    while (at < bytes.length && bytes[at] >= 0) {
      at++;
    }
    return at;
  }

  /** The length of the valid sequence at {@code at} (Unicode, table 3-7), or 0. */
  private static int sequence(byte[] bytes, int at) {
    int first = bytes[at] & 0xFF;
    if (first < 0x80) {
      return 1;
    }
    if (first < 0xC2 || first > 0xF4) {
      return 0;
    }
    if (first < 0xE0) {
      return trail(bytes, at + 1, 0x80, 0xBF) ? 2 : 0;
    }
    int low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    int high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (!trail(bytes, at + 1, low, high) || !trail(bytes, at + 2, 0x80, 0xBF)) {
      return 0;
    }
    return first < 0xF0 ? 3 : trail(bytes, at + 3, 0x80, 0xBF) ? 4 : 0;
  }

  private static boolean trail(byte[] bytes, int at, int low, int high) {
    if (at >= bytes.length) {
      return false;
    }
    int value = bytes[at] & 0xFF;
    return value >= low && value <= high;
  }
}
