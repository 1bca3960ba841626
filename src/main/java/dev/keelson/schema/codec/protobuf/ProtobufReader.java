package dev.keelson.schema.codec.protobuf;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Decimal;
import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.object.Node.Text;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.SchemaNode.WireMessage;
import dev.keelson.schema.SchemaNode.WireMessage.Inlined;
import dev.keelson.schema.SchemaNode.WireMessage.Member;
import dev.keelson.schema.SchemaNode.WireMessage.Own;
import dev.keelson.schema.Unions;
import dev.keelson.schema.codec.json.JsonTokens;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.DoubleText;
import dev.keelson.schema.codec.tree.FieldPath;
import dev.keelson.schema.codec.tree.FreeJson;
import dev.keelson.schema.codec.tree.Slots;
import dev.keelson.schema.codec.tree.SortedEntries;
import dev.keelson.schema.codec.tree.Tokens;
import dev.keelson.schema.codec.tree.Tokens.Token;
import dev.keelson.schema.codec.tree.TreeBudget;
import dev.keelson.schema.codec.tree.TypedReader;
import dev.keelson.value.GoDuration;
import dev.keelson.value.Quantity;
import dev.keelson.value.Timestamp;
import dev.keelson.value.Timestamp.Precision;
import dev.keelson.value.ValueFormatException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one protobuf message into the same tree that {@link TypedReader} makes of the object's
 * JSON. Used once, by one thread.
 *
 * <p>It does what Kubernetes' generated decoders do: unknown fields are passed over, the last of
 * several scalars counts, messages that come in pieces are merged, elements may be packed.
 */
public final class ProtobufReader {

  /**
   * The deepest nesting of messages. A message adds at most two levels to the tree, a list or map
   * and an object, so that what is read here can be read again as JSON.
   */
  private static final int MAX_MESSAGES = 200;

  private final ProtobufInput in;
  private final FieldPath path = new FieldPath();
  private final TreeBudget budget;
  private int depth;

  private ProtobufReader(ProtobufInput in, TreeBudget budget) {
    this.in = in;
    this.budget = budget;
  }

  /**
   * The object whose message is {@code bytes} from {@code from} to before {@code to}.
   *
   * @throws DecodeException if it is no such message
   */
  public static MapNode object(byte[] bytes, int from, int to, StructSchema schema) {
    return object(bytes, from, to, schema, TreeBudget.unbounded());
  }

  /**
   * The object as {@link #object(byte[], int, int, StructSchema)} gives it, within a budget.
   *
   * @throws DecodeException if it is no such message, or beyond the budget
   */
  public static MapNode object(
      byte[] bytes, int from, int to, StructSchema schema, TreeBudget budget) {
    ProtobufReader reader = new ProtobufReader(new ProtobufInput(bytes, from, to), budget);
    Draft root = new Draft(schema);
    reader.fields(root, schema.wire());
    return root.toNode();
  }

  /**
   * A struct of which more may come: the pieces of a message need not stand together.
   *
   * <p>A slot holds a {@link Node}, or while it grows a Draft, a {@code List<Node>} or {@link
   * SortedEntries}.
   */
  private static final class Draft {
    private final StructSchema schema;
    private final @Nullable Object[] slots;

    Draft(StructSchema schema) {
      this.schema = schema;
      this.slots = new Object[schema.fields().size()];
    }

    Draft struct(int position, StructSchema type) {
      if (slots[position] instanceof Draft known) {
        return known;
      }
      Draft begun = new Draft(type);
      slots[position] = begun;
      return begun;
    }

    @SuppressWarnings("unchecked") // the only lists in slots are of nodes
    List<Node> list(int position) {
      if (slots[position] instanceof List<?> known) {
        return (List<Node>) known;
      }
      List<Node> begun = new ArrayList<>(4);
      slots[position] = begun;
      return begun;
    }

    SortedEntries map(int position) {
      if (slots[position] instanceof SortedEntries known) {
        return known;
      }
      SortedEntries begun = new SortedEntries();
      slots[position] = begun;
      return begun;
    }

    MapNode toNode() {
      @Nullable Node[] values = new Node[slots.length];
      for (int i = 0; i < slots.length; i++) {
        values[i] = node(slots[i]);
      }
      return Slots.object(schema, values, MapNode.EMPTY);
    }

    @SuppressWarnings("unchecked") // as above
    private static @Nullable Node node(@Nullable Object slot) {
      return switch (slot) {
        case null -> null;
        case Draft draft -> draft.toNode();
        case SortedEntries entries -> entries.build();
        case List<?> list -> list.isEmpty() ? Items.EMPTY : new Items((List<Node>) list);
        default -> (Node) slot;
      };
    }
  }

  /** Reads to the end of the message. */
  private void fields(Draft draft, WireMessage message) {
    while (in.more()) {
      int tag = in.tag();
      Member member = message.member(Wire.number(tag));
      if (member instanceof Own own) {
        path.field(own.field().name());
        field(draft, own, tag);
        path.pop();
      } else if (member instanceof Inlined inlined) {
        in.require(Wire.LENGTH, tag, path);
        int outer = in.enter();
        fields(draft, inlined.message());
        in.leave(outer);
      } else {
        in.skip(tag);
      }
    }
  }

