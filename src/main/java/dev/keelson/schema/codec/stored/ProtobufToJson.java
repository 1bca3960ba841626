package dev.keelson.schema.codec.stored;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Null;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Field.Presence;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.json.JsonOutput;
import dev.keelson.schema.codec.json.JsonTape.NotCanonicalException;
import dev.keelson.schema.codec.json.JsonTokens;
import dev.keelson.schema.codec.protobuf.ProtobufReader;
import dev.keelson.schema.codec.protobuf.Wire;
import dev.keelson.schema.codec.stored.WirePlan.Kind;
import dev.keelson.schema.codec.stored.WirePlan.Shape;
import dev.keelson.schema.codec.stored.WirePlan.Step;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.Slots;
import dev.keelson.schema.codec.tree.Utf8;
import dev.keelson.value.GoDuration;
import dev.keelson.value.Quantity;
import dev.keelson.value.Timestamp;
import dev.keelson.value.Timestamp.Precision;
import dev.keelson.value.ValueFormatException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Transcodes the protobuf of an object to JSON, without a tree. It writes what {@link
 * ObjectWriter#json} writes of the tree that {@link ProtobufReader} reads, or says that the message
 * is {@link NotCanonicalException}: damaged, in pieces, or with values that JSON shows in another
 * way. Used by one thread, for any number of objects.
 */
final class ProtobufToJson extends MessageCursor {

  /*
   * For each message the places of its fields go to a part of `stack`, two numbers a field: where the first value begins, behind its tag,
   * and where the last one ends. Then the fields are written in the order of JSON. The values of a field stand together in what encoders
   * write, so the end of the one is the beginning of the next; a field in more than one place is left to the tree.
   */

  private static final int MAX_MESSAGES = 200;
  private static final int UNSET = -1;

  private final JsonOutput out = new JsonOutput(16_384);
  private int[] stack = new int[1024];
  private int top;
  private int depth;

  /** The resourceVersion to write; empty for the one in the message. */
  private String revision = "";

  /**
   * The object's JSON.
   *
   * @param head what stands in front of the metadata, with the opening brace
   * @param revision its resourceVersion instead of the one in the message; 0 leaves that
   * @throws NotCanonicalException if it has to go over a tree
   */
  byte[] json(byte[] message, int from, int to, WirePlan plan, byte[] head, long revision) {
    this.revision = revision == 0 ? "" : Long.toString(revision);
    open(message);
    top = 0;
    depth = 0;
    out.clear();
    out.raw(head);
    fields(from, to, plan, false);
    return out.raw('}').toBytes();
  }

  /**
   * The JSON of an object's metadata alone.
   *
   * @param to where the metadata ends, which stands first
   * @param head what stands in front of it, with the opening brace
   * @throws NotCanonicalException if it has to go over a tree
   */
  byte[] metadataJson(byte[] message, int from, int to, WirePlan plan, byte[] head, long revision) {
    this.revision = Long.toString(revision);
    open(message);
    top = 0;
    depth = 0;
    out.clear();
    Step step = plan.step(1);
    if (step == null || step.kind != Kind.STRUCT) {
      throw NotCanonicalException.INSTANCE;
    }
    at = from;
    int unused = tag(to);
    out.raw(head).raw(METADATA);
    boolean written = value(step, to, true);
    if (!written || at != to) {
      throw NotCanonicalException.INSTANCE;
    }
    return out.raw('}').toBytes();
  }

  /** Writes the fields of a message, each with a comma in front but for the first. */
  private void fields(int from, int to, WirePlan plan, boolean metadata) {
    if (++depth > MAX_MESSAGES) {
      throw NotCanonicalException.INSTANCE;
    }
    int count = plan.fieldCount();
    int base = top;
    if (top + 2 * count > stack.length) {
      stack = Arrays.copyOf(stack, Math.max(stack.length * 2, top + 2 * count));
    }
    top += 2 * count;
    Arrays.fill(stack, base, top, UNSET);
    collect(from, to, plan.steps(), plan, base);
    boolean first = true;
    List<Field> all = plan.schema().fields();
    for (int position = 0; position < count; position++) {
      Step step = plan.stepAt(position);
      if (step == null) {
        // only the envelope says it
        if (all.get(position).presence() != Presence.OMIT_EMPTY) {
          throw NotCanonicalException.INSTANCE;
        }
        continue;
      }
      int begin = stack[base + 2 * position];
      int end = stack[base + 2 * position + 1];
      int mark = out.size();
      if (!first) {
        out.raw(',');
      }
      out.raw('"').raw(plan.name(position)).raw('"').raw(':');
      boolean written =
          (metadata && !revision.isEmpty() && isRevision(plan, position))
              ? text(revision)
              : field(step, all.get(position), begin, end, base == 0 && step.number == 1);
      if (written) {
        first = false;
      } else {
        out.back(mark);
      }
    }
    top = base;
    depth--;
  }

  private static boolean isRevision(WirePlan plan, int position) {
    return plan.schema().fields().get(position).name().equals("resourceVersion");
  }

  private boolean text(String plain) {
    out.raw('"').ascii(plain).raw('"');
    return true;
  }

  /** Finds where the fields stand. */
  private void collect(int from, int to, Step[] steps, @Nullable WirePlan plan, int base) {
    int i = from;
    while (i < to) {
      at = i;
      int tag = tag(to);
      int value = at;
      Step step = plan != null ? plan.step(tag >>> 3) : WirePlan.find(steps, tag >>> 3);
      pass(tag, to);
      if (step != null) {
        if (step.shape == Shape.INLINED) {
          require(tag, Wire.LENGTH);
          at = value;
          int inner = length(to);
          int begin = at;
          collect(begin, begin + inner, step.inner, null, base);
          at = begin + inner;
        } else {
          if (Wire.type(tag) != step.wireType()) {
            throw NotCanonicalException.INSTANCE;
          }
          int slot = base + 2 * step.position;
          if (stack[slot] == UNSET) {
            stack[slot] = value;
          } else if (stack[slot + 1] != i || step.shape == Shape.ONE) {
            throw NotCanonicalException.INSTANCE;
          }
          stack[slot + 1] = at;
        }
      }
      i = at;
    }
  }

  /** Writes the value of a field; false if JSON does not show it. */
  private boolean field(Step step, Field field, int begin, int end, boolean metadata) {
    if (step.kind == Kind.OTHER) {
      throw NotCanonicalException.INSTANCE;
    }
    if (begin == UNSET) {
      if (metadata && !revision.isEmpty()) {
        // the revision has no place to stand in
        throw NotCanonicalException.INSTANCE;
      }
      return unset(field);
    }
    at = begin;
    switch (step.shape) {
      case LIST -> list(step, end);
      case MAP -> map(step, end);
      case ONE -> {
        int mark = out.size();
        if (!value(step, end, metadata)) {
          // a time that is not set
          out.back(mark);
          return unset(field);
        }
        return switch (step.presence) {
          case OMIT_EMPTY -> !isEmpty(mark);
          case OMIT_ZERO -> !out.isFrom(mark, JsonOutput.json(Slots.zero(field.type())));
          case POINTER, VALUE, ALWAYS, NULLABLE -> true;
        };
      }
      case INLINED -> throw new IllegalStateException("it has no name");
    }
    return true;
  }

  private boolean isEmpty(int mark) {
    int length = out.size() - mark;
    return (length == 1 && out.isFrom(mark, ZERO))
        || (length == 2
            && (out.isFrom(mark, NO_TEXT)
                || out.isFrom(mark, NO_FIELDS)
                || out.isFrom(mark, NO_ITEMS)))
        || (length == 5 && out.isFrom(mark, FALSE))
        || (length == 4 && out.isFrom(mark, NULL));
  }

  private static final byte[] METADATA = "\"metadata\":".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ZERO = {'0'};
  private static final byte[] NO_TEXT = {'"', '"'};
  private static final byte[] NO_FIELDS = {'{', '}'};
  private static final byte[] NO_ITEMS = {'[', ']'};
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  private boolean unset(Field field) {
    Node zero = Slots.written(field, null);
    if (zero == null) {
      return false;
    }
    out.value(zero);
    return true;
  }

  private void list(Step step, int end) {
    out.raw('[');
    boolean first = true;
    while (true) {
      if (!first) {
        out.raw(',');
      }
      first = false;
      if (!value(step, end, false)) {
        out.raw(NULL);
      }
      if (at == end) {
        break;
      }
      int unused = tag(end);
    }
    out.raw(']');
  }

  private void map(Step step, int end) {
    out.raw('{');
    int keyBefore = -1;
    int keyBeforeEnd = -1;
    while (true) {
      int entryEnd = length(end);
      entryEnd += at;
      // an encoder writes the key and then the value
      if (at >= entryEnd || tag(entryEnd) != Wire.tag(1, Wire.LENGTH)) {
        throw NotCanonicalException.INSTANCE;
      }
      int keyLength = length(entryEnd);
      int key = at;
      at += keyLength;
      if (keyBefore >= 0) {
        if (Arrays.compareUnsigned(bytes, keyBefore, keyBeforeEnd, bytes, key, at) >= 0) {
          throw NotCanonicalException.INSTANCE;
        }
        out.raw(',');
      }
      keyBefore = key;
      keyBeforeEnd = at;
      string(key, at);
      out.raw(':');
      if (at >= entryEnd || tag(entryEnd) != Wire.tag(2, step.kind.wireType())) {
        throw NotCanonicalException.INSTANCE;
      }
      if (!value(step, entryEnd, false) || at != entryEnd) {
        throw NotCanonicalException.INSTANCE;
      }
      if (at == end) {
        break;
      }
      int unused = tag(end);
    }
    out.raw('}');
  }

  /** Writes the value at the place and moves behind it; false without writing if it is null. */
  private boolean value(Step step, int limit, boolean metadata) {
    switch (step.kind) {
      case STRING -> {
        int length = length(limit);
        at += length;
        string(at - length, at);
      }
      case BOOL -> out.ascii(varint(limit) != 0 ? "true" : "false");
      case INT32 -> out.integer(varint(limit) << 32 >> 32); // keeps the low 32 bits
      case INT64 -> out.integer(varint(limit));
      case UINT32 -> out.integer(varint(limit) & 0xFFFF_FFFFL);
      case STRUCT -> {
        int length = length(limit);
        int end = at + length;
        out.raw('{');
        fields(at, end, step.plan(), metadata);
        out.raw('}');
        at = end;
      }
      case BYTES -> {
        int length = length(limit);
        out.raw('"')
            .raw(Base64.getEncoder().encode(Arrays.copyOfRange(bytes, at, at + length)))
            .raw('"');
        at += length;
      }
      default -> {
        return message(step, limit);
      }
    }
    return true;
  }

  private boolean message(Step step, int limit) {
    int length = step.kind == Kind.DOUBLE ? Long.BYTES : length(limit);
    int end = at + length;
    if (end > limit) {
      throw NotCanonicalException.INSTANCE;
    }
    switch (step.kind) {
      case TIME, MICRO_TIME -> {
        return time(step.kind, end);
      }
      case QUANTITY -> {
        String text = "0";
        while (at < end) {
          requireTag(tag(end), 1, Wire.LENGTH);
          int size = length(end);
          text = new String(bytes, at, size, StandardCharsets.UTF_8);
          at += size;
        }
        try {
          out.string(Quantity.canonical(text.strip()));
        } catch (ValueFormatException damaged) {
          throw NotCanonicalException.INSTANCE;
        }
      }
      case INT_OR_STRING -> intOrString(end);
      case FREE -> {
        return free(end);
      }
      case WRAPPED -> wrapped(end);
      case DURATION -> {
        long nanos = 0;
        while (at < end) {
          requireTag(tag(end), 1, Wire.VARINT);
          nanos = varint(end);
        }
        out.string(new GoDuration(nanos).toString());
      }
      default -> throw NotCanonicalException.INSTANCE;
    }
    return true;
  }

  private boolean time(Kind kind, int end) {
    if (at == end) {
      return false;
    }
    long seconds = 0;
    int nanos = 0;
    while (at < end) {
      int tag = tag(end);
      if (tag == Wire.tag(1, Wire.VARINT)) {
        seconds = varint(end);
      } else {
        requireTag(tag, 2, Wire.VARINT);
        nanos = (int) varint(end);
      }
    }
    String time;
    try {
      time =
          Timestamp.print(seconds, nanos, kind == Kind.TIME ? Precision.SECONDS : Precision.MICROS);
    } catch (ValueFormatException damaged) {
      throw NotCanonicalException.INSTANCE;
    }
    if (Timestamp.isZero(time)) {
      return false;
    }
    return text(time);
  }

  private void intOrString(int end) {
    long type = 0;
    int number = 0;
    int from = at;
    int to = at;
    while (at < end) {
      int tag = tag(end);
      if (tag == Wire.tag(1, Wire.VARINT)) {
        type = varint(end);
      } else if (tag == Wire.tag(2, Wire.VARINT)) {
        number = (int) varint(end);
      } else {
        requireTag(tag, 3, Wire.LENGTH);
        int length = length(end);
        from = at;
        at += length;
        to = at;
      }
    }
    if (type == 0) {
      out.integer(number);
    } else if (type == 1) {
      string(from, to);
    } else {
      throw NotCanonicalException.INSTANCE;
    }
  }

  private boolean free(int end) {
    int from = at;
    int to = at;
    while (at < end) {
      requireTag(tag(end), 1, Wire.LENGTH);
      int length = length(end);
      from = at;
      at += length;
      to = at;
    }
    if (from == to) {
      return false;
    }
    if (FieldsV1Json.isCanonical(bytes, from, to)) {
      out.raw(bytes, from, to - from);
      return true;
    }
    Node value;
    try {
      value = JsonTokens.of(Arrays.copyOfRange(bytes, from, to)).document();
    } catch (DecodeException damaged) {
      throw NotCanonicalException.INSTANCE;
    }
    if (value == Null.NULL) {
      return false;
    }
    out.value(value);
    return true;
  }

  private void wrapped(int end) {
    out.raw('[');
    boolean first = true;
    while (at < end) {
      requireTag(tag(end), 1, Wire.LENGTH);
      if (!first) {
        out.raw(',');
      }
      first = false;
      int length = length(end);
      at += length;
      string(at - length, at);
    }
    out.raw(']');
  }

  /** A string whose bytes are checked. */
  private void string(int from, int to) {
    if (!out.plain(bytes, from, to)) {
      if (!Utf8.valid(bytes, from, to)) {
        throw NotCanonicalException.INSTANCE;
      }
      out.string(new String(bytes, from, to - from, StandardCharsets.UTF_8));
    }
  }

  private void require(int tag, int type) {
    if (Wire.type(tag) != type) {
      throw NotCanonicalException.INSTANCE;
    }
  }
}
