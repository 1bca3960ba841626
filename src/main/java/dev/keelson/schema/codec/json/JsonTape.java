package dev.keelson.schema.codec.json;

import dev.keelson.schema.codec.tree.Tokens;
import dev.keelson.schema.codec.tree.Utf8;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The positions of the values in a JSON document: one pass over the bytes, without an object per
 * value. Only compact JSON as encoders write it is accepted; anything else throws {@link
 * NotCanonicalException}. Reusable; used by one thread.
 */
public final class JsonTape {

  /*
   * A node is three numbers: where it begins, where it ends, and the node behind it. The nodes of an object are its names and values in
   * turn, those of an array its elements, each followed by its own. A name or a string begins at its quotation mark and ends at the other
   * one; whether it has escapes stands where others have the next node, which for it is simply the one behind. Node 0 is the document.
   */

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final int MAX_DEPTH = Tokens.MAX_DEPTH;
  private static final int WIDTH = 3;
  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  /** The value is not in canonical form; the caller decodes it to a tree instead. */
  public static final class NotCanonicalException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The only instance: it carries no details. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // has no stack trace and no cause
    public static final NotCanonicalException INSTANCE = new NotCanonicalException();

    private NotCanonicalException() {
      super("not in the form of an encoder", null, false, false);
    }
  }

  private final int[] open = new int[MAX_DEPTH + 1];
  private int[] nodes = new int[3 * 1024];
  private int size;
  private byte[] json = {};

  /**
   * Reads a document.
   *
   * @throws NotCanonicalException if it is no compact JSON
   */
  public void read(byte[] document) {
    json = document;
    size = 0;
    int depth = 0;
    int at = 0;
    boolean inObject = false;
    while (true) {
      if (inObject) {
        at = string(at);
        at = expect(at, ':');
      }
      switch (byteAt(at)) {
        case '{', '[' -> {
          boolean object = document[at] == '{';
          if (depth == MAX_DEPTH) {
            throw NotCanonicalException.INSTANCE;
          }
          open[depth++] = size;
          add(at, 0, 0);
          at++;
          if (byteAt(at) != (object ? '}' : ']')) {
            inObject = object;
            continue;
          }
        }
        case '"' -> at = string(at);
        case ' ', '\t', '\n', '\r', ',', ':', '}', ']' -> throw NotCanonicalException.INSTANCE;
        default -> at = literal(at);
      }
      // behind a value, or at the end of an empty container
      while (true) {
        if (depth == 0) {
          if (at != document.length) {
            throw NotCanonicalException.INSTANCE;
          }
          return;
        }
        int container = open[depth - 1];
        boolean object = document[nodes[container]] == '{';
        byte next = byteAt(at++);
        if (next == ',') {
          inObject = object;
          break;
        }
        if (next != (object ? '}' : ']')) {
          throw NotCanonicalException.INSTANCE;
        }
        nodes[container + 1] = at;
        nodes[container + 2] = size;
        depth--;
      }
    }
  }

  byte[] json() {
    return json;
  }

  /** Where a node begins. */
  public int from(int node) {
    return nodes[node];
  }

  /** Where it ends; a string at its quotation mark. */
  public int to(int node) {
    return nodes[node + 1];
  }

  /** Whether a string has escapes. */
  public boolean escaped(int string) {
    return nodes[string + 2] != 0;
  }

  /** The first byte of a node, which determines its type. */
  public byte kind(int node) {
    return json[nodes[node]];
  }

  /** The first node in a container, or {@link #after} it. */
  public static int inside(int container) {
    return container + WIDTH;
  }

  /** The node behind a node and everything in it. */
  public int after(int node) {
    byte kind = json[nodes[node]];
    return kind == '{' || kind == '[' ? nodes[node + 2] : node + WIDTH;
  }

  private void add(int from, int to, int more) {
    if (size + WIDTH > nodes.length) {
      nodes = Arrays.copyOf(nodes, nodes.length * 2);
    }
    nodes[size] = from;
    nodes[size + 1] = to;
    nodes[size + 2] = more;
    size += WIDTH;
  }

  private byte byteAt(int at) {
    if (at >= json.length) {
      throw NotCanonicalException.INSTANCE;
    }
    return json[at];
  }

  private int expect(int at, char expected) {
    if (byteAt(at) != expected) {
      throw NotCanonicalException.INSTANCE;
    }
    return at + 1;
  }

  /** Adds the string that begins at {@code from}; returns the place behind it. */
  private int string(int from) {
    byte[] bytes = json;
    int at = expect(from, '"');
    boolean ascii = true;
    int escapes = 0;
    while (true) {
      while (at + Long.BYTES <= bytes.length) {
        long word = (long) LONGS.get(bytes, at);
        long quote = word ^ ONES * '"';
        long slash = word ^ ONES * '\\';
        // a high bit for each byte that is a quotation mark, a backslash, a control or no ASCII
        long stop =
            ((quote - ONES & ~quote) | (slash - ONES & ~slash) | (word - ONES * ' ') | word)
                & HIGH_BITS;
        if (stop != 0) {
          at += Long.numberOfTrailingZeros(stop) >>> 3;
          break;
        }
        at += Long.BYTES;
      }
      byte b = byteAt(at);
      if (b == '"') {
        break;
      }
      if (b == '\\') {
        escapes = 1;
        at += 2;
      } else if (b < 0) {
        ascii = false;
        at++;
      } else if (b < ' ') {
        throw NotCanonicalException.INSTANCE;
      } else {
        at++;
      }
    }
    if (!ascii && !Utf8.valid(bytes, from + 1, at)) {
      throw NotCanonicalException.INSTANCE;
    }
    add(from, at, escapes);
    return at + 1;
  }

  /** Adds a number, a truth or null; returns the place behind it. */
  private int literal(int from) {
    int to =
        switch (json[from]) {
          case 't' -> word(from, TRUE);
          case 'f' -> word(from, FALSE);
          case 'n' -> word(from, NULL);
          default -> number(from);
        };
    add(from, to, 0);
    return to;
  }

  private int word(int from, byte[] word) {
    int to = from + word.length;
    if (to > json.length || !Arrays.equals(json, from, to, word, 0, word.length)) {
      throw NotCanonicalException.INSTANCE;
    }
    return to;
  }

  /** The end of a number by the grammar of JSON. */
  private int number(int from) {
    int at = json[from] == '-' ? from + 1 : from;
    at = byteAt(at) == '0' ? at + 1 : digits(at);
    if (at < json.length && json[at] == '.') {
      at = digits(at + 1);
    }
    if (at < json.length && (json[at] == 'e' || json[at] == 'E')) {
      byte sign = byteAt(at + 1);
      at = digits(sign == '+' || sign == '-' ? at + 2 : at + 1);
    }
    return at;
  }

  private int digits(int from) {
    int at = from;
    while (at < json.length && json[at] >= '0' && json[at] <= '9') {
      at++;
    }
    if (at == from) {
      throw NotCanonicalException.INSTANCE;
    }
    return at;
  }
}
