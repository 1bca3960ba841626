package dev.keelson.schema.validation;

import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import dev.keelson.schema.Field;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.StructSchema;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One value of an object under validation, present or not, that knows where it stands and where
 * complaints go. The checks return the value itself and pass over what is absent, so that they can
 * be chained; the path is put together only for a complaint.
 *
 * <p>Absent and zero are one for Kubernetes' plain fields: {@link #text()} and {@link #number()}
 * give the zero value, {@link #filled()} asks for more. {@link #present()} asks for pointers.
 */
final class Value implements Iterable<Value> {

  /** Values that Kubernetes shows in an order of its own; all others it sorts. */
  private static final String[][] UNSORTED = {
    {"Always", "OnFailure", "Never"},
    {"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"},
    {"PreemptLowerPriority", "Never"},
    {"NoSchedule", "PreferNoSchedule", "NoExecute"},
    {"File", "FallbackToLogsOnError"},
    {"nil", "false"}
  };

  private final @Nullable Value parent;
  private final @Nullable String name;
  private final boolean isKey;
  private final int index;
  private final @Nullable Node node;
  private final Causes causes;

  private Value(
      @Nullable Value parent,
      @Nullable String name,
      boolean isKey,
      int index,
      @Nullable Node node,
      Causes causes) {
    this.parent = parent;
    this.name = name;
    this.isKey = isKey;
    this.index = index;
    // null stands in a typed field for a pointer that is not set
    this.node = node == Node.Null.NULL ? null : node;
    this.causes = causes;
  }

  /** The top of an object. */
  static Value root(MapNode object, Causes causes) {
    return new Value(null, null, false, 0, object, causes);
  }

  /** The field {@code name}. */
  Value get(String name) {
    return new Value(this, name, false, 0, node instanceof MapNode m ? m.get(name) : null, causes);
  }

  /** The field at the end of {@code names}. */
  Value get(String first, String... names) {
    Value value = get(first);
    for (String each : names) {
      value = value.get(each);
    }
    return value;
  }

  /** The entry {@code key} of a map, whose path is {@code map[key]}. */
  Value key(String key) {
    return new Value(this, key, true, 0, node instanceof MapNode m ? m.get(key) : null, causes);
  }

  /** The element at {@code index} of a list. */
  Value at(int index) {
    Node element =
        node instanceof Node.Items i && index < i.values().size() ? i.values().get(index) : null;
    return new Value(this, null, false, index, element, causes);
  }

  /** The field {@code name} of the object that this is a field of; only for fields. */
  Value sibling(String name) {
    return Objects.requireNonNull(parent).get(name);
  }

  /** The same place with another value. */
  Value holding(@Nullable Node other) {
    return new Value(parent, name, isKey, index, other, causes);
  }

  /** How much is wrong with the whole object as far as it has been looked at. */
  int complaints() {
    return causes.count();
  }

  boolean present() {
    return node != null;
  }

  boolean absent() {
    return node == null;
  }

  /** Neither absent nor zero, empty or false. */
  boolean filled() {
    return switch (node) {
      case null -> false;
      case Node.Text text -> !text.value().isEmpty();
      case Node.Int number -> number.value() != 0;
      case Node.Decimal _ -> true;
      case Node.Bool bool -> bool.value();
      case Node.Null _ -> false;
      case Node.Items items -> !items.values().isEmpty();
      case MapNode map -> !map.isEmpty();
    };
  }

  @Nullable Node node() {
    return node;
  }

  MapNode map() {
    return node instanceof MapNode map ? map : MapNode.EMPTY;
  }

  String text() {
    return node instanceof Node.Text text ? text.value() : "";
  }

  boolean is(String text) {
    return text().equals(text);
  }

  long number() {
    return node instanceof Node.Int number ? number.value() : 0;
  }

  boolean flag() {
    return node == Node.Bool.TRUE;
  }

  boolean isNumber() {
    return node instanceof Node.Int;
  }

  boolean isText() {
    return node instanceof Node.Text;
  }

  int size() {
    return node instanceof Node.Items items ? items.values().size() : map().size();
  }

  /** The texts of a list. */
  List<Node> items() {
    return node instanceof Node.Items items ? items.values() : List.of();
  }

  boolean contains(String text) {
    for (Node item : items()) {
      if (item instanceof Node.Text found && found.value().equals(text)) {
        return true;
      }
    }
    return false;
  }

  boolean sameAs(Value other) {
    return Objects.equals(node, other.node);
  }

  /** The elements of a list, or the entries of a map. */
  @Override
  public Iterator<Value> iterator() {
    int size = size();
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < size;
      }

      @Override
      public Value next() {
        return node instanceof MapNode map ? key(map.keyAt(next++)) : at(next++);
      }
    };
  }

  /** The name of the field or the key of the entry that this is. */
  String name() {
    return name == null ? "" : name;
  }

  /** The path as messages have it. */
  String path() {
    StringBuilder text = new StringBuilder();
    appendPath(text);
    return text.toString();
  }

  private void appendPath(StringBuilder text) {
    if (parent == null) {
      return;
    }
    parent.appendPath(text);
    if (name == null) {
      text.append('[').append(index).append(']');
    } else if (isKey) {
      text.append('[').append(name).append(']');
    } else {
      text.append(text.isEmpty() ? "" : ".").append(name);
    }
  }

  /** The struct that the schema says stands here; only where it does. */
  StructSchema struct() {
    if (type() instanceof StructSchema struct) {
      return struct;
    }
    throw new IllegalStateException("the schema has no struct at " + path());
  }

  /** What the schema says of this place; null where the path is not one of its own. */
  private @Nullable SchemaNode type() {
    if (parent == null) {
      return causes.schema();
    }
    SchemaNode above = parent.type();
    return switch (above) {
      case StructSchema struct when name != null -> {
        Field field = struct.field(name);
        yield field == null ? null : field.type();
      }
      case SchemaNode.MapOf map when name != null -> map.value();
      case SchemaNode.ListOf list when name == null -> list.element();
      case null, default -> null;
    };
  }

  private String shown() {
    SchemaNode type = node instanceof MapNode || node instanceof Node.Items ? type() : null;
    return type == null || node == null ? Shown.of(node) : InternalForm.of(node, type);
  }

  // complaints

  void required() {
    required("");
  }

  void required(String detail) {
    add("FieldValueRequired", detail.isEmpty() ? "Required value" : "Required value: " + detail);
  }

  /** There is nothing to say of it but that it is invalid. */
  void invalid() {
    add("FieldValueInvalid", "Invalid value: " + shown());
  }

  /**
   * The value breaks a rule; a detail of several lines, as formats give them, is several causes.
   */
  void invalid(String detail) {
    invalidText(shown(), detail);
  }

  private void invalidText(String shown, String detail) {
    int from = 0;
    for (int end = detail.indexOf('\n'); end >= 0; end = detail.indexOf('\n', from)) {
      add("FieldValueInvalid", "Invalid value: " + shown + ": " + detail.substring(from, end));
      from = end + 1;
    }
    add("FieldValueInvalid", "Invalid value: " + shown + ": " + detail.substring(from));
  }

  /** The value that the message shows differs from what stands here. */
  void invalid(String shown, String detail) {
    invalidText(Shown.quoted(shown), detail);
  }

  /** The message does not show the value. */
  void wrong(String detail) {
    add("FieldValueInvalid", "Invalid value: " + detail);
  }

  /** Complains of this value where {@code place} stands. */
  void invalidAt(Value place, String detail) {
    place.invalidText(shown(), detail);
  }

  /** The message shows the path of another value, which Go writes as an empty object. */
  void invalidPath(String detail) {
    add("FieldValueInvalid", "Invalid value: {}: " + detail);
  }

  void forbidden(String detail) {
    add("FieldValueForbidden", "Forbidden: " + detail);
  }

  void duplicate() {
    add("FieldValueDuplicate", "Duplicate value: " + shown());
  }

  void duplicateBecause(String detail) {
    add("FieldValueDuplicate", "Duplicate value: " + shown() + ": " + detail);
  }

  void duplicate(String shown) {
    add("FieldValueDuplicate", "Duplicate value: " + Shown.quoted(shown));
  }

  void notFound(String shown, String detail) {
    add("FieldValueNotFound", "Not found: " + Shown.quoted(shown) + ": " + detail);
  }

  void notFound() {
    add("FieldValueNotFound", "Not found: " + shown());
  }

  void tooLong(int bytes) {
    add("FieldValueTooLong", "Too long: may not be more than " + bytes + " bytes");
  }

  void tooMany(int most) {
    add("FieldValueTooMany", "Too many: " + size() + ": must have at most " + most + " items");
  }

  /** Another value than the one that stands here is none of the known ones. */
  void unsupportedText(String shown, String... known) {
    holding(Node.text(shown)).unsupported(known);
  }

  /** The value is none of the known ones, which are shown in order. */
  void unsupported(String... known) {
    String[] sorted = known.clone();
    Arrays.sort(sorted);
    for (String[] order : UNSORTED) {
      if (order.length == sorted.length && Arrays.asList(order).containsAll(List.of(sorted))) {
        sorted = order;
      }
    }
    unsupportedInOrder(sorted);
  }

  /** The value is none of the known ones, which are shown as they stand. */
  void unsupportedInOrder(String... known) {
    StringBuilder text = new StringBuilder("Unsupported value: ");
    text.append(node == null ? "\"\"" : shown()).append(": supported values: ");
    for (int i = 0; i < known.length; i++) {
      text.append(i > 0 ? ", " : "").append(Shown.quoted(known[i]));
    }
    add("FieldValueNotSupported", text.toString());
  }

  /** Nothing is none of the known ones. */
  void unsupportedNull(String known) {
    add(
        "FieldValueNotSupported",
        "Unsupported value: null: supported values: " + Shown.quoted(known));
  }

  private void add(String reason, String message) {
    causes.add(reason, message, path());
  }

  /** Whether the rules that the schema declares are asked for where they belong. */
  boolean inOrder() {
    return causes.inOrder() != null;
  }

  /**
   * Complains about what breaks the rules that the schema declares for the struct that stands here,
   * and all below it. Kubernetes has these complaints among those of the type's own rules; the
   * rules of a type ask for them where they belong. Nothing happens if they were all made before.
   */
  Value declared() {
    SchemaRules rules = causes.inOrder();
    if (rules != null && node instanceof MapNode) {
      rules.below(this, struct());
    }
    return this;
  }

  /** As {@link #declared()}, of these fields alone and nothing below them. */
  Value declared(String... fields) {
    SchemaRules rules = causes.inOrder();
    if (rules != null) {
      rules.fields(this, struct(), fields);
    }
    return this;
  }

  // checks that can be chained

  /** Complains if absent or zero. */
  Value needed() {
    return needed("");
  }

  Value needed(String detail) {
    if (!filled()) {
      required(detail);
    }
    return this;
  }

  /** Complains if there is no object, list or pointer at all. */
  Value existing(String detail) {
    if (node == null) {
      required(detail);
    }
    return this;
  }

  /** Complains about a set value that {@code format} finds a problem with. */
  Value as(UnaryOperator<String> format) {
    if (node instanceof Node.Text text && !text.value().isEmpty()) {
      String problem = format.apply(text.value());
      if (!problem.isEmpty()) {
        invalid(problem);
      }
    }
    return this;
  }

  /** Complains about a present text that is no address. */
  Value ip() {
    if (node instanceof Node.Text text) {
      String problem = Formats.IP.apply(text.value());
      if (!problem.isEmpty()) {
        invalid(problem);
      }
    }
    return this;
  }

  Value dnsLabel() {
    return as(Formats.DNS_LABEL);
  }

  Value dnsSubdomain() {
    return as(Formats.DNS_SUBDOMAIN);
  }

  Value qualifiedName() {
    return as(Formats.QUALIFIED_NAME);
  }

  /** Complains about a set value that is none of {@code known}. */
  Value oneOf(String... known) {
    if (!filled()) {
      return this;
    }
    String text = text();
    for (String each : known) {
      if (each.equals(text)) {
        return this;
      }
    }
    unsupported(known);
    return this;
  }

  /** Complains about a present number outside of a range that includes its ends. */
  Value range(long low, long high) {
    if (node instanceof Node.Int number && (number.value() < low || number.value() > high)) {
      invalid("must be between " + low + " and " + high + ", inclusive");
    }
    return this;
  }

  /** A number from 0. */
  Value notNegative() {
    if (node instanceof Node.Int number && number.value() < 0) {
      invalid("must be greater than or equal to 0");
    }
    return this;
  }

  /** A present number from 1. */
  Value positive() {
    if (node instanceof Node.Int number && number.value() <= 0) {
      invalid("must be greater than 0");
    }
    return this;
  }

  /** A port number, if set. */
  Value port() {
    return range(1, 65535);
  }

  Value immutable(Value old) {
    return unchanged(old, "field is immutable");
  }

  Value unchanged(Value old, String detail) {
    if (!sameAs(old)) {
      invalid(detail);
    }
    return this;
  }

  /** Complains at {@code field} of each element that an earlier element has with the same value. */
  Value uniqueBy(String field) {
    Seen seen = new Seen();
    int size = size();
    for (int i = 0; i < size; i++) {
      Value mine = at(i).get(field);
      if (mine.filled() && !seen.add(mine.node)) {
        mine.duplicate();
      }
    }
    return this;
  }

  /** Complains at each element that stands before. */
  Value unique() {
    Seen seen = new Seen();
    List<Node> items = items();
    for (int i = 0; i < items.size(); i++) {
      if (!seen.add(items.get(i))) {
        at(i).duplicate();
      }
    }
    return this;
  }
}
