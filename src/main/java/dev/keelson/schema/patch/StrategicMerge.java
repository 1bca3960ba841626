package dev.keelson.schema.patch;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.work.Turn;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Merges a strategic merge patch into an object, recursively. */
final class StrategicMerge {

  private static final String MERGE = "merge";
  private static final String REPLACE = "replace";
  private static final String RETAIN_KEYS = "retainKeys";

  private StrategicMerge() {}

  /**
   * What the schema says of a member.
   *
   * @param strategy {@code merge}, {@code replace} or empty
   * @param mergeKey the field that names an element of a list that is merged; empty for scalars
   */
  private record Member(SchemaNode type, String strategy, String mergeKey) {

    boolean merges() {
      return strategy.equals(MERGE);
    }

    ListMerge list() {
      return new ListMerge(
          type instanceof ListOf list ? list.element() : Free.RAW_JSON,
          mergeKey,
          StrategicMerge::merge);
    }
  }

  /**
   * {@code original} with {@code patch} merged into it.
   *
   * @param type the shape of both
   */
  static MapNode merge(MapNode original, MapNode patch, SchemaNode type) {
    if (type instanceof Free || type instanceof SchemaNode.Union) {
      return MergePatch.merge(original, patch);
    }
    return switch (Directives.action(patch)) {
      case REPLACE -> Directives.content(patch, type);
      case DELETE -> MapNode.EMPTY;
      case MERGE -> members(original, patch.without(Directives.PATCH), type);
    };
  }

  private static MapNode members(MapNode original, MapNode patch, SchemaNode type) {
    Map<String, Node> merged = MergePatch.entries(original);
    Map<String, Node> rest = MergePatch.entries(patch);
    Directives.retainKeys(merged, rest);
    for (String key : patch.keys()) {
      Directives.checkName(key);
      if (key.startsWith(Directives.ORDER)) {
        Node order = rest.remove(key);
        orderedList(merged, rest, key.substring(Directives.ORDER.length()), order, type);
      }
    }
    rest.forEach(
        (key, value) -> {
          if (key.startsWith(Directives.DELETE_FROM_LIST)) {
            deleteFrom(merged, key.substring(Directives.DELETE_FROM_LIST.length()), value, type);
          } else {
            member(merged, key, value, type);
          }
        });
    return MapNode.copyOf(merged);
  }

  private static void member(Map<String, Node> merged, String key, Node value, SchemaNode type) {
    Turn.pass();
    Node before = merged.get(key);
    Node after;
    if (value == Null.NULL) {
      after = null;
    } else if (before instanceof MapNode old && value instanceof MapNode patch) {
      Member member = lookup(type, key);
      after =
          member.strategy().equals(REPLACE)
              ? Directives.content(patch, member.type())
              : merge(old, patch, member.type());
    } else if (before instanceof Items old && value instanceof Items patch) {
      Member member = lookup(type, key);
      after =
          member.merges()
              ? new Items(member.list().merge(old.values(), patch.values()))
              : Directives.cleaned(patch, member.type());
    } else {
      Member member = known(type, key);
      after = Directives.cleaned(value, member == null ? null : member.type());
    }
    if (after == null) {
      merged.remove(key);
    } else {
      merged.put(key, after);
    }
  }

  /** Merges the list {@code key} of {@code rest} and brings it into the order of a directive. */
  private static void orderedList(
      Map<String, Node> merged,
      Map<String, Node> rest,
      String key,
      @Nullable Node order,
      SchemaNode type) {
    if (!(order instanceof Items wanted)) {
      throw PatchException.malformed(
          "expected a []interface {}, but received a "
              + (order == null ? "<nil>" : ListMerge.kind(order)));
    }
    Member member = lookup(type, key);
    if (!member.merges()) {
      throw Directives.badOrder();
    }
    Node patch = rest.get(key);
    if (patch != null && !(patch instanceof Items)) {
      return;
    }
    rest.remove(key);
    Node before = merged.get(key);
    if (before instanceof Items old) {
      List<Node> changes = patch == null ? List.of() : ((Items) patch).values();
      merged.put(key, new Items(member.list().merge(old.values(), changes, wanted.values())));
    } else if (patch != null) {
      merged.put(key, new Items(member.list().fresh(((Items) patch).values(), wanted.values())));
    }
  }

  private static void deleteFrom(
      Map<String, Node> merged, String key, Node value, SchemaNode type) {
    if (value == Null.NULL) {
      merged.remove(key);
      return;
    }
    // as in Kubernetes, what is no list there or here is passed over
    if (merged.get(key) instanceof Items old && value instanceof Items gone) {
      Member member = lookup(type, key);
      merged.put(key, new Items(member.list().without(old.values(), gone.values())));
    }
  }

  private static Member lookup(SchemaNode type, String key) {
    Member member = known(type, key);
    if (member == null) {
      throw PatchException.malformed(
          type instanceof StructSchema struct
              ? "unable to find api field in struct "
                  + struct.shortName()
                  + " for the json field \""
                  + key
                  + "\""
              : "merging an object in json but data type is not map or struct");
    }
    return member;
  }

  /** What the schema says of the member {@code key}, or null if it does not know it. */
  private static @Nullable Member known(SchemaNode type, String key) {
    return switch (type) {
      case StructSchema struct -> {
        Field field = struct.field(key);
        if (field != null) {
          yield new Member(field.type(), strategy(field.rules()), field.rules().patchMergeKey());
        }
        yield struct.openToUnknown() ? new Member(Free.RAW_JSON, "", "") : null;
      }
      case MapOf map -> new Member(map.value(), "", "");
      case Free free -> new Member(free, "", "");
      case SchemaNode.Union union -> new Member(union, "", "");
      case SchemaNode.Structural custom -> new Member(custom, "", "");
      case ListOf _, Scalar _ -> null;
    };
  }

  /** The strategy beside {@code retainKeys}, which only concerns who makes patches. */
  private static String strategy(Field.Rules rules) {
    for (String strategy : rules.patchStrategies()) {
      if (!strategy.equals(RETAIN_KEYS)) {
        return strategy;
      }
    }
    return "";
  }
}
