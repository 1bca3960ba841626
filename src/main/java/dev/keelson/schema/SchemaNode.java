package dev.keelson.schema;

import java.util.List;

/**
 * The shape of one value. Immutable. Schemas may be recursive: a struct's fields are resolved on
 * first use.
 */
public sealed interface SchemaNode
    permits StructSchema, SchemaNode.ListOf, SchemaNode.MapOf, SchemaNode.Scalar, SchemaNode.Free {

  /** How server-side apply owns a list. */
  enum ListType {
    ATOMIC,
    SET,
    MAP
  }

  /**
   * A JSON array.
   *
   * @param element the shape of its elements
   * @param type how it is owned
   * @param mapKeys the fields that name an element of a {@link ListType#MAP} list; empty for the
   *     others
   * @param wrapped whether the protobuf wire carries the list as a message with repeated field 1
   */
  record ListOf(SchemaNode element, ListType type, List<String> mapKeys, boolean wrapped)
      implements SchemaNode {
    public ListOf {
      mapKeys = List.copyOf(mapKeys);
    }
  }

  /**
   * A JSON object with free keys and alike values.
   *
   * @param value the shape of its values
   * @param atomic whether server-side apply owns it as a whole
   */
  record MapOf(SchemaNode value, boolean atomic) implements SchemaNode {}

  /** A value without parts. */
  enum Scalar implements SchemaNode {
    STRING,
    INT32,
    INT64,
    UINT32,
    UINT64,
    DOUBLE,
    BOOL,
    /** Base64 in JSON. */
    BYTES,
    /** RFC 3339 with seconds, UTC. */
    TIME,
    /** RFC 3339 with six decimals, UTC. */
    MICRO_TIME,
    /** A Go duration string. */
    DURATION,
    INT_OR_STRING,
    /** A resource quantity, kept as written. */
    QUANTITY
  }

  /** A value that the schema leaves to its owner. */
  enum Free implements SchemaNode {
    /** Any JSON value. */
    RAW_JSON,
    /** The field paths of managedFields: a JSON object. */
    FIELDS_V1
  }
}