  private void field(Draft draft, Own own, int tag) {
    Field field = own.field();
    switch (field.type()) {
      case StructSchema struct -> {
        in.require(Wire.LENGTH, tag, path);
        struct(draft.struct(own.position(), struct));
      }
      case ListOf list when list.wrapped() -> {
        in.require(Wire.LENGTH, tag, path);
        wrapped(list, draft.list(own.position()));
      }
      case ListOf list -> elements(list.element(), tag, draft.list(own.position()));
      case MapOf map -> {
        in.require(Wire.LENGTH, tag, path);
        entry(map.value(), draft.map(own.position()));
      }
      case Scalar scalar -> {
        in.require(Wire.typeOf(scalar), tag, path);
        draft.slots[own.position()] = set(scalar(scalar));
      }
      case SchemaNode.Structural _ -> throw new IllegalStateException("no form in protobuf");
      case Free free -> {
        in.require(Wire.LENGTH, tag, path);
        draft.slots[own.position()] = set(free(free));
      }
      case SchemaNode.Union union -> {
        in.require(Wire.LENGTH, tag, path);
        draft.slots[own.position()] = set(union(union));
      }
    }
  }

  /** Go's zero time and a value without content print as null, which is not set. */
  private static @Nullable Node set(Node value) {
    return value == Null.NULL ? null : value;
  }

  private void struct(Draft draft) {
    budget.container();
    if (++depth > MAX_MESSAGES) {
      throw new DecodeException(Fault.LIMIT, "proto: messages nest more than 200 deep");
    }
    int outer = in.enter();
    fields(draft, draft.schema.wire());
    in.leave(outer);
    depth--;
  }

  private void elements(SchemaNode type, int tag, List<Node> values) {
    int expected = Wire.typeOf(type);
    if (expected != Wire.LENGTH && Wire.type(tag) == Wire.LENGTH) {
      // packed: the elements of numbers stand behind each other
      int outer = in.enter();
      while (in.more()) {
        values.add(value(type));
      }
      in.leave(outer);
    } else {
      in.require(expected, tag, path);
      values.add(value(type));
    }
  }

  /** A list that is a message of its own, with its elements under number 1. */
  private void wrapped(ListOf list, List<Node> values) {
    int outer = in.enter();
    while (in.more()) {
      int tag = in.tag();
      if (Wire.number(tag) == 1) {
        elements(list.element(), tag, values);
      } else {
        in.skip(tag);
      }
    }
    in.leave(outer);
  }

  private void entry(SchemaNode type, SortedEntries entries) {
    budget.scalar();
    int outer = in.enter();
    String key = "";
    Node value = null;
    while (in.more()) {
      int tag = in.tag();
      switch (Wire.number(tag)) {
        case 1 -> {
          in.require(Wire.LENGTH, tag, path);
          key = in.string();
        }
        case 2 -> {
          in.require(Wire.typeOf(type), tag, path);
          value = value(type);
        }
        default -> in.skip(tag);
      }
    }
    in.leave(outer);
    entries.add(key, value == null ? unset(type) : value);
  }

  /** The value of an entry that has none; a list of its own is there, and empty, as in Go. */
  private static Node unset(SchemaNode type) {
    return type instanceof ListOf ? Items.EMPTY : Slots.zeroElement(type);
  }

  /** One value that stands alone: an element of a list or the value of a map's entry. */
  private Node value(SchemaNode type) {
    return switch (type) {
      case StructSchema struct -> {
        Draft draft = new Draft(struct);
        struct(draft);
        yield draft.toNode();
      }
      case ListOf list -> {
        budget.container();
        List<Node> values = new ArrayList<>(4);
        wrapped(list, values);
        yield values.isEmpty() ? Items.EMPTY : new Items(values);
      }
      case MapOf _ -> throw new IllegalStateException("protobuf has no maps inside " + type);
      case Scalar scalar -> scalar(scalar);
      case SchemaNode.Structural _ -> throw new IllegalStateException("no form in protobuf");
      case Free free -> free(free);
      case SchemaNode.Union union -> union(union);
    };
  }

  private Node union(SchemaNode.Union union) {
    Draft draft = new Draft(union.message());
    struct(draft);
    return Unions.unwrapped(union, draft.toNode());
  }

  private Node scalar(Scalar type) {
    budget.scalar();
    try {
      return scalarOf(type);
    } catch (ValueFormatException e) {
      throw new DecodeException(Fault.SHAPE, e.text());
    }
  }

