package dev.keelson.schema.patch;

import dev.keelson.object.GoText;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.work.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON Patch (RFC 6902): a list of operations, all of which succeed or none counts.
 *
 * <p>It follows the library that kube-apiserver uses (evanphx/json-patch v4) where that goes beyond
 * the RFC: an index below zero counts from the end, {@code replace} sets a member that was not
 * there, a member that is not there reads as null, and an operation without {@code value} means
 * null. Numbers are equal if they are written alike.
 */
public final class JsonPatch implements Patch {

  /** The most operations of one patch (source: kube-apiserver's patch handler). */
  public static final int MAX_OPERATIONS = 10_000;

  private static final Set<String> FIELDS = Set.of("op", "path", "from", "value");

  private final List<Operation> operations;
  private final List<String> unknownFields;

  private JsonPatch(List<Operation> operations, List<String> unknownFields) {
    this.operations = List.copyOf(operations);
    this.unknownFields = List.copyOf(unknownFields);
  }

  private record Operation(
      String op, @Nullable String path, @Nullable String from, @Nullable Node value) {

    /** What is written; without a value that is null. */
    Node written() {
      return value == null ? Null.NULL : value;
    }
  }

  /**
   * The patch that {@code document} is.
   *
   * @throws PatchException if it is no list of operations, or too long a one
   */
  public static JsonPatch of(Node document) {
    if (document == Null.NULL) {
      return new JsonPatch(List.of(), List.of());
    }
    if (!(document instanceof Node.Items items)) {
      throw cannotDecode(document, "value of type []handlers.jsonPatchOp");
    }
    int count = items.values().size();
    if (count > MAX_OPERATIONS) {
      throw PatchException.tooLarge(
          "The allowed maximum operations in a JSON patch is " + MAX_OPERATIONS + ", got " + count);
    }
    List<Operation> operations = new ArrayList<>(count);
    List<String> unknown = new ArrayList<>();
    for (Node item : items.values()) {
      if (!(item instanceof MapNode map)) {
        throw cannotDecode(item, "value of type handlers.jsonPatchOp");
      }
      for (String key : map.keys()) {
        if (!FIELDS.contains(key)) {
          unknown.add("unknown field \"[" + operations.size() + "]." + key + "\"");
        }
      }
      String op = text(map, "op");
      operations.add(
          new Operation(
              op == null ? "unknown" : op, text(map, "path"), text(map, "from"), map.get("value")));
    }
    return new JsonPatch(operations, unknown);
  }

  private static @Nullable String text(MapNode operation, String field) {
    Node value = operation.get(field);
    if (value == null || value == Null.NULL) {
      return null;
    }
    if (!(value instanceof Node.Text text)) {
      throw cannotDecode(value, "struct field jsonPatchOp." + field + " of type string");
    }
    return text.value();
  }

  private static PatchException cannotDecode(Node node, String into) {
    return PatchException.malformed(
        "error decoding patch: json: cannot unmarshal "
            + GoText.jsonType(node)
            + " into Go "
            + into);
  }

  /**
   * The members of operations that mean nothing, each as {@code unknown field "[0].foo"}, in order.
   */
  public List<String> unknownFields() {
    return unknownFields;
  }

  @Override
  public Node apply(MapNode target) {
    WorkTree tree = new WorkTree(target);
    for (Operation operation : operations) {
      Turn.pass();
      switch (operation.op()) {
        case "add" -> add(tree, operation);
        case "remove" -> remove(tree, operation);
        case "replace" -> replace(tree, operation);
        case "move" -> move(tree, operation);
        case "copy" -> copy(tree, operation);
        case "test" -> test(tree, operation);
        default -> throw PatchException.unfit("Unexpected kind: " + operation.op());
      }
    }
    return tree.freeze();
  }

  private static void add(WorkTree tree, Operation operation) {
    String path = path(operation);
    WorkTree.Place place = tree.find(path);
    if (place == null) {
      throw missing("add operation does not apply: doc is missing path: \"" + path + "\"");
    }
    check(place.addProblem(), "error in add for path: '" + path + "'");
    place.add(operation.written());
  }

  private static void remove(WorkTree tree, Operation operation) {
    String path = path(operation);
    WorkTree.Place place = tree.find(path);
    if (place == null) {
      throw missing("remove operation does not apply: doc is missing path: \"" + path + "\"");
    }
    check(place.removeProblem(), "error in remove for path: '" + path + "'");
    place.remove();
  }

  private static void replace(WorkTree tree, Operation operation) {
    String path = path(operation);
    if (path.isEmpty()) {
      tree.replaceRoot(operation.written());
      return;
    }
    WorkTree.Place place = tree.find(path);
    if (place == null) {
      throw missing("replace operation does not apply: doc is missing path: " + path);
    }
    if (!place.readProblem().isEmpty()) {
      throw missing("replace operation does not apply: doc is missing key: " + path);
    }
    place.set(operation.written());
  }

  private static void move(WorkTree tree, Operation operation) {
    String from = from(operation);
    WorkTree.Place source = tree.find(from);
    if (source == null) {
      throw missing("move operation does not apply: doc is missing from path: " + from);
    }
    check(source.removeProblem(), "error in move for path: '" + source.key() + "'");
    Object value = source.remove();
    String path = path(operation);
    WorkTree.Place place = tree.find(path);
    if (place == null) {
      throw missing("move operation does not apply: doc is missing destination path: " + path);
    }
    check(place.addProblem(), "error in move for path: '" + path + "'");
    place.add(value);
  }

  private static void copy(WorkTree tree, Operation operation) {
    String from = from(operation);
    WorkTree.Place source = tree.find(from);
    if (source == null) {
      throw missing("copy operation does not apply: doc is missing from path: " + from);
    }
    check(source.readProblem(), "error in copy for from: '" + from + "'");
    Node value = tree.copyOf(source.read());
    String path = path(operation);
    WorkTree.Place place = tree.find(path);
    if (place == null) {
      throw missing("copy operation does not apply: doc is missing destination path: " + path);
    }
    check(place.addProblem(), "error while adding value during copy");
    place.add(value);
  }

  private static void test(WorkTree tree, Operation operation) {
    String path = path(operation);
    boolean equal;
    if (path.isEmpty()) {
      equal = tree.rootEquals(operation.written());
    } else {
      WorkTree.Place place = tree.find(path);
      if (place == null) {
        throw missing("test operation does not apply: is missing path: " + path);
      }
      check(place.readProblem(), "error in test for path: '" + path + "'");
      equal = WorkTree.equal(place.read(), operation.written());
    }
    if (!equal) {
      throw PatchException.unfit("testing value " + path + " failed: test failed");
    }
  }

  private static String path(Operation operation) {
    String path = operation.path();
    if (path == null) {
      boolean brief = operation.op().equals("add") || operation.op().equals("remove");
      throw missing(
          operation.op()
              + " operation failed to decode path"
              + (brief ? "" : ": operation missing path field"));
    }
    return path;
  }

  private static String from(Operation operation) {
    String from = operation.from();
    if (from == null) {
      throw missing(
          operation.op() + " operation failed to decode from: operation, missing from field");
    }
    return from;
  }

  private static PatchException missing(String what) {
    return PatchException.unfit(what + ": missing value");
  }

  private static void check(String problem, String what) {
    if (!problem.isEmpty()) {
      throw PatchException.unfit(what + ": " + problem);
    }
  }
}
