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
import dev.keelson.schema.SchemaNode.Field.Presence;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.SchemaNode.WireMessage;
import dev.keelson.schema.SchemaNode.WireMessage.Inlined;
import dev.keelson.schema.SchemaNode.WireMessage.Own;
import dev.keelson.schema.Unions;
import dev.keelson.schema.codec.json.JsonOutput;
import dev.keelson.value.GoDuration;
import dev.keelson.value.Timestamp;
import dev.keelson.value.Timestamp.Precision;
import dev.keelson.value.Utf8Order;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Protobuf as Kubernetes' generated encoders write it: fields by rising number, values that are no
 * pointers even when zero, maps by key, elements unpacked. Grows as it is written to; used by one
 * thread.
 *
 * <p>Like those encoders it writes from the end to the front. The length prefix of a message is
 * then known when it is written, without a sizing pass.
 */
public final class ProtobufOutput {

  private static final byte[] NOTHING = {};

  private byte[] bytes;

  /** Where the written bytes begin; they go to the end of the array. */
  private int at;

  public ProtobufOutput(int expected) {
    bytes = new byte[expected];
    at = expected;
  }

  public byte[] toBytes() {
    return Arrays.copyOfRange(bytes, at, bytes.length);
  }

  /** Discards the output. */
  public void clear() {
    at = bytes.length;
  }

  /** How much has been written. */
  public int size() {
    return bytes.length - at;
  }

  /** Bytes as they are. */
  public ProtobufOutput raw(byte[] plain) {
    room(plain.length);
    at -= plain.length;
    System.arraycopy(plain, 0, bytes, at, plain.length);
    return this;
  }

  public ProtobufOutput raw(byte[] plain, int from, int length) {
    room(length);
    at -= length;
    System.arraycopy(plain, from, bytes, at, length);
    return this;
  }

  /** A field that holds a string. */
  public ProtobufOutput string(int number, String text) {
    int end = size();
    text(text);
    return close(number, size() - end);
  }

  /**
   * The length and tag of a field whose content has just been written.
   *
   * @param length how long the content is; it may lie in other arrays
   */
  public ProtobufOutput close(int number, long length) {
    varint(length);
    return tag(number, Wire.LENGTH);
  }

  /** The fields of an object in canonical form. */
  public ProtobufOutput message(MapNode object, StructSchema schema) {
    @Nullable Node[] values = new Node[schema.fields().size()];
    for (int i = 0; i < object.size(); i++) {
      int position = schema.indexOf(object.keyAt(i));
      if (position >= 0 && object.valueAt(i) != Null.NULL) {
        values[position] = object.valueAt(i);
      }
    }
    message(values, schema.wire());
    return this;
  }

  private void message(@Nullable Node[] values, WireMessage message) {
    List<WireMessage.Member> members = message.members();
    for (int i = members.size() - 1; i >= 0; i--) {
      switch (members.get(i)) {
        case Own own -> field(own.number(), own.field(), values[own.position()]);
        case Inlined inlined -> {
          int end = size();
          message(values, inlined.message());
          close(inlined.number(), size() - end);
        }
      }
    }
  }

  private void field(int number, Field field, @Nullable Node value) {
    if (value == null
        && (field.presence() == Presence.POINTER || field.presence() == Presence.NULLABLE)) {
      return;
    }
    switch (field.type()) {
      case ListOf list when list.wrapped() -> {
        if (value != null) {
          value(number, list, value);
        }
      }
      case ListOf list -> elements(number, list.element(), items(value));
      case MapOf map -> entries(number, map.value(), value == null ? MapNode.EMPTY : map(value));
      case StructSchema _, Scalar _, Free _, SchemaNode.Union _, SchemaNode.Structural _ ->
          value(number, field.type(), value);
    }
  }

  private void elements(int number, SchemaNode type, List<Node> values) {
    for (int i = values.size() - 1; i >= 0; i--) {
      value(number, type, values.get(i));
    }
  }

