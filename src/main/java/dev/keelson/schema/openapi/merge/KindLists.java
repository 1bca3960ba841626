package dev.keelson.schema.openapi.merge;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The kinds that a definition stands for, which do not tell two definitions apart. */
final class KindLists {

  private static final String KEY = "x-kubernetes-group-version-kind";

  private KindLists() {}

  /** Whether two definitions differ in their kinds only. */
  static boolean same(@Nullable Node one, Node other) {
    return one instanceof MapNode some
        && other instanceof MapNode more
        && some.without(KEY).equals(more.without(KEY));
  }

  /** A definition with the kinds of another one as well, in the order of their names. */
  static MapNode joined(MapNode definition, MapNode other) {
    Map<String, Node> all = new TreeMap<>();
    definition.maps(KEY).forEach(kind -> all.put(name(kind), kind));
    int before = all.size();
    other.maps(KEY).forEach(kind -> all.putIfAbsent(name(kind), kind));
    return all.size() == before
        ? definition
        : definition.with(KEY, new Items(all.values().stream().toList()));
  }

  private static String name(MapNode kind) {
    return kind.text("group") + "/" + kind.text("version") + "." + kind.text("kind");
  }
}
