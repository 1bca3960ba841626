package dev.keelson.server;

import com.google.gson.Gson;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.testing.SmallestObjects;
import dev.keelson.testing.TreeJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Objects with one list, map or string of any size, for every such field of the built-in types. */
final class WriteInputs {

  /** How the elements of a list differ. */
  enum Fill {
    /** All are the same empty value. */
    ALIKE,
    /** Each has a key or value of its own. */
    DISTINCT
  }

  /**
   * A field that can be of any size.
   *
   * @param path the steps to it; {@code []} is the first element of a list
   */
  record Growing(ResourceDefinition definition, List<String> path, SchemaNode type) {

    Growing {
      path = List.copyOf(path);
    }

    boolean isText() {
      return type instanceof Scalar;
    }

    /** The smallest object of the type whose field has {@code size} elements or characters. */
    MapNode object(String name, int size, Fill fill) {
      MapNode base =
          (MapNode)
              TreeJson.read(
                  new Gson()
                      .toJson(SmallestObjects.of(definition, "default", name, 0))
                      .getBytes(StandardCharsets.UTF_8));
      return (MapNode) set(base, path, content(type, size, fill));
    }

    @Override
    public String toString() {
      return definition.gvr() + " " + String.join(".", path);
    }
  }

  private WriteInputs() {}

  /** An object all of whose lists and maps have {@code size} elements. */
  static MapNode everything(List<Growing> fields, String name, int size, Fill fill) {
    Growing first = fields.getFirst();
    Node object = first.object(name, 0, fill);
    for (Growing field : fields) {
      if (!field.isText()) {
        object =
            set(
                object,
                field.path(),
                merged(at(object, field.path()), content(field.type(), size, fill)));
      }
    }
    return (MapNode) object;
  }

  private static @Nullable Node at(@Nullable Node node, List<String> path) {
    @Nullable Node at = node;
    for (String step : path) {
      at =
          at instanceof MapNode map
              ? map.get(step)
              : at instanceof Items items && !items.values().isEmpty()
                  ? items.values().getFirst()
                  : null;
    }
    return at;
  }

  /** The first element of a list may have lists of its own. */
  private static Node merged(@Nullable Node known, Node grown) {
    if (known instanceof Items old
        && !old.values().isEmpty()
        && grown instanceof Items items
        && !items.values().isEmpty()) {
      List<Node> all = new ArrayList<>(items.values());
      all.set(0, old.values().getFirst());
      return new Items(all);
    }
    return grown;
  }

  /** Each field of a struct once, though several types may have it. */
  static List<Growing> all() {
    List<Growing> all = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (ResourceDefinition definition : SmallestObjects.resources()) {
      walk(definition, definition.schema(), new ArrayList<>(), known, all);
    }
    return all;
  }

  private static void walk(
      ResourceDefinition definition,
      StructSchema struct,
      List<String> path,
      Set<String> known,
      List<Growing> all) {
    for (Field field : struct.fields()) {
      if (!known.add(struct.name() + "." + field.name())) {
        continue;
      }
      path.add(field.name());
      SchemaNode type = field.type();
      if (type instanceof ListOf || type instanceof MapOf || type == Scalar.STRING) {
        all.add(new Growing(definition, path, type));
      }
      switch (type) {
        case StructSchema below -> walk(definition, below, path, known, all);
        case ListOf list when list.element() instanceof StructSchema element -> {
          path.add("[]");
          walk(definition, element, path, known, all);
          path.removeLast();
        }
        default -> {}
      }
      path.removeLast();
    }
  }

  private static Node set(@Nullable Node at, List<String> path, Node value) {
    if (path.isEmpty()) {
      return value;
    }
    List<String> rest = path.subList(1, path.size());
    if (path.getFirst().equals("[]")) {
      Node first =
          at instanceof Items items && !items.values().isEmpty() ? items.values().getFirst() : null;
      return new Items(List.of(set(first, rest, value)));
    }
    MapNode map = at instanceof MapNode known ? known : MapNode.EMPTY;
    return map.with(path.getFirst(), set(map.get(path.getFirst()), rest, value));
  }

  private static Node content(SchemaNode type, int size, Fill fill) {
    if (type instanceof Scalar) {
      return Node.text("a".repeat(size));
    }
    if (type instanceof MapOf map) {
      MapNode.Builder entries = MapNode.builder(size);
      for (int i = 0; i < size; i++) {
        entries.put("k" + i, element(map.value(), i, fill, List.of()));
      }
      return entries.build();
    }
    ListOf list = (ListOf) type;
    List<Node> items = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      items.add(element(list.element(), i, fill, list.mapKeys()));
    }
    return new Items(items);
  }

  private static Node element(SchemaNode type, int i, Fill fill, List<String> keys) {
    int number = fill == Fill.ALIKE ? 0 : i;
    return switch (type) {
      case Scalar scalar ->
          switch (scalar) {
            case INT32, INT64, UINT32, UINT64, DOUBLE, INT_OR_STRING -> new Node.Int(number);
            case BOOL -> Node.Bool.FALSE;
            case BYTES -> Node.text("");
            case QUANTITY -> Node.text(Integer.toString(number));
            case DURATION -> Node.text(number + "s");
            case TIME, MICRO_TIME -> Node.text("2020-01-01T00:00:00Z");
            case STRING -> Node.text(fill == Fill.ALIKE ? "" : "v" + number);
          };
      case ListOf _ -> Items.EMPTY;
      case StructSchema struct when fill == Fill.DISTINCT -> {
        MapNode item = MapNode.EMPTY;
        for (Field field : struct.fields()) {
          boolean names =
              keys.contains(field.name()) || Set.of("name", "key").contains(field.name());
          if (names && field.type() instanceof Scalar) {
            item = item.with(field.name(), element(field.type(), i, fill, List.of()));
          }
        }
        yield item;
      }
      default -> MapNode.EMPTY;
    };
  }
}
