package dev.keelson.schema.codec.stored;

import dev.keelson.schema.DerivedBySchema;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Field.Presence;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.SchemaNode.WireMessage;
import dev.keelson.schema.SchemaNode.WireMessage.Inlined;
import dev.keelson.schema.SchemaNode.WireMessage.Own;
import dev.keelson.schema.codec.protobuf.ProtobufOutput;
import dev.keelson.schema.codec.protobuf.Wire;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A struct as the transcoders look at it: names as bytes, and what to do with each field as a
 * number to switch on. Made once a struct, on first use; safe for use by several threads.
 */
final class WirePlan {

  /** What a value is on the wire. */
  enum Kind {
    STRING,
    BOOL,
    INT32,
    INT64,
    UINT32,
    DOUBLE,
    BYTES,
    TIME,
    MICRO_TIME,
    DURATION,
    INT_OR_STRING,
    QUANTITY,
    STRUCT,
    /** A list that is a message of its own. */
    WRAPPED,
    FREE,
    /** A type that the transcoders do not handle: objects with such a value go through a tree. */
    OTHER;

    /** The wire type of one value. */
    int wireType() {
      return switch (this) {
        case BOOL, INT32, INT64, UINT32 -> Wire.VARINT;
        case DOUBLE -> Wire.FIXED64;
        default -> Wire.LENGTH;
      };
    }
  }

  /** How often a field occurs. */
  enum Shape {
    ONE,
    LIST,
    MAP,
    /** A message of the wire whose fields JSON shows in the struct itself. */
    INLINED
  }

  /** One field. */
  static final class Step {
    final int number;

    /** In the fields of the struct; -1 for {@link Shape#INLINED}. */
    final int position;

    final Shape shape;

    /** Of the value, an element, or the value of an entry. */
    final Kind kind;

    /** When JSON shows it. */
    final Presence presence;

    /** The fields of {@link Shape#INLINED}. */
    final Step[] inner;

    private final SchemaNode type;
    private volatile @Nullable WirePlan plan;

    private Step(
        int number, int position, Shape shape, SchemaNode type, Presence presence, Step[] inner) {
      this.number = number;
      this.position = position;
      this.shape = shape;
      this.kind = shape == Shape.INLINED ? Kind.STRUCT : kind(type);
      this.type = type;
      this.presence = presence;
      this.inner = inner;
    }

    /** The wire type of the field's occurrences. */
    int wireType() {
      return shape == Shape.MAP ? Wire.LENGTH : kind.wireType();
    }

    /** Whether the wire leaves the field out where it is not set. */
    boolean optional() {
      return presence == Presence.POINTER || presence == Presence.NULLABLE;
    }

    /** The plan of {@link Kind#STRUCT}. */
    WirePlan plan() {
      WirePlan known = plan;
      if (known == null) {
        known = WirePlan.of((StructSchema) type);
        plan = known;
      }
      return known;
    }

    /** The type of the value, an element, or the value of an entry. */
    SchemaNode type() {
      return type;
    }
  }

  private static final DerivedBySchema<WirePlan> KNOWN = new DerivedBySchema<>(WirePlan.class);

  private static final Step[] NONE = {};

  private final StructSchema schema;
  private final byte[][] names;
  private final Step[] steps;
  private final @Nullable Step[] byNumber;
  private final @Nullable Step[] byPosition;
  private volatile byte @Nullable [] zero;

  private WirePlan(StructSchema schema) {
    this.schema = schema;
    List<Field> fields = schema.fields();
    names = new byte[fields.size()][];
    for (int i = 0; i < names.length; i++) {
      names[i] = fields.get(i).name().getBytes(StandardCharsets.UTF_8);
    }
    byPosition = new Step[fields.size()];
    steps = steps(schema.wire());
    int highest = 0;
    for (Step step : steps) {
      highest = Math.max(highest, step.number);
    }
    byNumber = new Step[highest + 1];
    for (Step step : steps) {
      byNumber[step.number] = step;
    }
  }

  /** The plan of a struct. */
  static WirePlan of(StructSchema schema) {
    return KNOWN.of(schema, WirePlan::new);
  }

