package dev.keelson.schema.table;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.table.TableDefinition.Printed;
import dev.keelson.value.Timestamp;
import dev.keelson.value.ValueFormatException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * The cells of an object in JSON, with its ages left open: what of a row depends on the object
 * alone, so that it can be kept for the next Table. Immutable.
 */
public final class CellTemplate {

  /*
   * The row is printed with a mark in place of each age, which is then looked for in the encoded cells. A mark has a random number in it,
   * so that nothing in the object can look like one.
   */

  /** Of an array and what belongs to it; bytes. */
  private static final int OVERHEAD = 64;

  private static final String INVALID_JSON = "\\u003cinvalid\\u003e";

  private static final HexFormat HEX = HexFormat.of();
  private static final int INDEX_DIGITS = 4;

  private static final int PER_AGE = Integer.BYTES + 32;

  private final byte[] encoded;

  /** Where in the bytes the ages belong, rising. */
  private final int[] places;

  private final Instant[] times;

  private CellTemplate(byte[] encoded, int[] places, Instant[] times) {
    this.encoded = encoded;
    this.places = places;
    this.times = times;
  }

  /** Gives marks in place of ages. Used by one thread for one row. */
  private static final class Marks implements AgeText {
    private final String start = HEX.toHexDigits(ThreadLocalRandom.current().nextLong()) + '-';
    private final List<Instant> times = new ArrayList<>(2);

    @Override
    public String since(String timestamp) {
      try {
        Instant time = Timestamp.parse(timestamp).toInstant();
        times.add(time);
        return start + HEX.toHexDigits((short) (times.size() - 1));
      } catch (ValueFormatException unreadable) {
        return Ages.UNKNOWN;
      }
    }
  }

  /**
   * Prints an object.
   *
   * @param object as for {@link TableDefinition#row}
   * @param encoding how a row is encoded: as JSON, texts of letters, digits and hyphens as they are
   */
  public static CellTemplate of(
      TableDefinition table, MapNode object, Function<Printed, byte[]> encoding) {
    Marks marks = new Marks();
    byte[] marked = encoding.apply(table.row(object, marks));
    byte[] start = marks.start.getBytes(StandardCharsets.US_ASCII);
    int[] places = new int[marks.times.size()];
    Instant[] times = new Instant[places.length];
    byte[] encoded = new byte[marked.length];
    int found = 0;
    int size = 0;
    for (int i = 0; i < marked.length; ) {
      if (found < places.length && isAt(start, marked, i)) {
        places[found] = size;
        i += start.length;
        String index = new String(marked, i, INDEX_DIGITS, StandardCharsets.US_ASCII);
        times[found++] = marks.times.get(HexFormat.fromHexDigits(index));
        i += INDEX_DIGITS;
      } else {
        encoded[size++] = marked[i++];
      }
    }
    if (found < places.length) {
      // an age that is printed but not shown, as of a cell that is shortened
      places = Arrays.copyOf(places, found);
      times = Arrays.copyOf(times, found);
    }
    return new CellTemplate(Arrays.copyOf(encoded, size), places, times);
  }

  private static boolean isAt(byte[] mark, byte[] text, int from) {
    return text[from] == mark[0]
        && from + mark.length + INDEX_DIGITS <= text.length
        && Arrays.equals(text, from, from + mark.length, mark, 0, mark.length);
  }

  /** Takes the pieces of a row in order. */
  @FunctionalInterface
  public interface Out {

    /** Adds bytes, which the caller does not change. */
    void add(byte[] bytes, int offset, int length);
  }

  /** Adds the encoded cells at a moment. */
  public void write(Instant now, Out out) {
    int from = 0;
    for (int i = 0; i < places.length; i++) {
      out.add(encoded, from, places[i] - from);
      byte[] age = json(Ages.between(times[i], now));
      out.add(age, 0, age.length);
      from = places[i];
    }
    out.add(encoded, from, encoded.length - from);
  }

  /** An age inside a string of JSON; Go's encoder escapes angle brackets. */
  private static byte[] json(String age) {
    String text = age.equals(Ages.INVALID) ? INVALID_JSON : age;
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The approximate size in memory in bytes. */
  public int size() {
    return OVERHEAD + encoded.length + PER_AGE * places.length;
  }
}
