package dev.keelson.schema.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.value.GoQuote;
import dev.keelson.value.IpAddress;
import dev.keelson.work.Turn;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One value of an object under validation, present or not, with its field path and the causes that
 * it reports to. Checks return the value itself and pass over an absent value, so that they can be
 * chained; the path is built for a cause only.
 *
 * <p>Absent and zero are one for Kubernetes' plain fields: {@link #text()} and {@link #number()}
 * return the zero value, {@link #filled()} asks for more. {@link #present()} is for pointers.
 */
public final class Value extends FieldPath implements Iterable<Value> {

  /** The rules that a schema declares, for values that apply them in Kubernetes' order. */
  interface Declared {

    /** Applies the rules to the struct at {@code value} and all below it. */
    void below(Value value, StructSchema schema);

    /** Applies the rules to these fields alone, in this order. */
    void fields(Value value, StructSchema schema, String... names);
  }

  private final @Nullable Node node;
  private final @Nullable Declared declared;

  private Value(FieldPath path, @Nullable Node node, @Nullable Declared declared) {
    super(path);
    // null stands in a typed field for a pointer that is not set
    this.node = node == Node.Null.NULL ? null : node;
    this.declared = declared;
  }

  private Value(
      Value parent, @Nullable String name, boolean isKey, int index, @Nullable Node node) {
    super(parent, name, isKey, index);
    Turn.pass();
    this.node = node == Node.Null.NULL ? null : node;
    this.declared = parent.declared;
  }

  private Value(Value same, String name) {
    super(same, name);
    this.node = same.node;
    this.declared = same.declared;
  }

  private Value(MapNode object, Causes causes, StructSchema schema, @Nullable Declared declared) {
    super(causes, schema);
    this.node = object;
    this.declared = declared;
  }

  /**
   * The root of an object.
   *
   * @param declared the rules that {@link #declared()} applies, null if all of them are applied
   *     beforehand
   */
  static Value root(
      MapNode object, Causes causes, StructSchema schema, @Nullable Declared declared) {
    return new Value(object, causes, schema, declared);
  }

  /** The root of an object whose declared rules are applied beforehand. */
  public static Value root(MapNode object, Causes causes, StructSchema schema) {
    return root(object, causes, schema, null);
  }

  // navigation

  /** The field {@code name}. */
  public Value get(String name) {
    return new Value(this, name, false, 0, node instanceof MapNode m ? m.get(name) : null);
  }

  /** The field at the end of {@code names}. */
  public Value get(String first, String... names) {
    Value value = get(first);
    for (String each : names) {
      value = value.get(each);
    }
    return value;
  }

  /** The entry {@code key} of a map, whose path is {@code map[key]}. */
  public Value key(String key) {
    return new Value(this, key, true, 0, node instanceof MapNode m ? m.get(key) : null);
  }

  /** The element at {@code index} of a list. */
  public Value at(int index) {
    Node element =
        node instanceof Node.Items i && index < i.values().size() ? i.values().get(index) : null;
    return new Value(this, null, false, index, element);
  }

  /** Another value at the same path. */
  public Value holding(@Nullable Node other) {
    return new Value(this, other, declared);
  }

  /** The same value as the field {@code name} of the same parent, for a cause that names that. */
  public Value renamed(String name) {
    return new Value(this, name);
  }

  /** An absent string as the empty one. */
  public Value orEmpty() {
    return present() ? this : holding(Node.text(""));
  }

  /** An absent number as zero. */
  public Value orZero() {
    return present() ? this : holding(new Node.Int(0));
  }

  /** Whether the field is set: a pointer that is not nil. */
  public boolean present() {
    return node != null;
  }

  /** Whether the field is not set. */
  public boolean absent() {
    return node == null;
  }

  /** Neither absent nor zero, empty or false. */
  public boolean filled() {
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

  /** The tree below, null if absent. */
  public @Nullable Node node() {
    return node;
  }

  /** The fields or entries, empty for anything else. */
  public MapNode map() {
    return node instanceof MapNode map ? map : MapNode.EMPTY;
  }

  /** The string, empty for anything else. */
  public String text() {
    return node instanceof Node.Text text ? text.value() : "";
  }

  /** Whether the string is {@code text}; an absent one is empty. */
  public boolean is(String text) {
    return text().equals(text);
  }

  /** The integer, zero for anything else. */
  public long number() {
    return node instanceof Node.Int number ? number.value() : 0;
  }

  /** The boolean, false for anything else. */
  public boolean flag() {
    return node == Node.Bool.TRUE;
  }

  /** Whether an integer is present. */
  public boolean isNumber() {
    return node instanceof Node.Int;
  }

  /** Whether a string is present. */
  public boolean isText() {
    return node instanceof Node.Text;
  }

  /** The number of elements or entries. */
  public int size() {
    return node instanceof Node.Items items ? items.values().size() : map().size();
  }

  /** The elements of a list, empty for anything else. */
  public List<Node> items() {
    return node instanceof Node.Items items ? items.values() : List.of();
  }

  /** Whether a list contains the string {@code text}. */
  public boolean contains(String text) {
    for (Node item : items()) {
      if (item instanceof Node.Text found && found.value().equals(text)) {
        return true;
      }
    }
    return false;
  }

  /** Whether both are equal or both absent. */
  public boolean sameAs(Value other) {
    return Objects.equals(node, other.node);
  }

  /** The values of {@code field} in all elements of this list. */
  public ValueSet valuesOf(String field) {
    ValueSet values = new ValueSet();
    for (Value each : this) {
      values.add(each.get(field).node);
    }
    return values;
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

  /** The value as causes show it; empty if no cause is told any more. */
  private String shown() {
    if (full()) {
      return "";
    }
    SchemaNode type = node instanceof MapNode || node instanceof Node.Items ? type() : null;
    return type == null || node == null ? BadValue.of(node) : InternalVersion.of(node, type);
  }

  /** The unified diff from {@code old} to {@code now}, two values of the struct declared here. */
  public String difference(MapNode now, MapNode old) {
    StructSchema struct = struct();
    return UnifiedDiff.of(InternalVersion.lines(old, struct), InternalVersion.lines(now, struct));
  }

  // causes

  /** Reports that the value is invalid, without a detail. */
  public void invalid() {
    add("FieldValueInvalid", "Invalid value: " + shown());
  }

  /** Reports that the value is invalid; a detail of several lines becomes several causes. */
  public void invalid(String detail) {
    invalidText(shown(), detail);
  }

  private void invalidText(String shown, String detail) {
    for (String line : detail.split("\n", -1)) {
      add("FieldValueInvalid", FieldErrors.invalid(shown, line));
    }
  }

  /** Reports {@code shown} as the invalid value, in place of the value itself. */
  public void invalid(String shown, String detail) {
    invalidText(GoQuote.quote(shown), detail);
  }

  /** Reports that this value is invalid, at the path of {@code place}. */
  public void invalidAt(Value place, String detail) {
    place.invalidText(shown(), detail);
  }

  /** Reports a duplicate, and what must be unique, at the path of {@code place}. */
  public void duplicateAt(Value place, String detail) {
    place.add("FieldValueDuplicate", FieldErrors.duplicate(shown(), detail));
  }

  /** Reports a duplicate. */
  public void duplicate() {
    add("FieldValueDuplicate", FieldErrors.duplicate(shown(), ""));
  }

  /** Reports that what the value names does not exist. */
  public void notFound() {
    add("FieldValueNotFound", FieldErrors.notFound(shown(), ""));
  }

  /** Reports that the list has more than {@code most} items. */
  public void tooMany(int most) {
    add("FieldValueTooMany", FieldErrors.tooMany(size(), most));
  }

  /** Reports that {@code shown} is not supported; the known values are sorted. */
  public void unsupportedText(String shown, String... known) {
    holding(Node.text(shown)).unsupported(known);
  }

  /** Reports that the value is not supported; the known values are sorted. */
  public void unsupported(String... known) {
    unsupported(FieldErrors.sorted(known));
  }

  /** Reports that the value is not supported; the known values come as given. */
  public void unsupportedInOrder(String... known) {
    unsupported(List.of(known));
  }

  private void unsupported(List<String> known) {
    String shown = node == null ? "\"\"" : shown();
    add("FieldValueNotSupported", FieldErrors.unsupported(shown, known));
  }

  // declared rules

  /** Whether this pass applies the declared rules in Kubernetes' order. */
  boolean inOrder() {
    return declared != null;
  }

  /**
   * Applies the declared rules to the struct here and all below it. Kubernetes has their causes
   * among those of the kind's own rules. Does nothing if they were all applied beforehand.
   */
  public Value declared() {
    if (declared != null && node instanceof MapNode) {
      declared.below(this, struct());
    }
    return this;
  }

  /** Applies the declared rules to these fields alone, and to nothing below them. */
  public Value declared(String... fields) {
    if (declared != null) {
      declared.fields(this, struct(), fields);
    }
    return this;
  }

  // checks that can be chained

  /** Requires a value that is neither absent nor zero. */
  public Value needed() {
    return needed("");
  }

  /** Requires a value that is neither absent nor zero. */
  public Value needed(String detail) {
    if (!filled()) {
      required(detail);
    }
    return this;
  }

  /** Requires an object, list or pointer, which may be empty. */
  public Value existing(String detail) {
    if (node == null) {
      required(detail);
    }
    return this;
  }

  /** Checks a string that is not empty; {@code format} returns the problem, or an empty string. */
  public Value as(UnaryOperator<String> format) {
    if (node instanceof Node.Text text && !text.value().isEmpty()) {
      problem(format.apply(text.value()));
    }
    return this;
  }

  private void problem(String problem) {
    if (!problem.isEmpty()) {
      invalid(problem);
    }
  }

  /** Requires a present string to be an IP address, in any form if it is stored already. */
  public Value ip() {
    if (node instanceof Node.Text text) {
      String problem = Formats.IP.apply(text.value());
      problem(
          IpAddress.tryParse(text.value()).isPresent() && isStored(text.value()) ? "" : problem);
    }
    return this;
  }

  /** Requires a present string to be a network, in any form if it is stored already. */
  public Value cidr() {
    if (node instanceof Node.Text text) {
      String problem = Formats.CIDR.apply(text.value());
      problem(Formats.isCidr(text.value()) && isStored(text.value()) ? "" : problem);
    }
    return this;
  }

  /** Requires a DNS label (RFC 1123). */
  public Value dnsLabel() {
    return as(Formats.DNS_LABEL);
  }

  /** Requires a DNS subdomain (RFC 1123). */
  public Value dnsSubdomain() {
    return as(Formats.DNS_SUBDOMAIN);
  }

  /** Requires a qualified name: a name with an optional DNS subdomain as prefix. */
  public Value qualifiedName() {
    return as(Formats.QUALIFIED_NAME);
  }

  /** Requires one of {@code known}, unless absent or empty. */
  public Value oneOf(String... known) {
    if (filled() && !List.of(known).contains(text())) {
      unsupported(known);
    }
    return this;
  }

  /** Requires a present number to be in a range that includes its ends. */
  public Value range(long low, long high) {
    if (node instanceof Node.Int number && (number.value() < low || number.value() > high)) {
      invalid("must be between " + low + " and " + high + ", inclusive");
    }
    return this;
  }

  /** Requires a present number to be 0 or more. */
  public Value nonNegative() {
    if (node instanceof Node.Int number && number.value() < 0) {
      invalid("must be greater than or equal to 0");
    }
    return this;
  }

  /** Requires a present number to be 1 or more. */
  public Value positive() {
    if (node instanceof Node.Int number && number.value() <= 0) {
      invalid("must be greater than 0");
    }
    return this;
  }

  /** Requires a present number to be a port. */
  public Value port() {
    return range(1, 65535);
  }

  /** Requires the value to be as in {@code old}. */
  public Value immutable(Value old) {
    return unchanged(old, "field is immutable");
  }

  /** Requires the value to be as in {@code old}, and reports {@code detail} otherwise. */
  public Value unchanged(Value old, String detail) {
    if (!sameAs(old)) {
      invalid(detail);
    }
    return this;
  }

  /** Requires {@code field} to differ in all elements that have it. */
  public Value uniqueBy(String field) {
    ValueSet values = new ValueSet();
    for (Value each : this) {
      Value mine = each.get(field);
      if (mine.filled() && !values.add(mine.node)) {
        mine.duplicate();
      }
    }
    return this;
  }

  /** Requires all elements to differ. */
  public Value unique() {
    ValueSet values = new ValueSet();
    List<Node> items = items();
    for (int i = 0; i < items.size(); i++) {
      if (!values.add(items.get(i))) {
        at(i).duplicate();
      }
    }
    return this;
  }
}
