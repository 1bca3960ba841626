package dev.keelson.schema.codec.protobuf;

import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Text;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.FieldPath;
import java.util.Arrays;

/**
 * The envelope of protobuf objects on the wire and at rest: four magic bytes and a message {@code
 * Unknown} that names the type (contract, "Binary (protobuf) envelope").
 *
 * @param apiVersion as the envelope says it; may be empty
 * @param kind as the envelope says it; may be empty
 * @param format what the object is written in
 * @param bytes the array that holds the object
 * @param from where in {@code bytes} the object begins
 * @param to where it ends
 */
@SuppressWarnings("ArrayRecordComponent") // a view of the array, never compared
public record Envelope(
    String apiVersion, String kind, Format format, byte[] bytes, int from, int to) {

  /** The serializations that the envelope is known to hold. */
  public enum Format {
    PROTOBUF,
    JSON
  }

  private static final byte[] MAGIC = {'k', '8', 's', 0};

  // the fields of Unknown, then those of its TypeMeta
  private static final int TYPE_META = 1;
  private static final int RAW = 2;
  private static final int CONTENT_ENCODING = 3;
  private static final int CONTENT_TYPE = 4;
  private static final int API_VERSION = 1;
  private static final int KIND = 2;

  /** Whether {@code bytes} begin with the magic bytes. */
  public static boolean begins(byte[] bytes) {
    return begins(bytes, 0, bytes.length);
  }

  /** The same of the part of {@code bytes} from {@code from} to {@code to}. */
  public static boolean begins(byte[] bytes, int from, int to) {
    return to - from >= MAGIC.length
        && Arrays.equals(bytes, from, from + MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  /**
   * Reads the envelope.
   *
   * @throws DecodeException of fault ENCODING if it is malformed, or has an unsupported content
   *     type
   */
  public static Envelope read(byte[] bytes) {
    if (bytes.length == 0) {
      throw broken("empty data");
    }
    if (!begins(bytes)) {
      throw broken(
          "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
    }
    if (bytes.length == MAGIC.length) {
      throw broken("empty body");
    }
    try {
      return fields(bytes);
    } catch (DecodeException e) {
      throw broken(e.text());
    }
  }

  private static Envelope fields(byte[] bytes) {
    ProtobufInput in = new ProtobufInput(bytes, MAGIC.length, bytes.length);
    FieldPath path = new FieldPath();
    path.field("Unknown");
    String[] type = {"", ""};
    String encoding = "";
    String mediaType = "";
    int from = 0;
    int to = 0;
    while (in.more()) {
      int tag = in.tag();
      int number = Wire.number(tag);
      if (number > CONTENT_TYPE) {
        in.skip(tag);
        continue;
      }
      in.require(Wire.LENGTH, tag, path);
      switch (number) {
        case TYPE_META -> typeMeta(in, type, path);
        case RAW -> {
          from = in.passBytes();
          to = in.position();
        }
        case CONTENT_ENCODING -> encoding = in.string();
        default -> mediaType = in.string();
      }
    }
    if (!encoding.isEmpty()) {
      throw broken("the content encoding \"" + encoding + "\" of the envelope is not supported");
    }
    return new Envelope(type[0], type[1], format(mediaType), bytes, from, to);
  }

  private static void typeMeta(ProtobufInput in, String[] type, FieldPath path) {
    int outer = in.enter();
    while (in.more()) {
      int tag = in.tag();
      int number = Wire.number(tag);
      if (number == API_VERSION || number == KIND) {
        in.require(Wire.LENGTH, tag, path);
        type[number - 1] = in.string();
      } else {
        in.skip(tag);
      }
    }
    in.leave(outer);
  }

  private static Format format(String mediaType) {
    return switch (mediaType) {
      case "", "application/vnd.kubernetes.protobuf", "application/vnd.cluster.protobuf" ->
          Format.PROTOBUF;
      case "application/json" -> Format.JSON;
      default ->
          throw broken("the content type \"" + mediaType + "\" of the envelope is not supported");
    };
  }

  /** Writes the end of an envelope: no encoding and no content type, as Kubernetes does. */
  public static ProtobufOutput end(ProtobufOutput out) {
    return out.string(CONTENT_TYPE, "").string(CONTENT_ENCODING, "");
  }

  /**
   * Writes what stands in front of an object.
   *
   * @param length the length of the object, which may lie in another array
   */
  public static ProtobufOutput begin(
      ProtobufOutput out, String apiVersion, String kind, long length) {
    out.close(RAW, length);
    int end = out.size();
    out.string(KIND, kind).string(API_VERSION, apiVersion);
    return out.close(TYPE_META, out.size() - end).raw(MAGIC);
  }

  /**
   * {@code object} with the type that the envelope names, where a kind of {@code schema} has it.
   */
  public MapNode typed(MapNode object, StructSchema schema) {
    if (schema.indexOf("kind") < 0 || (kind.isEmpty() && apiVersion.isEmpty())) {
      return object;
    }
    MapNode.Builder typed = MapNode.builder(object.size() + 2);
    put(typed, "kind", kind.isEmpty() ? object.text("kind") : kind);
    put(typed, "apiVersion", apiVersion.isEmpty() ? object.text("apiVersion") : apiVersion);
    object.without("kind").without("apiVersion").forEach(typed::put);
    return typed.build();
  }

  private static void put(MapNode.Builder object, String key, String value) {
    if (!value.isEmpty()) {
      object.put(key, new Text(value));
    }
  }

  private static DecodeException broken(String message) {
    return new DecodeException(Fault.ENCODING, message);
  }
}
