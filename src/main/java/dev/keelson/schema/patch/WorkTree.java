package dev.keelson.schema.patch;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.object.Node.Text;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object while the operations of a JSON Patch change it. Used once, by one thread. */
final class WorkTree {

  /*
   * A value is either a Node, which is immutable, or a Container that was made of one when a path
   * first led through it. So ten thousand operations on one large map cost one copy of it, not ten
   * thousand, and what no path touches is never copied.
   *
   * A patch must not make much of little. Paths are at most MAX_DEPTH steps long, copies together at
   * most MAX_COPIED_BYTES as JSON and each at most MAX_DEPTH deep; moves may still nest containers
   * deeper, so freeze() checks again. Nothing here recurses into what has not passed such a check:
   * equal() goes only as deep as the shallower side, which came from a request.
   */

  /** The deepest nesting of objects and lists; the codec's bound for documents. */
  private static final int MAX_DEPTH = 512;

  /** How much all copies may add, in bytes of JSON (source: kube-apiserver's default, 3 MiB). */
  private static final long MAX_COPIED_BYTES = 3 * 1024 * 1024;

  private Object root;
  private long copied;

  WorkTree(Node root) {
    this.root = thawed(root);
  }

  /** A member of an object or an element of a list, there or not. */
  record Place(Container container, String key) {

    /** Why {@link #read} and {@link #set} are not possible, or empty. */
    String readProblem() {
      return container.readProblem(key);
    }

    /** Why {@link #add} is not possible, or empty. */
    String addProblem() {
      return container.addProblem(key);
    }

    /** Why {@link #remove} is not possible, or empty. */
    String removeProblem() {
      return container.removeProblem(key);
    }

    Object read() {
      return container.get(key);
    }

    void add(Object value) {
      container.add(key, value);
    }

    void set(Object value) {
      container.set(key, value);
    }

    /** Takes the value out and returns it. */
    Object remove() {
      return container.remove(key);
    }
  }

  /** An object or a list that can be changed. */
  sealed interface Container permits Members, Elements {
    String readProblem(String key);

    String addProblem(String key);

    String removeProblem(String key);

    Object get(String key);

    void add(String key, Object value);

    void set(String key, Object value);

    Object remove(String key);
  }

  private record Members(Map<String, Object> entries) implements Container {
    @Override
    public String readProblem(String key) {
      return "";
    }

    @Override
    public String addProblem(String key) {
      return "";
    }

    @Override
    public String removeProblem(String key) {
      return entries.containsKey(key)
          ? ""
          : "Unable to remove nonexistent key: " + key + ": missing value";
    }

    @Override
    public Object get(String key) {
      return entries.getOrDefault(key, Null.NULL);
    }

    @Override
    public void add(String key, Object value) {
      entries.put(key, value);
    }

    @Override
    public void set(String key, Object value) {
      entries.put(key, value);
    }

    @Override
    public Object remove(String key) {
      Object value = entries.remove(key);
      return value == null ? Null.NULL : value;
    }
  }

  private record Elements(List<Object> values) implements Container {

    private static final int MAX_DIGITS = 9;

    @Override
    public String readProblem(String key) {
      return problem(key, values.size() - 1, values.size());
    }

    @Override
    public String addProblem(String key) {
      if (key.equals("-")) {
        return "";
      }
      return isIndex(key)
          ? problem(key, values.size(), values.size() + 1)
          : "value was not a proper array index: '" + key + "': " + notANumber(key);
    }

    @Override
    public String removeProblem(String key) {
      return readProblem(key);
    }

    private static String problem(String key, int highest, int length) {
      if (!isIndex(key)) {
        return notANumber(key);
      }
      int index = Integer.parseInt(key);
      return index > highest || index < -length
          ? "Unable to access invalid index: " + index + ": invalid index referenced"
          : "";
    }

    /** Whether Go's Atoi reads a number: an index may have a sign and leading zeros. */
    private static boolean isIndex(String key) {
      int from = key.startsWith("-") || key.startsWith("+") ? 1 : 0;
      int digits = key.length() - from;
      return digits > 0
          && digits <= MAX_DIGITS
          && key.substring(from).chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static String notANumber(String key) {
      return "strconv.Atoi: parsing \"" + key + "\": invalid syntax";
    }

    /** The index that {@code key} means in a list of {@code length} elements. */
    private static int index(String key, int length) {
      int index = Integer.parseInt(key);
      return index < 0 ? index + length : index;
    }

    @Override
    public Object get(String key) {
      return values.get(index(key, values.size()));
    }

    @Override
    public void add(String key, Object value) {
      values.add(key.equals("-") ? values.size() : index(key, values.size() + 1), value);
    }

    @Override
    public void set(String key, Object value) {
      values.set(index(key, values.size()), value);
    }

    @Override
    public Object remove(String key) {
      return values.remove(index(key, values.size()));
    }
  }