  /** The step of a field number among {@code steps}; null if there is none. */
  static @Nullable Step find(Step[] steps, int number) {
    for (Step step : steps) {
      if (step.number == number) {
        return step;
      }
    }
    return null;
  }

  private Step[] steps(WireMessage message) {
    return message.members().stream().map(this::step).toArray(Step[]::new);
  }

  private Step step(WireMessage.Member member) {
    return switch (member) {
      case Own own -> {
        Field field = own.field();
        Step step =
            switch (field.type()) {
              case ListOf list when !list.wrapped() ->
                  new Step(
                      own.number(),
                      own.position(),
                      Shape.LIST,
                      list.element(),
                      field.presence(),
                      NONE);
              case MapOf map ->
                  new Step(
                      own.number(), own.position(), Shape.MAP, map.value(), field.presence(), NONE);
              case StructSchema _,
                  ListOf _,
                  Scalar _,
                  Free _,
                  SchemaNode.Union _,
                  SchemaNode.Structural _ ->
                  new Step(
                      own.number(),
                      own.position(),
                      Shape.ONE,
                      field.type(),
                      field.presence(),
                      NONE);
            };
        byPosition[own.position()] = step;
        yield step;
      }
      case Inlined inlined ->
          new Step(
              inlined.number(),
              -1,
              Shape.INLINED,
              schema,
              Presence.VALUE,
              steps(inlined.message()));
    };
  }

  private static Kind kind(SchemaNode type) {
    return switch (type) {
      case StructSchema _ -> Kind.STRUCT;
      case ListOf list -> list.element() == Scalar.STRING ? Kind.WRAPPED : Kind.OTHER;
      case MapOf _ -> Kind.OTHER;
      case SchemaNode.Union _ -> Kind.OTHER;
      case Free _, SchemaNode.Structural _ -> Kind.FREE;
      case Scalar scalar ->
          switch (scalar) {
            case STRING -> Kind.STRING;
            case BOOL -> Kind.BOOL;
            case INT32 -> Kind.INT32;
            case INT64 -> Kind.INT64;
            case UINT32 -> Kind.UINT32;
            case UINT64 -> Kind.OTHER;
            case DOUBLE -> Kind.DOUBLE;
            case BYTES -> Kind.BYTES;
            case TIME -> Kind.TIME;
            case MICRO_TIME -> Kind.MICRO_TIME;
            case DURATION -> Kind.DURATION;
            case INT_OR_STRING -> Kind.INT_OR_STRING;
            case QUANTITY -> Kind.QUANTITY;
          };
    };
  }

  StructSchema schema() {
    return schema;
  }

  /** How many fields JSON can show. */
  int fieldCount() {
    return names.length;
  }

  /** The fields of the message by rising number. */
  Step[] steps() {
    return steps;
  }

  /** The field of that number, or null. */
  @Nullable Step step(int number) {
    return number < byNumber.length ? byNumber[number] : null;
  }

  /** The field at a position; null if the wire does not have it. */
  @Nullable Step stepAt(int position) {
    return byPosition[position];
  }

  /** The name of a field in JSON. */
  byte[] name(int position) {
    return names[position];
  }

  /**
   * The position of the field whose name stands in {@code json}, or -1. Encoders write fields in
   * their order, so it is mostly close behind the one before.
   *
   * @param guess where to look first
   */
  int position(byte[] json, int from, int to, int guess) {
    for (int i = guess; i < names.length; i++) {
      if (isAt(names[i], json, from, to)) {
        return i;
      }
    }
    for (int i = 0; i < guess && i < names.length; i++) {
      if (isAt(names[i], json, from, to)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isAt(byte[] name, byte[] json, int from, int to) {
    return name.length == to - from
        && name[0] == json[from]
        && Arrays.equals(name, 0, name.length, json, from, to);
  }

  /** The message of a struct in which nothing is set. */
  byte[] zero() {
    byte[] known = zero;
    if (known == null) {
      known =
          new ProtobufOutput(64).message(dev.keelson.object.Node.MapNode.EMPTY, schema).toBytes();
      zero = known;
    }
    return known;
  }
}
