package dev.keelson.schema.jsonpath;

import dev.keelson.object.Node;
import dev.keelson.value.ValueFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An index, or a slice {@code from:to:step}, of an array; negative places count from its end.
 *
 * @param from the first place; null for the start
 * @param to the place behind the last one; null for the end
 * @param single whether the range was written as an index, so that {@code to} follows from it
 * @param step the distance of the places; null for 1
 */
record Range(@Nullable Integer from, @Nullable Integer to, boolean single, @Nullable Integer step) {

  private static final Pattern SYNTAX = Pattern.compile("(-?\\d*)(:-?\\d*)?(:-?\\d*)?");

  /**
   * Reads what stands between square brackets.
   *
   * @throws ValueFormatException if it is no range
   */
  static Range parse(String text) {
    Matcher parts = SYNTAX.matcher(text);
    if (!parts.matches()) {
      throw new ValueFormatException("invalid array index " + text);
    }
    Integer from = place(parts.group(1));
    String to = parts.group(2);
    String step = parts.group(3);
    boolean single = to == null;
    return new Range(
        from,
        single ? Integer.valueOf((from == null ? 0 : from) + 1) : place(to.substring(1)),
        single,
        step == null ? null : place(step.substring(1)));
  }

  private static @Nullable Integer place(String text) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException tooLarge) {
      throw new ValueFormatException("array index " + text + " is not a number");
    }
  }

  /**
   * The elements at the places.
   *
   * @return null if a place is outside of the array
   */
  @Nullable List<Node> of(List<Node> array) {
    int size = array.size();
    int first = from == null ? 0 : from;
    int end = to == null ? size : to;
    first = first < 0 ? first + size : first;
    end = end < 0 || (end == 0 && single) ? end + size : end;
    if (first == end) {
      return List.of();
    }
    boolean outside = first < 0 || first >= size || end < 0 || end > size || first > end;
    int distance = step == null ? 1 : step;
    if (outside || distance <= 0) {
      return null;
    }
    List<Node> elements = new ArrayList<>();
    for (long i = first; i < end; i += distance) {
      elements.add(array.get((int) i));
    }
    return elements;
  }
}
