package dev.keelson.schema.apply;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResetFields.FieldFilter;
import dev.keelson.schema.SchemaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A set of fields. Its representation is fieldsV1 itself, the tree that {@code managedFields} has:
 * reading and writing a set neither parses nor copies, and changes share unchanged branches.
 *
 * <p>Below the top, an empty object is a member without further fields below it, and {@code "."}
 * among the keys says that the place itself is a member too. Keys are in canonical order (source:
 * structured-merge-diff, fieldpath).
 *
 * @param tree the set as fieldsV1
 */
public record FieldSet(MapNode tree) {

  /** No field. */
  public static final FieldSet EMPTY = new FieldSet(MapNode.EMPTY);

  private static final String SELF = ".";

  /**
   * The canonical form of a set that a client wrote; empty if it is malformed.
   *
   * @param written the value of {@code fieldsV1}
   */
  public static Optional<FieldSet> read(Node written) {
    if (!(written instanceof MapNode map)) {
      return Optional.empty();
    }
    SetBuilder set = new SetBuilder();
    return into(map, set) ? Optional.of(new FieldSet(set.build())) : Optional.empty();
  }

  private static boolean into(MapNode written, SetBuilder set) {
    for (int i = 0; i < written.size(); i++) {
      String key = written.keyAt(i);
      if (PathElement.isForeign(key)) {
        continue;
      }
      if (!(written.valueAt(i) instanceof MapNode below)) {
        return false;
      }
      if (key.equals(SELF)) {
        set.add();
        continue;
      }
      String element = PathElement.canonical(key).orElse("");
      if (element.isEmpty()) {
        return false;
      }
      SetBuilder child = set.child(element);
      if (saysNothing(below)) {
        child.add();
      } else if (!into(below, child)) {
        return false;
      }
    }
    return true;
  }

