package dev.keelson.schema.codec.json;

import java.util.Arrays;

/**
 * Compact JSON on several lines, indented by two spaces a level, as Go's {@code json.Indent} does.
 * It may be given in pieces that end between two tokens. Used by one thread, for any number of
 * documents.
 */
public final class Indenter {

  /** A line break and as many spaces as are common; deeper levels are rare. */
  private static final byte[] INDENT = new byte[1 + 2 * 64];

  static {
    Arrays.fill(INDENT, (byte) ' ');
    INDENT[0] = '\n';
  }

  private byte[] out = new byte[4096];
  private int size;
  private int depth;

  /** Whether a bracket was opened and its content has not begun. */
  private boolean opened;

  /**
   * Begins a document.
   *
   * @param level its nesting level in another one
   */
  public Indenter begin(int level) {
    size = 0;
    depth = level;
    opened = false;
    return this;
  }

  /**
   * Adds a piece.
   *
   * @param json valid JSON without white space between its tokens
   */
  public Indenter add(byte[] json, int offset, int length) {
    int to = offset + length;
    int i = offset;
    while (i < to) {
      byte b = json[i++];
      switch (b) {
        case '{', '[' -> {
          begun();
          room(1);
          out[size++] = b;
          depth++;
          opened = true;
        }
        case '}', ']' -> {
          depth--;
          if (!opened) {
            line();
          }
          // the brackets of something empty stay together
          opened = false;
          room(1);
          out[size++] = b;
        }
        case ',' -> {
          room(1);
          out[size++] = b;
          line();
        }
        case ':' -> {
          room(2);
          out[size++] = ':';
          out[size++] = ' ';
        }
        case '"' -> {
          begun();
          int end = JsonSkip.string(json, i, to);
          if (end < 0) {
            throw new IllegalArgumentException("a string does not end in its piece");
          }
          copy(json, i - 1, end - i + 1);
          i = end;
        }
        default -> {
          begun();
          room(1);
          out[size++] = b;
        }
      }
    }
    return this;
  }

  /** The document so far. */
  public byte[] toBytes() {
    return Arrays.copyOf(out, size);
  }

  private void begun() {
    if (opened) {
      opened = false;
      line();
    }
  }

  private void line() {
    int width = 2 * depth;
    if (width < INDENT.length) {
      copy(INDENT, 0, width + 1);
    } else {
      room(width + 1);
      out[size] = '\n';
      Arrays.fill(out, size + 1, size + 1 + width, (byte) ' ');
      size += width + 1;
    }
  }

  private void copy(byte[] from, int offset, int length) {
    room(length);
    System.arraycopy(from, offset, out, size, length);
    size += length;
  }

  private void room(int more) {
    if (out.length - size < more) {
      out = Arrays.copyOf(out, Math.max(out.length * 2, Math.addExact(size, more)));
    }
  }
}
