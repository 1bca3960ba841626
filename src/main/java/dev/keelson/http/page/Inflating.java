package dev.keelson.http.page;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Decompresses what comes in parts, a block at a time, so that a small part which becomes a large
 * one takes no memory. Reads {@code gzip} of several members (RFC 1952), and {@code deflate} as it
 * is used: bare (RFC 1951), or with the head of zlib (RFC 1950).
 */
final class Inflating implements AutoCloseable {

  private static final int BLOCK = 16 * 1024;
  private static final byte[] NOTHING = {};
  private static final int FIXED = 10;
  private static final int CHECKSUM = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;

  /** Of a member: its length, and the checksum of its content. */
  private static final int TRAILER = 8;

  /** More than a head of gzip has in practice, with a name and a comment. */
  private static final int LONGEST_HEAD = 4096;

  private final boolean gzip;
  private Inflater inflater = new Inflater(/* nowrap= */ true);
  private boolean begun;
  private boolean wrapped;
  private final ByteArrayOutputStream head = new ByteArrayOutputStream();
  private byte[] input = NOTHING;
  private int at;
  private int end;
  private boolean inHead;
  private int skipped;

  /** Decompresses {@code gzip}, or else {@code deflate}. */
  Inflating(boolean gzip) {
    this.gzip = gzip;
    inHead = gzip;
  }

  /** Takes the next part; the one before has been read to its end. */
  void feed(byte[] part, int offset, int length) {
    input = part;
    at = offset;
    end = offset + length;
    if (!begun && length > 0) {
      begun = true;
      // no bare deflate begins so: a block without compression has zeros there
      wrapped = !gzip && (part[offset] & 0x0f) == Deflater.DEFLATED;
      if (wrapped) {
        inflater.end();
        inflater = new Inflater(/* nowrap= */ false);
      }
    }
    inflater.setInput(part, at, inHead ? 0 : length);
  }

  /** Whether {@code deflate} comes with the head of zlib (RFC 1950), as the parts so far say. */
  boolean wrapped() {
    return wrapped;
  }

  /**
   * The next block; empty if the part is used up.
   *
   * @throws DataFormatException if the bytes are not in the coding
   */
  byte[] next() throws DataFormatException {
    byte[] block = new byte[BLOCK];
    while (true) {
      if (inHead && !head()) {
        return NOTHING;
      }
      int length = inflater.inflate(block);
      if (length > 0) {
        return length == BLOCK ? block : Arrays.copyOf(block, length);
      }
      if (!inflater.finished()) {
        return NOTHING;
      }
      at = end - inflater.getRemaining();
      if (!gzip) {
        return NOTHING;
      }
      inflater.reset();
      inHead = true;
      skipped = TRAILER;
    }
  }

  /** Whether the head of a member is complete; what follows it is the inflater's then. */
  private boolean head() throws DataFormatException {
    while (at < end) {
      if (skipped > 0) {
        skipped--;
        at++;
        continue;
      }
      head.write(input[at++]);
      if (head.size() > LONGEST_HEAD) {
        throw new DataFormatException("the head of gzip is too long");
      }
      if (isComplete(head.toByteArray())) {
        head.reset();
        inHead = false;
        inflater.setInput(input, at, end - at);
        return true;
      }
    }
    return false;
  }

  private static boolean isComplete(byte[] head) throws DataFormatException {
    if (head.length < FIXED) {
      return false;
    }
    if (head[0] != 0x1f || head[1] != (byte) 0x8b || head[2] != 8) {
      throw new DataFormatException("no head of gzip");
    }
    int flags = head[3];
    int length = FIXED;
    if ((flags & EXTRA) != 0) {
      if (head.length < length + 2) {
        return false;
      }
      length += 2 + (head[length] & 0xff) + ((head[length + 1] & 0xff) << 8);
    }
    for (int text : new int[] {NAME, COMMENT}) {
      if ((flags & text) != 0) {
        while (length < head.length && head[length] != 0) {
          length++;
        }
        length++;
      }
    }
    return head.length >= length + ((flags & CHECKSUM) != 0 ? 2 : 0);
  }

  @Override
  public void close() {
    inflater.end();
  }
}
