package dev.keelson.schema.codec.yaml;

import dev.keelson.object.Node.MapNode;
import java.util.Comparator;

/**
 * The order in which go-yaml writes the keys of a mapping: letters by their code, digits as the
 * numbers that they form ({@code a2} before {@code a10}), everything else before letters.
 */
enum YamlKeyOrder implements Comparator<String> {
  INSTANCE;

  /** The positions of {@code map}'s entries in the order in which they are written. */
  int[] positions(MapNode map) {
    int size = map.size();
    int[] order = new int[size];
    int[] spare = new int[size];
    for (int i = 0; i < size; i++) {
      order[i] = i;
    }
    sort(map, order, spare, 0, size);
    return order;
  }

  /**
   * A merge sort of our own: the order is not transitive for every three keys, and the library's
   * refuses such an order.
   */
  private void sort(MapNode map, int[] order, int[] spare, int from, int to) {
    if (to - from < 2) {
      return;
    }
    int middle = (from + to) >>> 1;
    sort(map, order, spare, from, middle);
    sort(map, order, spare, middle, to);
    if (compare(map.keyAt(order[middle - 1]), map.keyAt(order[middle])) <= 0) {
      return;
    }
    System.arraycopy(order, from, spare, from, to - from);
    int left = from;
    int right = middle;
    for (int i = from; i < to; i++) {
      boolean takeLeft =
          right == to
              || (left < middle && compare(map.keyAt(spare[left]), map.keyAt(spare[right])) <= 0);
      order[i] = takeLeft ? spare[left++] : spare[right++];
    }
  }

  @Override
  public int compare(String a, String b) {
    int length = Math.min(a.length(), b.length());
    int i = 0;
    while (i < length && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    if (i == length) {
      return a.length() - b.length();
    }
    if (i > 0 && Character.isLowSurrogate(a.charAt(i)) && Character.isSurrogate(a.charAt(i - 1))) {
      i--;
    }
    return compareAt(a, b, i);
  }

  private static int compareAt(String a, String b, int i) {
    int pointA = a.codePointAt(i);
    int pointB = b.codePointAt(i);
    boolean letterA = Character.isLetter(pointA);
    boolean letterB = Character.isLetter(pointB);
    if (letterA || letterB) {
      return letterA && letterB ? pointA - pointB : letterB ? -1 : 1;
    }
    // digits that follow a number which has begun before count with it, zeros too
    long start = (pointA == '0' || pointB == '0') && insideNumber(a, i) ? 1 : 0;
    int endA = digitsEnd(a, i);
    int endB = digitsEnd(b, i);
    long numberA = number(start, a, i, endA);
    long numberB = number(start, b, i, endB);
    if (numberA != numberB) {
      return Long.compare(numberA, numberB);
    }
    return endA != endB ? endA - endB : pointA - pointB;
  }

  private static boolean insideNumber(String key, int before) {
    for (int i = before - 1; i >= 0 && Character.isDigit(key.charAt(i)); i--) {
      if (key.charAt(i) != '0') {
        return true;
      }
    }
    return false;
  }

  private static int digitsEnd(String key, int from) {
    int end = from;
    while (end < key.length() && Character.isDigit(key.charAt(end))) {
      end++;
    }
    return end;
  }

  /** The digits behind {@code start}; it overflows as Go's does. */
  private static long number(long start, String key, int from, int to) {
    long value = start;
    for (int i = from; i < to; i++) {
      value = value * 10 + (key.charAt(i) - '0');
    }
    return value;
  }
}
