package dev.keelson.schema.codec.stored;

import dev.keelson.schema.SchemaNode.Field.Presence;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.json.JsonTape;
import dev.keelson.schema.codec.json.JsonTape.NotCanonicalException;
import dev.keelson.schema.codec.protobuf.ProtobufList;
import dev.keelson.schema.codec.protobuf.ProtobufOutput;
import dev.keelson.schema.codec.protobuf.Wire;
import dev.keelson.schema.codec.stored.WirePlan.Kind;
import dev.keelson.schema.codec.stored.WirePlan.Shape;
import dev.keelson.schema.codec.stored.WirePlan.Step;
import dev.keelson.value.GoDuration;
import dev.keelson.value.Quantity;
import dev.keelson.value.Timestamp;
import dev.keelson.value.ValueFormatException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Base64;

/**
 * Transcodes the JSON of an object to protobuf, without a tree. It writes what {@link
 * ProtobufOutput#message} writes of the tree that {@link ObjectReader#json} reads, or says that the
 * JSON is {@link NotCanonicalException}: not compact, of wrong types, or with values not in the
 * form that an encoder gives them. Used by one thread, for any number of objects.
 */
final class JsonToProtobuf {

  /*
   * The tape has the position of each value. For each struct the places of its fields go to a part of `stack`, by their position; then
   * the fields are written by falling number, from the end of the message to its front. Node 0 is the document, so a place of 0 means that
   * the field is not set.
   */

  private static final int UNSET = 0;

  /** The beginning of the year 2. */
  private static final long AFTER_ZERO_TIME = LocalDate.of(2, 1, 1).toEpochDay() * 86_400;

  private final JsonTape tape = new JsonTape();
  private final ProtobufOutput out = new ProtobufOutput(8192);
  private int[] stack = new int[512];
  private int top;
  private byte[] json = {};
  private byte[] scratch = {};

  /** The resourceVersion to write; empty for the one in the JSON. */
  private byte[] revision = {};

  /**
   * The message of an object.
   *
   * @param stored the object's JSON
   * @param revision its resourceVersion, instead of the one in the JSON; 0 leaves that
   * @throws NotCanonicalException if it has to go over a tree
   */
  byte[] message(byte[] stored, WirePlan plan, long revision) {
    write(stored, plan, revision);
    return out.toBytes();
  }

  /** The same as an element of a list. */
  byte[] item(byte[] stored, WirePlan plan, long revision) {
    write(stored, plan, revision);
    return out.close(ProtobufList.ITEMS, out.size()).toBytes();
  }

  private void write(byte[] stored, WirePlan plan, long revision) {
    this.revision =
        revision == 0 ? new byte[0] : Long.toString(revision).getBytes(StandardCharsets.US_ASCII);
    json = stored;
    top = 0;
    out.clear();
    tape.read(stored);
    if (tape.kind(0) != '{') {
      throw NotCanonicalException.INSTANCE;
    }
    root(plan);
  }

  private void root(WirePlan plan) {
    int base = collect(0, plan);
    Step[] steps = plan.steps();
    for (int i = steps.length - 1; i >= 0; i--) {
      Step step = steps[i];
      if (revision.length > 0 && step.number == 1 && step.kind == Kind.STRUCT) {
        metadata(step, stack[base + step.position]);
      } else {
        step(step, base);
      }
    }
    top = base;
  }

  /** The metadata, with another resourceVersion. */
  private void metadata(Step step, int node) {
    if (node == UNSET || tape.kind(node) != '{') {
      throw NotCanonicalException.INSTANCE;
    }
    WirePlan plan = step.plan();
    int position = plan.schema().indexOf("resourceVersion");
    int end = out.size();
    int base = collect(node, plan);
    Step[] steps = plan.steps();
    for (int i = steps.length - 1; i >= 0; i--) {
      if (steps[i].position == position) {
        out.raw(revision).close(steps[i].number, revision.length);
      } else {
        step(steps[i], base);
      }
    }
    top = base;
    out.close(step.number, out.size() - end);
  }

  /** Finds the fields of an object; returns where in the stack their places begin. */
  private int collect(int object, WirePlan plan) {
    int base = top;
    int count = plan.fieldCount();
    reserve(count);
    Arrays.fill(stack, base, base + count, UNSET);
    top = base + count;
    int end = tape.after(object);
    int guess = 0;
    for (int name = JsonTape.inside(object); name < end; ) {
      int value = JsonTape.inside(name);
      if (tape.escaped(name)) {
        throw NotCanonicalException.INSTANCE;
      }
      int position = plan.position(json, tape.from(name) + 1, tape.to(name), guess);
      if (position >= 0) {
        if (stack[base + position] != UNSET) {
          throw NotCanonicalException.INSTANCE;
        }
        if (tape.kind(value) != 'n') {
          stack[base + position] = value;
        }
        guess = position + 1;
      }
      name = tape.after(value);
    }
    return base;
  }

  private void reserve(int count) {
    if (top + count > stack.length) {
      stack = Arrays.copyOf(stack, Math.max(stack.length * 2, top + count));
    }
  }

