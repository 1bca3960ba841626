package dev.keelson.schema.codec.stored;

import java.util.Arrays;

/**
 * The JSON of an object as two pieces: a head, then the stored bytes from an offset. It shares the
 * stored array, which must not change; so lists are composed without copying each object.
 *
 * @param head what comes first
 * @param stored an array with the value as the store holds it
 * @param offset where in {@code stored} the rest begins
 * @param end where in {@code stored} it ends
 */
@SuppressWarnings("ArrayRecordComponent") // the arrays are shared on purpose, never compared
public record Served(byte[] head, byte[] stored, int offset, int end) {

  /** How many bytes it is. */
  public int length() {
    return head.length + end - offset;
  }

  /** The JSON in one array. */
  public byte[] toBytes() {
    byte[] all = Arrays.copyOf(head, length());
    System.arraycopy(stored, offset, all, head.length, end - offset);
    return all;
  }
}
