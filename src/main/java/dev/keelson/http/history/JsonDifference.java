package dev.keelson.http.history;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.work.Turn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Patches that turn one tree into another. Used by one thread. */
final class JsonDifference {

  private final List<Node> operations = new ArrayList<>();

  private JsonDifference() {}

  /** The operations of a JSON patch (RFC 6902): add, remove and replace. */
  static Items patch(MapNode from, MapNode to) {
    JsonDifference difference = new JsonDifference();
    difference.compare("", from, to);
    return new Items(difference.operations);
  }

  /**
   * A JSON merge patch (RFC 7386), in which lists are replaced as a whole. Fields whose value is
   * null cannot be said in one; objects of the API have none.
   */
  static MapNode mergePatch(MapNode from, MapNode to) {
    MapNode.Builder patch = MapNode.builder(4);
    from.forEach(
        (key, value) -> {
          Turn.pass();
          Node now = to.get(key);
          if (now == null) {
            patch.put(key, Node.Null.NULL);
          } else if (value instanceof MapNode old && now instanceof MapNode changed) {
            if (!old.equals(changed)) {
              patch.put(key, mergePatch(old, changed));
            }
          } else if (!value.equals(now)) {
            patch.put(key, now);
          }
        });
    to.forEach(
        (key, value) -> {
          if (!from.has(key)) {
            patch.put(key, value);
          }
        });
    return patch.build();
  }

  private void compare(String path, Node from, Node to) {
    Turn.pass();
    if (from instanceof MapNode old && to instanceof MapNode now) {
      maps(path, old, now);
    } else if (from instanceof Items old && to instanceof Items now) {
      lists(path, old.values(), now.values());
    } else if (!from.equals(to)) {
      add("replace", path, to);
    }
  }

  private void maps(String path, MapNode from, MapNode to) {
    from.forEach(
        (key, value) -> {
          Node now = to.get(key);
          if (now == null) {
            add("remove", path + step(key), null);
          } else {
            compare(path + step(key), value, now);
          }
        });
    to.forEach(
        (key, value) -> {
          if (!from.has(key)) {
            add("add", path + step(key), value);
          }
        });
  }

  /** Items at both ends that are equal stay; those between are compared by position. */
  private void lists(String path, List<Node> from, List<Node> to) {
    int most = Math.min(from.size(), to.size());
    int head = 0;
    while (head < most && from.get(head).equals(to.get(head))) {
      head++;
    }
    int tail = 0;
    while (tail < most - head
        && from.get(from.size() - 1 - tail).equals(to.get(to.size() - 1 - tail))) {
      tail++;
    }
    int oldEnd = from.size() - tail;
    int newEnd = to.size() - tail;
    int common = Math.min(oldEnd, newEnd);
    for (int i = head; i < common; i++) {
      compare(path + "/" + i, from.get(i), to.get(i));
    }
    for (int i = oldEnd - 1; i >= common; i--) {
      add("remove", path + "/" + i, null);
    }
    for (int i = common; i < newEnd; i++) {
      add("add", path + "/" + i, to.get(i));
    }
  }

  /** A step of a JSON pointer (RFC 6901). */
  private static String step(String key) {
    return "/" + key.replace("~", "~0").replace("/", "~1");
  }

  private void add(String operation, String path, @Nullable Node value) {
    MapNode.Builder change =
        MapNode.builder(3).put("op", Node.text(operation)).put("path", Node.text(path));
    if (value != null) {
      change.put("value", value);
    }
    operations.add(change.build());
  }
}