  private void entries(int number, SchemaNode type, MapNode entries) {
    MapNode sorted = sorted(entries);
    for (int i = sorted.size() - 1; i >= 0; i--) {
      int end = size();
      value(2, type, sorted.valueAt(i));
      string(1, sorted.keyAt(i));
      close(number, size() - end);
    }
  }

  private static MapNode sorted(MapNode entries) {
    for (int i = 1; i < entries.size(); i++) {
      if (Utf8Order.compare(entries.keyAt(i - 1), entries.keyAt(i)) >= 0) {
        TreeMap<String, Node> sorted = new TreeMap<>(Utf8Order::compare);
        entries.forEach(sorted::put);
        return MapNode.copyOf(sorted);
      }
    }
    return entries;
  }

  /**
   * A field with one value.
   *
   * @param set null for the zero value
   */
  private void value(int number, SchemaNode type, @Nullable Node set) {
    Node value = set == Null.NULL ? null : set;
    switch (type) {
      case Scalar scalar -> scalar(number, scalar, value);
      case StructSchema struct -> {
        int end = size();
        message(value == null ? MapNode.EMPTY : map(value), struct);
        close(number, size() - end);
      }
      case ListOf list -> {
        int end = size();
        elements(1, list.element(), items(value));
        close(number, size() - end);
      }
      case SchemaNode.Structural _ -> throw new IllegalStateException("no form in protobuf");
      case Free _ -> {
        int end = size();
        if (value != null) {
          bytes(1, new JsonOutput(64).value(value).toBytes());
        }
        close(number, size() - end);
      }
      case SchemaNode.Union union -> {
        int end = size();
        message(Unions.wrapped(union, value == null ? Null.NULL : value), union.message());
        close(number, size() - end);
      }
      case MapOf _ -> throw new IllegalStateException("protobuf has no maps inside " + type);
    }
  }

  private void scalar(int number, Scalar type, @Nullable Node value) {
    switch (type) {
      case STRING -> string(number, value == null ? "" : text(value));
      case BOOL -> varint(number, value == Bool.TRUE ? 1 : 0);
      case INT32, INT64, UINT32, UINT64 -> varint(number, value == null ? 0 : integer(value));
      case DOUBLE -> {
        fixed64(Double.doubleToRawLongBits(value == null ? 0 : floating(value)));
        tag(number, Wire.FIXED64);
      }
      case BYTES -> {
        if (value != null) {
          bytes(number, decoded(text(value)));
        }
      }
      case TIME, MICRO_TIME, DURATION, INT_OR_STRING, QUANTITY -> {
        int end = size();
        wrapped(type, value);
        close(number, size() - end);
      }
    }
  }

  /** The content of the scalars that are messages on the wire. */
  private void wrapped(Scalar type, @Nullable Node value) {
    switch (type) {
      case TIME -> {
        if (value != null) {
          varint(2, 0);
          varint(1, Timestamp.parse(text(value), Precision.SECONDS).epochSecond());
        }
      }
      case MICRO_TIME -> {
        if (value != null) {
          Timestamp time = Timestamp.parse(text(value), Precision.MICROS);
          varint(2, time.nanos() / 1000 * 1000L);
          varint(1, time.epochSecond());
        }
      }
      case DURATION -> varint(1, value == null ? 0 : GoDuration.parse(text(value)).nanos());
      case QUANTITY -> string(1, value == null ? "0" : text(value));
      case INT_OR_STRING -> {
        boolean string = value instanceof Text;
        string(3, string && value != null ? text(value) : "");
        varint(2, string || value == null ? 0 : integer(value));
        varint(1, string ? 1 : 0);
      }
      case STRING, BOOL, INT32, INT64, UINT32, UINT64, DOUBLE, BYTES ->
          throw new IllegalStateException(type + " is no message");
    }
  }

  private static byte[] decoded(String base64) {
    return base64.isEmpty() ? NOTHING : Base64.getDecoder().decode(base64);
  }

  private void bytes(int number, byte[] content) {
    raw(content);
    close(number, content.length);
  }

