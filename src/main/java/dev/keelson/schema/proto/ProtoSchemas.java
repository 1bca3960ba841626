package dev.keelson.schema.proto;

import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Field.Presence;
import dev.keelson.schema.SchemaNode.Field.Rules;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.ListType;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The structural schemas of the built-in types, by the full name of their protobuf message. Safe
 * for use by several threads.
 *
 * <p>Making one reads the descriptor set and notes where its files begin; asking for a type looks
 * its message up and reads its options; the fields are read on first use of the {@link
 * StructSchema}. So start-up does not grow with the number of types.
 */
public final class ProtoSchemas {

  private static final String RESOURCE = "/keelson/schema.binpb";
  private static final Field KIND =
      new Field("kind", Scalar.STRING, 0, List.of(), Presence.OMIT_EMPTY, Rules.NONE);
  private static final Field API_VERSION =
      new Field("apiVersion", Scalar.STRING, 0, List.of(), Presence.OMIT_EMPTY, Rules.NONE);

  private final DescriptorSet set;
  private final Map<String, SchemaNode> nodes = new ConcurrentHashMap<>();

  ProtoSchemas(DescriptorSet set) {
    this.set = set;
  }

  /**
   * The schemas that the build put on the class path.
   *
   * @throws IllegalStateException if the descriptor set is not there
   */
  public static ProtoSchemas fromClassPath() {
    return new ProtoSchemas(DescriptorSet.ofResource(RESOURCE));
  }

  /**
   * The schema of the message {@code messageName}, the same instance for every call.
   *
   * @param messageName the full name, for example {@code io.k8s.api.core.v1.Pod}
   * @throws IllegalArgumentException if there is no such message, or if JSON writes it as something
   *     else than an object (times, quantities, ...)
   */
  public StructSchema struct(String messageName) {
    if (node(messageName) instanceof StructSchema struct) {
      return struct;
    }
    throw new IllegalArgumentException(messageName + " is not an object in JSON");
  }

  private SchemaNode node(String messageName) {
    SchemaNode known = nodes.get(messageName);
    if (known != null) {
      return known;
    }
    Slice slice = set.find(messageName);
    if (slice == null) {
      throw new IllegalArgumentException("no message " + messageName + " in the schema");
    }
    return nodes.computeIfAbsent(messageName, name -> create(name, slice));
  }

  private SchemaNode create(String name, Slice slice) {
    MessageRules rules = MessageDescriptor.parseRules(set.open(slice));
    return switch (rules.encoding()) {
      case OBJECT -> new StructSchema(name, rules.atomic(), false, () -> fields(name, slice));
      case TIME -> Scalar.TIME;
      case MICRO_TIME -> Scalar.MICRO_TIME;
      case DURATION -> Scalar.DURATION;
      case INT_OR_STRING -> Scalar.INT_OR_STRING;
      case QUANTITY -> Scalar.QUANTITY;
      case RAW_JSON -> Free.RAW_JSON;
      case FIELDS_V1 -> Free.FIELDS_V1;
      case ANY_JSON -> Free.ANY_JSON;
      case UNION ->
          new SchemaNode.Union(new StructSchema(name, false, false, () -> fields(name, slice)));
      case STRING_LIST -> new ListOf(Scalar.STRING, ListType.ATOMIC, List.of(), true);
    };
  }

  private List<Field> fields(String messageName, Slice slice) {
    MessageDescriptor message = MessageDescriptor.parse(set.open(slice));
    List<Field> fields = new ArrayList<>(message.fields().size() + 2);
    if (message.rules().typed()) {
      fields.add(KIND);
      fields.add(API_VERSION);
    }
    for (FieldDescriptor field : message.fields()) {
      if (field.rules().inline()) {
        inline(messageName, field, fields);
      } else {
        fields.add(field(message, field));
      }
    }
    return fields;
  }

  private void inline(String messageName, FieldDescriptor carrier, List<Field> fields) {
    if (!(node(carrier.typeName()) instanceof StructSchema inner)) {
      throw new IllegalStateException(
          messageName + " inlines " + carrier.typeName() + ", which is not an object");
    }
    for (Field field : inner.fields()) {
      List<Integer> path = new ArrayList<>(field.inlinedIn().size() + 1);
      path.add(carrier.number());
      path.addAll(field.inlinedIn());
      fields.add(
          new Field(
              field.name(), field.type(), field.number(), path, field.presence(), field.rules()));
    }
  }

  private Field field(MessageDescriptor message, FieldDescriptor field) {
    SchemaNode type = type(message, field);
    return new Field(
        field.jsonName(),
        type,
        field.number(),
        List.of(),
        presence(field, type),
        field.rules().rules());
  }

  private SchemaNode type(MessageDescriptor message, FieldDescriptor field) {
    FieldRules rules = field.rules();
    if (!field.repeated()) {
      SchemaNode single = single(field);
      return rules.granular() && single instanceof StructSchema struct ? struct.granular() : single;
    }
    String entry = field.typeName().substring(field.typeName().lastIndexOf('.') + 1);
    FieldDescriptor mapValue = field.message() ? message.mapValues().get(entry) : null;
    return mapValue != null
        ? new MapOf(single(mapValue), rules.atomicMap())
        : new ListOf(single(field), rules.listType(), rules.mapKeys(), false);
  }

  private SchemaNode single(FieldDescriptor field) {
    return switch (field.type()) {
      case FieldDescriptor.MESSAGE -> node(field.typeName());
      case FieldDescriptor.STRING -> Scalar.STRING;
      case FieldDescriptor.BOOL -> Scalar.BOOL;
      case FieldDescriptor.INT32 -> Scalar.INT32;
      case FieldDescriptor.INT64 -> Scalar.INT64;
      case FieldDescriptor.UINT32 -> Scalar.UINT32;
      case FieldDescriptor.UINT64 -> Scalar.UINT64;
      case FieldDescriptor.DOUBLE -> Scalar.DOUBLE;
      case FieldDescriptor.BYTES -> Scalar.BYTES;
      default ->
          throw new IllegalStateException(
              "field " + field.jsonName() + " has unsupported type " + field.type());
    };
  }

  private static Presence presence(FieldDescriptor field, SchemaNode type) {
    boolean pointer =
        field.optional() || (field.message() && !field.repeated() && !(type instanceof ListOf));
    return switch (field.rules().hold()) {
      case VALUE -> Presence.VALUE;
      case ALWAYS -> pointer ? Presence.NULLABLE : Presence.ALWAYS;
      case OMIT_ZERO -> Presence.OMIT_ZERO;
      case UNSET -> pointer ? Presence.POINTER : Presence.OMIT_EMPTY;
    };
  }
}
