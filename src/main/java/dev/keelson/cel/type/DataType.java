package dev.keelson.cel.type;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The type of data in expressions (source: Kubernetes' apiserver/pkg/cel, DeclType). Immutable.
 *
 * @param kind what it is
 * @param name the name of an {@link Kind#OBJECT} type; otherwise CEL's name
 * @param fields the fields of an object by their escaped names
 * @param element the type of the elements of a list or of the values of a map
 * @param listKind how lists are compared and joined
 * @param keys the fields that identify an element of a {@link ListKind#MAP} list
 * @param maxElements the maximum size: characters, bytes, items or entries; 0 for types without a
 *     size, as Kubernetes has it
 * @param minSize the minimum size as JSON, in bytes
 */
public record DataType(
    Kind kind,
    String name,
    Map<String, DataType> fields,
    @Nullable DataType element,
    ListKind listKind,
    List<String> keys,
    long maxElements,
    long minSize) {

  /** Any value, typed when it is evaluated. */
  public static final DataType DYN = simple(Kind.DYN, "dyn", 0, 1);

  /** A boolean. */
  public static final DataType BOOL = simple(Kind.BOOL, "bool", 0, 4);

  /** A 64-bit integer. */
  public static final DataType INT = simple(Kind.INT, "int", 0, 1);

  /** A floating-point number. */
  public static final DataType DOUBLE = simple(Kind.DOUBLE, "double", 0, 1);

  /** Kinds of types. */
  public enum Kind {
    DYN,
    BOOL,
    INT,
    DOUBLE,
    STRING,
    BYTES,
    DURATION,
    /** A time stamp that is written as a date. */
    DATE,
    /** A time stamp that is written as date and time. */
    DATE_TIME,
    LIST,
    MAP,
    OBJECT
  }

  /** How lists are compared and joined. */
  public enum ListKind {
    ATOMIC,
    SET,
    MAP
  }

  public DataType {
    fields = Map.copyOf(fields);
    keys = List.copyOf(keys);
  }

  /** A type without parts. */
  public static DataType simple(Kind kind, String name, long maxElements, long minSize) {
    return new DataType(
        kind, name, Map.of(), null, ListKind.ATOMIC, List.of(), maxElements, minSize);
  }

  /** A list. */
  public static DataType list(
      DataType element, ListKind kind, List<String> keys, long maxElements) {
    return new DataType(Kind.LIST, "list", Map.of(), element, kind, keys, maxElements, 2);
  }

  /** A map with keys of type string. */
  public static DataType map(DataType value, long maxElements) {
    return new DataType(
        Kind.MAP, "map", Map.of(), value, ListKind.ATOMIC, List.of(), maxElements, 2);
  }

  /**
   * An object.
   *
   * @param name unique among the types of an expression
   */
  public static DataType object(String name, Map<String, DataType> fields, long minSize) {
    return new DataType(Kind.OBJECT, name, fields, null, ListKind.ATOMIC, List.of(), 0, minSize);
  }

  /** The type of the field or key {@code property}, which is not escaped; DYN if unknown. */
  DataType of(String property) {
    if (kind == Kind.OBJECT) {
      DataType field = fields.get(FieldNames.escape(property));
      return field == null ? DYN : field;
    }
    return items();
  }

  /** The type of elements or values; DYN if unknown. */
  DataType items() {
    return element == null ? DYN : element;
  }
}