  public void varint(int number, long value) {
    varint(value);
    tag(number, Wire.VARINT);
  }

  public ProtobufOutput tag(int number, int type) {
    varint(Wire.tag(number, type));
    return this;
  }

  private void varint(long value) {
    if ((value & ~0x7FL) == 0) {
      room(1);
      bytes[--at] = (byte) value;
      return;
    }
    int length = (63 - Long.numberOfLeadingZeros(value)) / 7 + 1;
    room(length);
    at -= length;
    long rest = value;
    for (int i = 0; i < length - 1; i++) {
      bytes[at + i] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at + length - 1] = (byte) rest;
  }

  public void fixed64(long value) {
    room(Long.BYTES);
    at -= Long.BYTES;
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[at + i] = (byte) (value >>> (8 * i));
    }
  }

  private void text(String text) {
    int left = text.length();
    room(left);
    byte[] out = bytes;
    int to = at;
    while (left > 0) {
      char c = text.charAt(left - 1);
      if (c >= 0x80) {
        break;
      }
      out[--to] = (byte) c;
      left--;
    }
    at = to;
    if (left > 0) {
      unicode(text, left);
    }
  }

  /** The first {@code left} characters of {@code text}, some of which need more than a byte. */
  private void unicode(String text, int left) {
    for (int i = left - 1; i >= 0; i--) {
      char c = text.charAt(i);
      room(4);
      if (c < 0x80) {
        bytes[--at] = (byte) c;
      } else if (c < 0x800) {
        bytes[--at] = (byte) (0x80 | (c & 0x3F));
        bytes[--at] = (byte) (0xC0 | c >> 6);
      } else if (Character.isLowSurrogate(c)
          && i > 0
          && Character.isHighSurrogate(text.charAt(i - 1))) {
        fourBytes(Character.toCodePoint(text.charAt(--i), c));
      } else {
        // half a character has no UTF-8; Go reads it as the replacement character
        threeBytes(Character.isSurrogate(c) ? '\uFFFD' : c);
      }
    }
  }

  private void threeBytes(char c) {
    bytes[--at] = (byte) (0x80 | (c & 0x3F));
    bytes[--at] = (byte) (0x80 | (c >> 6 & 0x3F));
    bytes[--at] = (byte) (0xE0 | c >> 12);
  }

  private void fourBytes(int point) {
    bytes[--at] = (byte) (0x80 | (point & 0x3F));
    bytes[--at] = (byte) (0x80 | (point >> 6 & 0x3F));
    bytes[--at] = (byte) (0x80 | (point >> 12 & 0x3F));
    bytes[--at] = (byte) (0xF0 | point >> 18);
  }

  private void room(int more) {
    if (at < more) {
      int size = size();
      int length = Math.max(bytes.length * 2, Math.addExact(size, more));
      byte[] larger = new byte[length];
      System.arraycopy(bytes, at, larger, length - size, size);
      bytes = larger;
      at = length - size;
    }
  }

  private static long integer(Node value) {
    return switch (value) {
      case Int number -> number.value();
      case Decimal number -> Long.parseUnsignedLong(number.literal());
      default -> throw untyped(value, "an integer");
    };
  }

  private static double floating(Node value) {
    return switch (value) {
      case Int number -> number.value();
      case Decimal number -> Double.parseDouble(number.literal());
      default -> throw untyped(value, "a number");
    };
  }

  private static String text(Node value) {
    if (value instanceof Text text) {
      return text.value();
    }
    throw untyped(value, "a string");
  }

  private static MapNode map(Node value) {
    if (value instanceof MapNode map) {
      return map;
    }
    throw untyped(value, "an object");
  }

  private static List<Node> items(@Nullable Node value) {
    if (value == null) {
      return List.of();
    }
    if (value instanceof Items items) {
      return items.values();
    }
    throw untyped(value, "a list");
  }

  private static IllegalStateException untyped(Node value, String expected) {
    return new IllegalStateException("the tree has " + value + " where the schema has " + expected);
  }
}
