package dev.keelson.schema.codec.stored;

import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.codec.protobuf.Envelope;
import dev.keelson.schema.codec.protobuf.ProtobufInput;
import dev.keelson.schema.codec.protobuf.Wire;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.FieldPath;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds single values in objects that are stored in protobuf, passing over everything else by its
 * length. What an encoder does not write (a message in two pieces, JSON in the envelope) is left to
 * the decoder.
 */
final class ProtobufScan {

  // the fields of every object and of ObjectMeta that are looked at
  private static final int METADATA = 1;
  private static final int LABELS = 11;
  private static final int OWNER_REFERENCES = 13;
  private static final int FINALIZERS = 14;

  private static final ScanResult ABSENT = new ScanResult.Absent();
  private static final ScanResult UNREADABLE = new ScanResult.Unreadable();

  /** Errors need no path: the decoder reports the field when the value is decoded. */
  private static final FieldPath NOWHERE = new FieldPath();

  private ProtobufScan() {}

  /** The scalar at {@code path} of a value in an envelope. */
  static ScanResult field(byte[] stored, StoredPath path) {
    int[] numbers = path.numbers();
    Scalar type = path.type();
    if (numbers == null || type == null || !readable(type)) {
      return UNREADABLE;
    }
    try {
      ProtobufInput in = object(stored);
      if (in == null) {
        return UNREADABLE;
      }
      for (int i = 0; i < numbers.length - 1; i++) {
        int found = enter(in, numbers[i]);
        if (found != 1) {
          return found == 0 ? ABSENT : UNREADABLE;
        }
      }
      return last(in, numbers[numbers.length - 1], type);
    } catch (DecodeException damaged) {
      return UNREADABLE;
    }
  }

  /** The labels of a value in an envelope; null if it has to be decoded to tell. */
  static @Nullable Map<String, String> labels(byte[] stored) {
    try {
      ProtobufInput in = object(stored);
      int found = in == null ? 2 : enter(in, METADATA);
      if (in == null || found != 1) {
        return found == 0 ? Map.of() : null;
      }
      Map<String, String> labels = HashMap.newHashMap(8);
      while (in.more()) {
        int tag = in.tag();
        if (Wire.number(tag) == LABELS) {
          in.require(Wire.LENGTH, tag, NOWHERE);
          entry(in, labels);
        } else {
          in.skip(tag);
        }
      }
      return labels;
    } catch (DecodeException damaged) {
      return null;
    }
  }

  /** Whether a value in an envelope may have owners, or finalizers that make it wait for others. */
  static boolean mayConcernOwners(byte[] stored) {
    try {
      ProtobufInput in = object(stored);
      int found = in == null ? 2 : enter(in, METADATA);
      if (in == null || found != 1) {
        return found != 0;
      }
      while (in.more()) {
        int tag = in.tag();
        int number = Wire.number(tag);
        if (number == OWNER_REFERENCES || number == FINALIZERS) {
          return true;
        }
        in.skip(tag);
      }
      return false;
    } catch (DecodeException damaged) {
      return true;
    }
  }

  /** At the object in the envelope; null if it is not in protobuf. */
  private static @Nullable ProtobufInput object(byte[] stored) {
    Envelope envelope = Envelope.read(stored);
    return envelope.format() == Envelope.Format.PROTOBUF
        ? new ProtobufInput(stored, envelope.from(), envelope.to())
        : null;
  }

  /**
   * Goes into the message {@code number} of the one that {@code in} is in.
   *
   * @return how many of it there are; it is in none unless there is exactly one
   */
  private static int enter(ProtobufInput in, int number) {
    int count = 0;
    int from = 0;
    int to = 0;
    while (in.more()) {
      int tag = in.tag();
      if (Wire.number(tag) == number) {
        in.require(Wire.LENGTH, tag, NOWHERE);
        from = in.passBytes();
        to = in.position();
        count++;
      } else {
        in.skip(tag);
      }
    }
    if (count == 1) {
      in.within(from, to);
    }
    return count;
  }

  private static ScanResult last(ProtobufInput in, int number, Scalar type) {
    ScanResult found = ABSENT;
    while (in.more()) {
      int tag = in.tag();
      if (Wire.number(tag) == number) {
        in.require(Wire.typeOf(type), tag, NOWHERE);
        found = new ScanResult.Value(text(in, type));
      } else {
        in.skip(tag);
      }
    }
    return found;
  }

  private static boolean readable(Scalar type) {
    return switch (type) {
      case STRING, BOOL, INT32, INT64 -> true;
      case UINT32, UINT64, DOUBLE, BYTES, TIME, MICRO_TIME, DURATION, INT_OR_STRING, QUANTITY ->
          false;
    };
  }

  private static String text(ProtobufInput in, Scalar type) {
    return switch (type) {
      case STRING -> in.string();
      case BOOL -> Boolean.toString(in.varint() != 0);
      case INT32 -> Integer.toString((int) in.varint());
      default -> Long.toString(in.varint());
    };
  }

  private static void entry(ProtobufInput in, Map<String, String> labels) {
    int outer = in.enter();
    String key = "";
    String value = "";
    while (in.more()) {
      int tag = in.tag();
      switch (Wire.number(tag)) {
        case 1 -> {
          in.require(Wire.LENGTH, tag, NOWHERE);
          key = in.string();
        }
        case 2 -> {
          in.require(Wire.LENGTH, tag, NOWHERE);
          value = in.string();
        }
        default -> in.skip(tag);
      }
    }
    in.leave(outer);
    labels.put(key, value);
  }
}