  private void push(int value) {
    reserve(1);
    stack[top++] = value;
  }

  private void step(Step step, int base) {
    if (step.shape == Shape.INLINED) {
      int end = out.size();
      for (int i = step.inner.length - 1; i >= 0; i--) {
        step(step.inner[i], base);
      }
      out.close(step.number, out.size() - end);
      return;
    }
    int node = stack[base + step.position];
    switch (step.shape) {
      case ONE -> {
        if (node != UNSET) {
          one(step, node);
        } else if (!step.optional()) {
          zero(step);
        }
      }
      case LIST -> {
        if (node != UNSET) {
          list(step.number, step, node);
        }
      }
      case MAP -> {
        if (node != UNSET) {
          map(step, node);
        }
      }
      case INLINED -> throw new IllegalStateException("handled above");
    }
  }

  /** A field that stands once. */
  private void one(Step step, int node) {
    if (step.presence == Presence.OMIT_EMPTY
        && (step.kind == Kind.BYTES || step.kind == Kind.WRAPPED || step.kind == Kind.FREE)
        && tape.to(node) - tape.from(node) <= 2) {
      // an empty one is not written, another short one will not come often
      throw NotCanonicalException.INSTANCE;
    }
    value(step.number, step, node);
  }

  private void list(int number, Step step, int array) {
    require(array, '[');
    int base = top;
    int end = tape.after(array);
    for (int element = JsonTape.inside(array); element < end; element = tape.after(element)) {
      push(element);
    }
    for (int i = top - 1; i >= base; i--) {
      int element = stack[i];
      if (tape.kind(element) == 'n') {
        throw NotCanonicalException.INSTANCE;
      }
      value(number, step, element);
    }
    top = base;
  }

  private void map(Step step, int object) {
    require(object, '{');
    int base = top;
    int end = tape.after(object);
    int before = -1;
    for (int key = JsonTape.inside(object); key < end; ) {
      if (tape.escaped(key) || (before >= 0 && !rises(before, key))) {
        throw NotCanonicalException.INSTANCE;
      }
      push(key);
      before = key;
      key = tape.after(JsonTape.inside(key));
    }
    for (int i = top - 1; i >= base; i--) {
      int key = stack[i];
      int entryEnd = out.size();
      int value = JsonTape.inside(key);
      if (tape.kind(value) == 'n') {
        throw NotCanonicalException.INSTANCE;
      }
      value(2, step, value);
      string(1, key);
      out.close(step.number, out.size() - entryEnd);
    }
    top = base;
  }

  private boolean rises(int before, int key) {
    return Arrays.compareUnsigned(
            json, tape.from(before) + 1, tape.to(before), json, tape.from(key) + 1, tape.to(key))
        < 0;
  }

  private void value(int number, Step step, int node) {
    switch (step.kind) {
      case STRING -> string(number, node);
      case BOOL -> {
        byte kind = tape.kind(node);
        if (kind != 't' && kind != 'f') {
          throw NotCanonicalException.INSTANCE;
        }
        out.varint(number, kind == 't' ? 1 : 0);
      }
      case INT32 -> out.varint(number, ranged(node, Integer.MIN_VALUE, Integer.MAX_VALUE));
      case INT64 -> out.varint(number, integer(node));
      case UINT32 -> out.varint(number, ranged(node, 0, 0xFFFF_FFFFL));
      case DOUBLE -> {
        out.fixed64(Double.doubleToRawLongBits(floating(node)));
        out.tag(number, Wire.FIXED64);
      }
      case STRUCT -> struct(number, step.plan(), node);
      case WRAPPED -> {
        int end = out.size();
        wrapped(node);
        out.close(number, out.size() - end);
      }
      case FREE -> {
        int end = out.size();
        int length = end(node) - tape.from(node);
        JsonScalars.requireCanonical(json, tape.from(node), length);
        out.raw(json, tape.from(node), length).close(1, length);
        out.close(number, out.size() - end);
      }
      case BYTES -> {
        byte[] content = bytes(node);
        out.raw(content).close(number, content.length);
      }
      case TIME, MICRO_TIME, DURATION, INT_OR_STRING, QUANTITY -> {
        int end = out.size();
        message(step.kind, node);
        out.close(number, out.size() - end);
      }
      case OTHER -> throw NotCanonicalException.INSTANCE;
    }
  }

  private void struct(int number, WirePlan plan, int node) {
    require(node, '{');
    int end = out.size();
    int base = collect(node, plan);
    Step[] steps = plan.steps();
    for (int i = steps.length - 1; i >= 0; i--) {
      step(steps[i], base);
    }
    top = base;
    out.close(number, out.size() - end);
  }

  private void wrapped(int array) {
    require(array, '[');
    int base = top;
    int end = tape.after(array);
    for (int element = JsonTape.inside(array); element < end; element = tape.after(element)) {
      push(element);
    }
    for (int i = top - 1; i >= base; i--) {
      string(1, stack[i]);
    }
    top = base;
  }

