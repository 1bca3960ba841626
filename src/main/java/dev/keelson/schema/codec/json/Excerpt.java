package dev.keelson.schema.codec.json;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.json.JsonTape.NotCanonicalException;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes selected fields of stored JSON into a tree and skips all others. Immutable. */
public final class Excerpt {

  private static final String ENTRIES = "#";
  private static final int MAX_DEPTH = Tokens.MAX_DEPTH;
  private static final int MAX_DIGITS = 18;

  private static final String METADATA = "metadata";

  private final Step root;
  private final boolean nulls;

  /**
   * What was found.
   *
   * @param root the wanted fields
   * @param metadataEnd the place behind the value of the object's {@code metadata}; negative if
   *     that is not among the wanted fields that it has
   */
  public record Found(MapNode root, int metadataEnd) {}

  /** A selected field with its selected fields; without any, it is decoded whole. */
  private static final class Step {
    private final String name;
    private final byte[] bytes;
    private final List<Step> inner = new ArrayList<>(4);
    private boolean entries;

    Step(String name) {
      this.name = name;
      this.bytes = name.getBytes(StandardCharsets.UTF_8);
    }

    void add(List<String> path) {
      if (path.isEmpty()) {
        return;
      }
      String first = path.getFirst();
      if (first.equals(ENTRIES)) {
        entries = true;
        return;
      }
      Step next = inner.stream().filter(step -> step.name.equals(first)).findAny().orElse(null);
      if (next == null) {
        next = new Step(first);
        inner.add(next);
      }
      next.add(path.subList(1, path.size()));
    }

    @Nullable Step find(byte[] json, int from, int to, int guess) {
      int count = inner.size();
      for (int i = 0; i < count; i++) {
        int at = guess + i;
        Step step = inner.get(at < count ? at : at - count);
        if (step.bytes.length == to - from
            && Arrays.equals(step.bytes, 0, to - from, json, from, to)) {
          return step;
        }
      }
      return null;
    }
  }

  private Excerpt(Step root, boolean nulls) {
    this.root = root;
    this.nulls = nulls;
  }

  /**
   * What stands at some paths.
   *
   * @param paths names with dots between them; lists are passed through to their elements. What
   *     stands at the end is read whole, or as the number of its entries alone, without their
   *     values, if the last step is {@code #}
   */
  public static Excerpt of(Collection<String> paths) {
    Step root = new Step("");
    paths.forEach(path -> root.add(List.of(path.split("\\.", -1))));
    return new Excerpt(root, /* nulls= */ false);
  }

  /** The same fields; those that are null are found, too. */
  public Excerpt withNulls() {
    return new Excerpt(root, /* nulls= */ true);
  }

  /**
   * The fields of the JSON object from {@code from} to {@code to}, in its order.
   *
   * @param json as an encoder writes it: compact, and with no name twice
   * @return null if it is not, as far as it was scanned: the object must be decoded
   */
  public @Nullable Found read(byte[] json, int from, int to) {
    if (from >= to || json[from] != '{') {
      return null;
    }
    try {
      Cursor cursor = new Cursor(json, from, to, nulls);
      return new Found(cursor.fields(root, true), cursor.metadataEnd);
    } catch (NotCanonicalException unusual) {
      return null;
    }
  }

  /** A place in the JSON that moves on while it is read. */
  private static final class Cursor {
    private final byte[] json;
    private final int to;
    private final boolean nulls;
    private int at;
    private int depth;
    private int metadataEnd = JsonSkip.NONE;

    Cursor(byte[] json, int from, int to, boolean nulls) {
      this.json = json;
      this.at = from;
      this.to = to;
      this.nulls = nulls;
    }

    private byte peek() {
      if (at >= to) {
        throw NotCanonicalException.INSTANCE;
      }
      return json[at];
    }

    private static int found(int place) {
      if (place < 0) {
        throw NotCanonicalException.INSTANCE;
      }
      return place;
    }

    /** The value at the place, as far as it is wanted. */
    private Node value(Step step) {
      boolean part = step.entries || !step.inner.isEmpty();
      return switch (peek()) {
        case '{' -> step.entries ? entries() : part ? fields(step, false) : whole();
        case '[' -> part ? elements(step) : whole();
        default -> whole();
      };
    }