  /** Whether there is nothing below that is understood, so that the place itself is meant. */
  private static boolean saysNothing(MapNode below) {
    for (int i = 0; i < below.size(); i++) {
      if (!PathElement.isForeign(below.keyAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether there is no field in the set. */
  public boolean isEmpty() {
    return tree.isEmpty();
  }

  /** Whether the place at the end of {@code path} is a member. */
  boolean has(String... path) {
    return tree.at(path) instanceof MapNode node && isMember(node);
  }

  /** The fields of either set. */
  public FieldSet union(FieldSet other) {
    return isEmpty() ? other : other.isEmpty() ? this : new FieldSet(union(tree, other.tree));
  }

  /** The fields of all sets, in time linear to all of them together but for a logarithm. */
  static FieldSet union(List<FieldSet> sets) {
    List<FieldSet> rest = new ArrayList<>(sets);
    while (rest.size() > 1) {
      List<FieldSet> pairs = new ArrayList<>(rest.size() / 2 + 1);
      for (int i = 0; i < rest.size(); i += 2) {
        pairs.add(i + 1 < rest.size() ? rest.get(i).union(rest.get(i + 1)) : rest.get(i));
      }
      rest = pairs;
    }
    return rest.isEmpty() ? EMPTY : rest.getFirst();
  }

  /** The fields of this set that are not in the other; what is below a field of it stays. */
  public FieldSet minus(FieldSet other) {
    return other.isEmpty() || isEmpty() ? this : top(minus(tree, other.tree, false));
  }

  /** The fields of this set that are neither in the other nor below a field of it. */
  public FieldSet minusWhole(FieldSet other) {
    return other.isEmpty() || isEmpty() ? this : top(minus(tree, other.tree, true));
  }

  /** The fields of this set that pass a filter. */
  FieldSet filtered(FieldFilter filter) {
    return switch (filter) {
      case FieldFilter.Except(MapNode fields) -> minusWhole(new FieldSet(fields));
      case FieldFilter.Only(MapNode fields) -> isEmpty() ? this : top(only(tree, fields));
    };
  }

  /** The fields of both sets. */
  public FieldSet intersection(FieldSet other) {
    return isEmpty() || other.isEmpty() ? EMPTY : top(intersection(tree, other.tree));
  }

  /** The set with every declared field that has members below it as a member of its own. */
  FieldSet withNamedFields(SchemaNode schema) {
    return new FieldSet(withNamed(tree, schema, true));
  }

  /**
   * The set for a schema in which lists, maps or structs have become atomic since it was written:
   * whoever owns a part of one owns the whole (source: structured-merge-diff,
   * ReconcileFieldSetWithSchema).
   *
   * @return this set if nothing changes
   */
  FieldSet reconciled(SchemaNode schema) {
    MapNode reconciled = reconciled(tree, schema);
    return reconciled == tree ? this : new FieldSet(reconciled);
  }

  private static MapNode reconciled(MapNode node, SchemaNode schema) {
    MapNode out = node;
    for (int i = first(node); i < node.size(); i++) {
      MapNode child = (MapNode) node.valueAt(i);
      if (hasBelow(child)) {
        SchemaNode below = Shapes.below(schema, node.keyAt(i));
        MapNode now = Shapes.isAtomic(below) ? MapNode.EMPTY : reconciled(child, below);
        out = now == child ? out : out.with(node.keyAt(i), now);
      }
    }
    return out;
  }

  /** Passes every member, parents first, to {@code action} as a path of elements. */
  void forEach(Consumer<List<String>> action) {
    each(tree, new ArrayList<>(), action);
  }

  private static void each(MapNode node, List<String> path, Consumer<List<String>> action) {
    node.forEach(
        (element, child) -> {
          if (!element.equals(SELF) && isMember((MapNode) child)) {
            path.add(element);
            action.accept(List.copyOf(path));
            path.removeLast();
          }
        });
    node.forEach(
        (element, child) -> {
          if (!element.equals(SELF)) {
            path.add(element);
            each((MapNode) child, path, action);
            path.removeLast();
          }
        });
  }

  static boolean isMember(MapNode node) {
    return node.isEmpty() || node.has(SELF);
  }

  /** Whether something below the place is in the set. */
  static boolean hasBelow(MapNode node) {
    return node.size() > (node.has(SELF) ? 1 : 0);
  }

  private static FieldSet top(@Nullable MapNode tree) {
    return tree == null ? EMPTY : new FieldSet(tree);
  }

  private static MapNode union(MapNode left, MapNode right) {
    if (left == right) {
      return left;
    }
    MapNode.Builder out = MapNode.builder(left.size() + right.size());
    boolean below = hasBelow(left) || hasBelow(right);
    if (below && (isMember(left) || isMember(right))) {
      out.put(SELF, MapNode.EMPTY);
    }
    int i = first(left);
    int j = first(right);
    while (i < left.size() || j < right.size()) {
      int order =
          i == left.size()
              ? 1
              : j == right.size() ? -1 : PathElement.compare(left.keyAt(i), right.keyAt(j));
      if (order < 0) {
        out.put(left.keyAt(i), left.valueAt(i++));
      } else if (order > 0) {
        out.put(right.keyAt(j), right.valueAt(j++));
      } else {
        String element = left.keyAt(i);
        out.put(element, union((MapNode) left.valueAt(i++), (MapNode) right.valueAt(j++)));
      }
    }
    return out.build();
  }

  /** "." sorts before every element, so it is first if it is there. */
  private static int first(MapNode node) {
    return node.size() > 0 && node.keyAt(0).equals(SELF) ? 1 : 0;
  }

  private static @Nullable MapNode minus(MapNode left, MapNode right, boolean whole) {
    boolean member = isMember(left) && !isMember(right);
    MapNode.Builder out = MapNode.builder(left.size());
    boolean same = member == isMember(left);
    int kept = 0;
    if (member && hasBelow(left)) {
      out.put(SELF, MapNode.EMPTY);
    }
    for (int i = first(left); i < left.size(); i++) {
      MapNode mine = (MapNode) left.valueAt(i);
      @Nullable MapNode rest = mine;
      if (right.get(left.keyAt(i)) instanceof MapNode theirs) {
        rest = whole && isMember(theirs) ? null : minus(mine, theirs, whole);
      }
      same &= rest == mine;
      if (rest != null) {
        kept++;
        out.put(left.keyAt(i), rest);
      }
    }
    if (same) {
      return left;
    }
    return kept == 0 ? member ? MapNode.EMPTY : null : out.build();
  }

  private static @Nullable MapNode only(MapNode node, MapNode paths) {
    if (paths.isEmpty()) {
      return node;
    }
    MapNode.Builder out = MapNode.builder(node.size());
    boolean member = isMember(node);
    if (member && hasBelow(node)) {
      out.put(SELF, MapNode.EMPTY);
    }
    int kept = 0;
    for (int i = first(node); i < node.size(); i++) {
      Node path = paths.get(node.keyAt(i));
      path = path == null ? paths.get(FieldFilter.Only.ANY) : path;
      MapNode rest = path instanceof MapNode below ? only((MapNode) node.valueAt(i), below) : null;
      if (rest != null) {
        kept++;
        out.put(node.keyAt(i), rest);
      }
    }
    return kept == 0 ? member ? MapNode.EMPTY : null : out.build();
  }

  private static @Nullable MapNode intersection(MapNode left, MapNode right) {
    boolean member = isMember(left) && isMember(right);
    List<String> elements = new ArrayList<>();
    List<MapNode> nodes = new ArrayList<>();
    for (int i = first(left); i < left.size(); i++) {
      if (right.get(left.keyAt(i)) instanceof MapNode theirs) {
        MapNode common = intersection((MapNode) left.valueAt(i), theirs);
        if (common != null) {
          elements.add(left.keyAt(i));
          nodes.add(common);
        }
      }
    }
    if (nodes.isEmpty()) {
      return member ? MapNode.EMPTY : null;
    }
    MapNode.Builder out = MapNode.builder(nodes.size() + 1);
    if (member) {
      out.put(SELF, MapNode.EMPTY);
    }
    for (int i = 0; i < nodes.size(); i++) {
      out.put(elements.get(i), nodes.get(i));
    }
    return out.build();
  }

  private static MapNode withNamed(MapNode node, SchemaNode schema, boolean top) {
    MapNode.Builder out = MapNode.builder(node.size() + 1);
    for (int i = 0; i < node.size(); i++) {
      String element = node.keyAt(i);
      MapNode child = (MapNode) node.valueAt(i);
      if (element.equals(SELF) || child.isEmpty()) {
        out.put(element, child);
        continue;
      }
      MapNode named = withNamed(child, Shapes.below(schema, element), false);
      boolean declared =
          PathElement.isField(element) && Shapes.declares(schema, element.substring(2));
      out.put(element, declared && !isMember(named) ? withSelf(named) : named);
    }
    return top && node.isEmpty() ? node : out.build();
  }

  private static MapNode withSelf(MapNode node) {
    MapNode.Builder out = MapNode.builder(node.size() + 1).put(SELF, MapNode.EMPTY);
    node.forEach(out::put);
    return out.build();
  }
}