  /** What the wire has where a field that is no pointer is not set. */
  private void zero(Step step) {
    int number = step.number;
    switch (step.kind) {
      case STRING -> out.close(number, 0);
      case BOOL, INT32, INT64, UINT32 -> out.varint(number, 0);
      case DOUBLE -> {
        out.fixed64(0);
        out.tag(number, Wire.FIXED64);
      }
      case BYTES, WRAPPED -> {}
      case TIME, MICRO_TIME, FREE -> out.close(number, 0);
      case DURATION -> {
        int end = out.size();
        out.varint(1, 0);
        out.close(number, out.size() - end);
      }
      case QUANTITY -> {
        int end = out.size();
        out.string(1, "0").close(number, out.size() - end);
      }
      case INT_OR_STRING -> {
        int end = out.size();
        out.string(3, "");
        out.varint(2, 0);
        out.varint(1, 0);
        out.close(number, out.size() - end);
      }
      case STRUCT -> {
        byte[] zero = step.plan().zero();
        out.raw(zero).close(number, zero.length);
      }
      case OTHER -> throw NotCanonicalException.INSTANCE;
    }
  }

  /** The content of the scalars that are messages on the wire. */
  private void message(Kind kind, int node) {
    switch (kind) {
      case TIME -> {
        require(node, '"');
        if (tape.to(node) - tape.from(node) != 21) {
          throw NotCanonicalException.INSTANCE;
        }
        out.varint(2, 0);
        out.varint(1, epochSecond(node));
      }
      case MICRO_TIME -> {
        require(node, '"');
        int from = tape.from(node) + 1;
        if (tape.to(node) - from != 27 || json[from + 19] != '.') {
          throw NotCanonicalException.INSTANCE;
        }
        long second = epochSecond(node);
        long micros = Timestamp.micros(json, from);
        if (micros < 0) {
          throw NotCanonicalException.INSTANCE;
        }
        out.varint(2, micros * 1000);
        out.varint(1, second);
      }
      case DURATION -> out.varint(1, duration(node));
      case QUANTITY -> {
        require(node, '"');
        if (!Quantity.isCanonical(json, tape.from(node) + 1, tape.to(node))) {
          throw NotCanonicalException.INSTANCE;
        }
        string(1, node);
      }
      case INT_OR_STRING -> {
        boolean text = tape.kind(node) == '"';
        long number = text ? 0 : ranged(node, Integer.MIN_VALUE, Integer.MAX_VALUE);
        if (text) {
          string(3, node);
        } else {
          out.close(3, 0);
        }
        out.varint(2, number);
        out.varint(1, text ? 1 : 0);
      }
      case STRING, BOOL, INT32, INT64, UINT32, DOUBLE, BYTES, STRUCT, WRAPPED, FREE, OTHER ->
          throw new IllegalStateException(kind + " is no message");
    }
  }

  /** The seconds of a time; Go's zero time, which is no message, is left to the tree. */
  private long epochSecond(int node) {
    long second = Timestamp.epochSecond(json, tape.from(node) + 1, tape.to(node));
    if (second < AFTER_ZERO_TIME) {
      throw NotCanonicalException.INSTANCE;
    }
    return second;
  }

  private long duration(int node) {
    try {
      return GoDuration.parse(text(node)).nanos();
    } catch (ValueFormatException e) {
      throw NotCanonicalException.INSTANCE;
    }
  }

  private byte[] bytes(int node) {
    require(node, '"');
    if (tape.escaped(node)) {
      throw NotCanonicalException.INSTANCE;
    }
    try {
      return Base64.getDecoder()
          .decode(Arrays.copyOfRange(json, tape.from(node) + 1, tape.to(node)));
    } catch (IllegalArgumentException noBase64) {
      throw NotCanonicalException.INSTANCE;
    }
  }

  private double floating(int node) {
    return JsonScalars.floating(json, tape.from(node), tape.to(node));
  }

  private long ranged(int node, long low, long high) {
    long value = integer(node);
    if (value < low || value > high) {
      throw NotCanonicalException.INSTANCE;
    }
    return value;
  }

  private long integer(int node) {
    return JsonScalars.integer(json, tape.from(node), tape.to(node));
  }

  private String text(int node) {
    require(node, '"');
    if (tape.escaped(node)) {
      throw NotCanonicalException.INSTANCE;
    }
    int from = tape.from(node) + 1;
    return new String(json, from, tape.to(node) - from, StandardCharsets.UTF_8);
  }

  private void string(int number, int node) {
    require(node, '"');
    int from = tape.from(node) + 1;
    int length = tape.to(node) - from;
    if (!tape.escaped(node)) {
      out.raw(json, from, length).close(number, length);
      return;
    }
    if (scratch.length < length) {
      scratch = new byte[Math.max(length, 2 * scratch.length)];
    }
    int size = JsonScalars.unescape(json, from, from + length, scratch);
    out.raw(scratch, 0, size).close(number, size);
  }

  private int end(int node) {
    return tape.kind(node) == '"' ? tape.to(node) + 1 : tape.to(node);
  }

  private void require(int node, char kind) {
    if (tape.kind(node) != kind) {
      throw NotCanonicalException.INSTANCE;
    }
  }
}