    /**
     * The wanted fields of the object at the place.
     *
     * @param last whether nothing behind them is looked at any more
     */
    private MapNode fields(Step step, boolean last) {
      int missing = step.inner.size();
      MapNode.Builder found = MapNode.builder(missing);
      int guess = 0;
      at++;
      if (peek() == '}') {
        at++;
        return MapNode.EMPTY;
      }
      while (true) {
        int name = at + 1;
        int end = name();
        Step inner = step.find(json, name, end, guess);
        if (inner == null) {
          at = found(JsonSkip.value(json, at, to));
        } else {
          guess = step.inner.indexOf(inner) + 1;
          Node value = value(inner);
          if (last && inner.name.equals(METADATA)) {
            metadataEnd = at;
          }
          if (nulls || value != Node.Null.NULL) {
            found.put(inner.name, value);
          }
          if (--missing == 0) {
            at = last ? to : found(JsonSkip.container(json, at, to));
            return found.build();
          }
        }
        if (end('}')) {
          return found.build();
        }
      }
    }

    /** Passes over a name and its colon; returns where the name ends. */
    private int name() {
      if (peek() != '"') {
        throw NotCanonicalException.INSTANCE;
      }
      at = found(JsonSkip.string(json, at + 1, to));
      int end = at - 1;
      if (peek() != ':') {
        throw NotCanonicalException.INSTANCE;
      }
      at++;
      return end;
    }

    /** Passes over what stands behind a value; whether that ends the container. */
    private boolean end(char bracket) {
      byte next = peek();
      at++;
      if (next != ',' && next != bracket) {
        throw NotCanonicalException.INSTANCE;
      }
      return next != ',';
    }

    private Node elements(Step step) {
      at++;
      if (peek() == ']') {
        at++;
        return Node.Items.EMPTY;
      }
      List<Node> elements = new ArrayList<>();
      do {
        if (step.entries) {
          at = found(JsonSkip.value(json, at, to));
          elements.add(Node.Null.NULL);
        } else {
          elements.add(value(step));
        }
      } while (!end(']'));
      return new Node.Items(elements);
    }

    /** The names of an object, without their values. */
    private MapNode entries() {
      MapNode.Builder names = MapNode.builder(8);
      at++;
      if (peek() == '}') {
        at++;
        return MapNode.EMPTY;
      }
      do {
        int from = at;
        int end = name();
        names.put(text(from, end + 1), Node.Null.NULL);
        at = found(JsonSkip.value(json, at, to));
      } while (!end('}'));
      return names.build();
    }

    private Node whole() {
      switch (peek()) {
        case '{' -> {
          return object();
        }
        case '[' -> {
          return array();
        }
        default -> {
          int from = at;
          at = found(JsonSkip.value(json, from, to));
          return scalar(from);
        }
      }
    }

    private MapNode object() {
      down();
      if (peek() == '}') {
        up();
        return MapNode.EMPTY;
      }
      MapNode.Builder entries = MapNode.builder(4);
      do {
        int from = at;
        int end = name();
        entries.put(text(from, end + 1), whole());
      } while (!end('}'));
      depth--;
      return entries.build();
    }

    private Node array() {
      down();
      if (peek() == ']') {
        up();
        return Node.Items.EMPTY;
      }
      List<Node> elements = new ArrayList<>();
      do {
        elements.add(whole());
      } while (!end(']'));
      depth--;
      return new Node.Items(elements);
    }

    private void down() {
      at++;
      if (++depth > MAX_DEPTH) {
        throw NotCanonicalException.INSTANCE;
      }
    }

    private void up() {
      at++;
      depth--;
    }

    private Node scalar(int from) {
      return switch (json[from]) {
        case '"' -> Node.text(text(from, at));
        case 't' -> Node.Bool.TRUE;
        case 'f' -> Node.Bool.FALSE;
        case 'n' -> Node.Null.NULL;
        default -> number(from);
      };
    }

    private Node number(int from) {
      int i = json[from] == '-' ? from + 1 : from;
      if (at - i > MAX_DIGITS || i == at) {
        return decoded(from, at);
      }
      long value = 0;
      for (; i < at; i++) {
        int digit = json[i] - '0';
        if (digit < 0 || digit > 9) {
          return decoded(from, at);
        }
        value = value * 10 + digit;
      }
      return new Node.Int(json[from] == '-' ? -value : value);
    }

    /** The string between two places, its quotation marks among it. */
    private String text(int from, int end) {
      for (int i = from + 1; i < end; i++) {
        if (json[i] == '\\') {
          if (decoded(from, end) instanceof Node.Text text) {
            return text.value();
          }
          throw NotCanonicalException.INSTANCE;
        }
      }
      return new String(json, from + 1, end - from - 2, StandardCharsets.UTF_8);
    }

    private Node decoded(int from, int end) {
      try {
        return JsonTokens.of(Arrays.copyOfRange(json, from, end)).document();
      } catch (DecodeException damaged) {
        throw NotCanonicalException.INSTANCE;
      }
    }
  }
}