  /**
   * The place that the JSON pointer {@code path} names; null if its parent is missing or has no
   * parts, and for the root, which has no parent.
   */
  @Nullable Place find(String path) {
    // what is before the first slash does not count for kube-apiserver's library
    if (path.indexOf('/') < 0) {
      return null;
    }
    if (path.chars().filter(c -> c == '/').count() > MAX_DEPTH) {
      throw tooDeep();
    }
    String[] steps = path.split("/", -1);
    if (!(root instanceof Container container)) {
      return null;
    }
    for (int i = 1; i < steps.length - 1; i++) {
      String key = unescaped(steps[i]);
      if (!container.readProblem(key).isEmpty()) {
        return null;
      }
      Object next = container.get(key);
      if (next instanceof MapNode || next instanceof Items) {
        next = thawed((Node) next);
        container.set(key, next);
      }
      if (!(next instanceof Container inner)) {
        return null;
      }
      container = inner;
    }
    return new Place(container, unescaped(steps[steps.length - 1]));
  }

  private static String unescaped(String step) {
    return step.indexOf('~') < 0 ? step : step.replace("~1", "/").replace("~0", "~");
  }

  void replaceRoot(Node value) {
    root = thawed(value);
    if (!(root instanceof Container)) {
      throw PatchException.unfit("replace operation value must be object or array");
    }
  }

  /**
   * A value that can stand at a second place.
   *
   * @throws PatchException if that makes the copies of this patch too large
   */
  Node copyOf(Object value) {
    copied += size(value, MAX_COPIED_BYTES - copied, 0);
    return frozen(value, 0);
  }

  boolean rootEquals(Node value) {
    return equal(root, value);
  }

  /**
   * The tree as it now is.
   *
   * @throws PatchException if it is nested too deeply
   */
  Node freeze() {
    return frozen(root, 0);
  }

  private static Object thawed(Node node) {
    return switch (node) {
      case MapNode map -> {
        Map<String, Object> entries = LinkedHashMap.newLinkedHashMap(map.size());
        map.forEach(entries::put);
        yield new Members(entries);
      }
      case Items items -> new Elements(new ChunkedList(items.values()));
      default -> node;
    };
  }

  private static Node frozen(Object value, int depth) {
    if (depth > MAX_DEPTH) {
      throw tooDeep();
    }
    return switch (value) {
      case Members members -> {
        MapNode.Builder map = MapNode.builder(members.entries().size());
        members.entries().forEach((key, member) -> map.put(key, frozen(member, depth + 1)));
        yield map.build();
      }
      case Elements elements -> {
        List<Node> items = new ArrayList<>(elements.values().size());
        for (Object element : elements.values()) {
          items.add(frozen(element, depth + 1));
        }
        yield new Items(items);
      }
      case Node node -> node;
      default -> throw new IllegalStateException("not part of a tree: " + value.getClass());
    };
  }

  /** Whether the values are the same JSON value. */
  static boolean equal(Object left, Node right) {
    return switch (left) {
      case Members members ->
          right instanceof MapNode map
              && map.size() == members.entries().size()
              && members.entries().entrySet().stream()
                  .allMatch(
                      entry -> {
                        Node other = map.get(entry.getKey());
                        return other != null && equal(entry.getValue(), other);
                      });
      case Elements elements -> {
        if (!(right instanceof Items items) || items.values().size() != elements.values().size()) {
          yield false;
        }
        Iterator<Node> others = items.values().iterator();
        for (Object element : elements.values()) {
          if (!equal(element, others.next())) {
            yield false;
          }
        }
        yield true;
      }
      default -> left.equals(right);
    };
  }

  /**
   * About the bytes of {@code value} as JSON.
   *
   * @throws PatchException if they are more than {@code budget}
   */
  private static long size(Object value, long budget, int depth) {
    if (depth > MAX_DEPTH) {
      throw tooDeep();
    }
    long size =
        switch (value) {
          case Text text -> 2 + utf8Length(text.value());
          case Node.Int number -> Long.toString(number.value()).length();
          case Node.Decimal number -> number.literal().length();
          case Node.Bool _, Null _ -> 5;
          case MapNode map -> {
            long sum = 2;
            for (int i = 0; i < map.size(); i++) {
              sum += member(map.keyAt(i), map.valueAt(i), budget - sum, depth);
            }
            yield sum;
          }
          case Members members -> {
            long sum = 2;
            for (Map.Entry<String, Object> entry : members.entries().entrySet()) {
              sum += member(entry.getKey(), entry.getValue(), budget - sum, depth);
            }
            yield sum;
          }
          case Items items -> list(items.values(), budget, depth);
          case Elements elements -> list(elements.values(), budget, depth);
          default -> throw new IllegalStateException("not part of a tree: " + value.getClass());
        };
    if (size > budget) {
      throw PatchException.unfit(
          "Unable to complete the copy, the accumulated size increase of copy operations exceeds"
              + " the limit "
              + MAX_COPIED_BYTES);
    }
    return size;
  }

  private static long member(String key, Object value, long budget, int depth) {
    long name = 4 + utf8Length(key);
    return name + size(value, budget - name, depth + 1);
  }

  private static long list(List<?> values, long budget, int depth) {
    long sum = 2;
    for (Object value : values) {
      sum += 1 + size(value, budget - sum - 1, depth + 1);
    }
    return sum;
  }

  private static long utf8Length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static PatchException tooDeep() {
    return PatchException.unfit("the patch nests values deeper than " + MAX_DEPTH + " levels");
  }
}