  private Node scalarOf(Scalar type) {
    return switch (type) {
      case STRING -> new Text(in.string());
      case BOOL -> Bool.of(in.varint() != 0);
      case INT32 -> new Int((int) in.varint());
      case INT64 -> new Int(in.varint());
      case UINT32 -> new Int(in.varint() & 0xFFFF_FFFFL);
      case UINT64 -> unsigned(in.varint());
      case DOUBLE -> floating(Double.longBitsToDouble(in.fixed64()));
      case BYTES -> new Text(Base64.getEncoder().encodeToString(in.bytes()));
      case TIME -> time(Precision.SECONDS);
      case MICRO_TIME -> time(Precision.MICROS);
      case DURATION -> duration();
      case INT_OR_STRING -> intOrString();
      case QUANTITY -> quantity();
    };
  }

  private static Node unsigned(long value) {
    return value >= 0 ? new Int(value) : new Decimal(Long.toUnsignedString(value));
  }

  private Node floating(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw ProtobufInput.wrong("proto: field " + path.fields() + " is no finite number");
    }
    return DoubleText.node(value);
  }

  /** A message {@code seconds}, {@code nanos}; empty for the zero time. */
  private Node time(Precision precision) {
    int outer = in.enter();
    boolean empty = !in.more();
    long seconds = 0;
    int nanos = 0;
    while (in.more()) {
      int tag = in.tag();
      switch (Wire.number(tag)) {
        case 1 -> seconds = number(tag);
        case 2 -> nanos = (int) number(tag);
        default -> in.skip(tag);
      }
    }
    in.leave(outer);
    if (empty) {
      return Null.NULL;
    }
    String time = Timestamp.print(seconds, nanos, precision);
    return Timestamp.isZero(time) ? Null.NULL : new Text(time);
  }

  private Node duration() {
    int outer = in.enter();
    long nanos = 0;
    while (in.more()) {
      int tag = in.tag();
      if (Wire.number(tag) == 1) {
        nanos = number(tag);
      } else {
        in.skip(tag);
      }
    }
    in.leave(outer);
    return new Text(new GoDuration(nanos).toString());
  }

  private Node intOrString() {
    int outer = in.enter();
    long type = 0;
    int number = 0;
    String text = "";
    while (in.more()) {
      int tag = in.tag();
      switch (Wire.number(tag)) {
        case 1 -> type = number(tag);
        case 2 -> number = (int) number(tag);
        case 3 -> {
          in.require(Wire.LENGTH, tag, path);
          text = in.string();
        }
        default -> in.skip(tag);
      }
    }
    in.leave(outer);
    if (type != 0 && type != 1) {
      throw ProtobufInput.wrong(
          "proto: field " + path.fields() + " is neither number nor string, but of type " + type);
    }
    return type == 0 ? new Int(number) : new Text(text);
  }

  private Node quantity() {
    int outer = in.enter();
    String text = "0";
    while (in.more()) {
      int tag = in.tag();
      if (Wire.number(tag) == 1) {
        in.require(Wire.LENGTH, tag, path);
        text = Quantity.canonical(in.string().strip());
      } else {
        in.skip(tag);
      }
    }
    in.leave(outer);
    return new Text(text);
  }

  /** A message with JSON under number 1; null if there is none. */
  private Node free(Free type) {
    int outer = in.enter();
    byte[] json = {};
    while (in.more()) {
      int tag = in.tag();
      if (Wire.number(tag) == 1) {
        in.require(Wire.LENGTH, tag, path);
        json = in.bytes();
      } else {
        in.skip(tag);
      }
    }
    in.leave(outer);
    if (json.length == 0) {
      return Null.NULL;
    }
    Node value = type == Free.FIELDS_V1 ? fields(json) : json(json);
    if (levels(value) + 2 * (depth + 2) > Tokens.MAX_DEPTH) {
      throw new DecodeException(
          Fault.LIMIT, "proto: the JSON in field " + path.fields() + " nests too deep");
    }
    return FreeJson.of(type, value);
  }

  /**
   * The field paths of a manager, without what is behind them. Go holds them as bytes and passes
   * over entries that it cannot read, as those with a text in the place of the paths.
   */
  private Node fields(byte[] json) {
    try {
      JsonTokens tokens = JsonTokens.of(json);
      return tokens.next() == Token.END ? new Text("") : tokens.free();
    } catch (DecodeException e) {
      if (e.fault() == Fault.LIMIT) {
        throw e;
      }
      return new Text(new String(json, StandardCharsets.UTF_8));
    }
  }

  private Node json(byte[] json) {
    try {
      return JsonTokens.of(json).document();
    } catch (DecodeException e) {
      throw new DecodeException(
          e.fault() == Fault.LIMIT ? Fault.LIMIT : Fault.SHAPE,
          "proto: field " + path.fields() + " holds no JSON: " + e.text());
    }
  }

  private static int levels(Node node) {
    int inner = 0;
    switch (node) {
      case MapNode map -> {
        for (int i = 0; i < map.size(); i++) {
          inner = Math.max(inner, levels(map.valueAt(i)));
        }
      }
      case Items items -> {
        for (Node value : items.values()) {
          inner = Math.max(inner, levels(value));
        }
      }
      default -> {
        return 0;
      }
    }
    return inner + 1;
  }

  private long number(int tag) {
    in.require(Wire.VARINT, tag, path);
    return in.varint();
  }
}
