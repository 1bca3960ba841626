package dev.keelson.schema.patch;

import dev.keelson.object.GoText;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The members of a strategic merge patch that say how to merge, and are no part of the object. */
final class Directives {

  /** The action for the enclosing object or list element. */
  static final String PATCH = "$patch";

  /** Lists the only members that the object keeps. */
  static final String RETAIN_KEYS = "$retainKeys";

  /** Followed by a list's name: the order of its elements. */
  static final String ORDER = "$setElementOrder/";

  /** Followed by the name of a list of scalars: what is taken out of it. */
  static final String DELETE_FROM_LIST = "$deleteFromPrimitiveList/";

  private Directives() {}

  /** The words after {@link #PATCH}. */
  enum Action {
    MERGE,
    REPLACE,
    DELETE
  }

  /**
   * What {@link #PATCH} in {@code patch} says; {@link Action#MERGE} if it is not there.
   *
   * @throws PatchException if it is none of the words
   */
  static Action action(MapNode patch) {
    Node word = patch.get(PATCH);
    if (word == null) {
      return Action.MERGE;
    }
    return switch (word instanceof Node.Text text ? text.value() : "") {
      case "merge" -> Action.MERGE;
      case "replace" -> Action.REPLACE;
      case "delete" -> Action.DELETE;
      default ->
          throw PatchException.malformed(
              "unknown patch type: " + GoText.of(word) + " in map: " + GoText.of(patch));
    };
  }

  /**
   * Applies {@link #RETAIN_KEYS}: removes it from {@code patch}, and the members that it does not
   * list from {@code object}.
   */
  static void retainKeys(Map<String, Node> object, Map<String, Node> patch) {
    Node keys = patch.remove(RETAIN_KEYS);
    if (keys == null) {
      return;
    }
    if (!(keys instanceof Items items)) {
      throw badRetainKeys();
    }
    Set<String> kept = new HashSet<>();
    for (Node key : items.values()) {
      if (key instanceof Node.Text text) {
        kept.add(text.value());
      }
    }
    patch.forEach(
        (key, value) -> {
          boolean sets =
              value != Null.NULL && !key.startsWith(ORDER) && !key.startsWith(DELETE_FROM_LIST);
          if (sets && !kept.contains(key)) {
            throw badRetainKeys();
          }
        });
    object.keySet().retainAll(kept);
  }

  /**
   * Checks the name of a directive that names a list.
   *
   * @throws PatchException if there is something else than a slash behind its word
   */
  static void checkName(String key) {
    if (key.startsWith("$")) {
      if (isBroken(key, ORDER)) {
        throw badOrder();
      }
      if (isBroken(key, DELETE_FROM_LIST)) {
        throw PatchException.malformed("invalid patch format of primitive list");
      }
    }
  }

  private static boolean isBroken(String key, String directive) {
    return !key.startsWith(directive)
        && key.startsWith(directive.substring(0, directive.length() - 1));
  }

  static PatchException badOrder() {
    return PatchException.malformed("invalid patch format of setElementOrder list");
  }

  private static PatchException badRetainKeys() {
    return PatchException.malformed("invalid patch format of retainKeys");
  }

  /**
   * A value of a patch that has nothing to be merged with, as it goes into the object: without
   * directives and without nulls.
   *
   * @param type its shape, or null if the schema does not know it
   * @return null if a directive says that it is not to be
   */
  static @Nullable Node cleaned(Node value, @Nullable SchemaNode type) {
    return switch (value) {
      case MapNode map when isFree(type) -> MergePatch.merge(MapNode.EMPTY, map);
      case MapNode map -> action(map) == Action.DELETE ? null : content(map, type);
      case Items items when !isFree(type) ->
          new Items(
              elements(
                  items.values(), type instanceof SchemaNode.ListOf list ? list.element() : null));
      default -> value;
    };
  }

  /** Whether directives have no meaning in values of a type. */
  private static boolean isFree(@Nullable SchemaNode type) {
    return type instanceof SchemaNode.Free || type instanceof SchemaNode.Union;
  }

  /** The elements of a list that has nothing to be merged with, as {@link #cleaned} has them. */
  static List<Node> elements(List<Node> items, @Nullable SchemaNode type) {
    List<Node> kept = new ArrayList<>(items.size());
    for (Node item : items) {
      // in a list, the element with "replace" only carries the word
      boolean marker = item instanceof MapNode map && action(map) == Action.REPLACE;
      Node clean = marker ? null : cleaned(item, type);
      if (clean != null) {
        kept.add(clean);
      }
    }
    return kept;
  }

  /** The members of {@code map} without directives and nulls. */
  static MapNode content(MapNode map, @Nullable SchemaNode type) {
    MapNode.Builder kept = MapNode.builder(map.size());
    map.forEach(
        (key, value) -> {
          Node clean =
              value == Null.NULL || isDirective(key) ? null : cleaned(value, member(type, key));
          if (clean != null) {
            kept.put(key, clean);
          }
        });
    return kept.build();
  }

  private static boolean isDirective(String key) {
    return key.startsWith("$")
        && (key.equals(PATCH)
            || key.equals(RETAIN_KEYS)
            || key.startsWith(ORDER)
            || key.startsWith(DELETE_FROM_LIST));
  }

  private static @Nullable SchemaNode member(@Nullable SchemaNode type, String key) {
    return switch (type) {
      case StructSchema struct -> {
        Field field = struct.field(key);
        yield field == null ? null : field.type();
      }
      case SchemaNode.MapOf map -> map.value();
      case null, default -> null;
    };
  }
}
