package dev.keelson.cel.schema;

import dev.keelson.cel.type.DataType;
import dev.keelson.cel.type.DataType.Kind;
import java.util.Map;

/**
 * A type without the names of its objects, which tell where a schema has it and do not change what
 * an expression does or costs. Immutable.
 */
final class Shape {

  private final DataType type;
  private final int hash;

  Shape(DataType type) {
    this.type = type;
    this.hash = hash(type);
  }

  private static int hash(DataType type) {
    int fields = 0;
    for (Map.Entry<String, DataType> field : type.fields().entrySet()) {
      // the entries of equal maps may come in any order
      fields += (field.getKey().hashCode() * 31) + hash(field.getValue());
    }
    int sizes = (Long.hashCode(type.maxElements()) * 31) + Long.hashCode(type.minSize());
    int hash = (type.kind().hashCode() * 31 + fields) * 31 + sizes;
    DataType element = type.element();
    return (hash * 31 + type.keys().hashCode()) * 31 + (element == null ? 0 : hash(element));
  }

  private static boolean isSame(DataType one, DataType other) {
    if (one == other) {
      return true;
    }
    return one.kind() == other.kind()
        && (one.kind() == Kind.OBJECT || one.name().equals(other.name()))
        && one.listKind() == other.listKind()
        && one.maxElements() == other.maxElements()
        && one.minSize() == other.minSize()
        && one.keys().equals(other.keys())
        && hasSameElement(one, other)
        && hasSameFields(one, other);
  }

  private static boolean hasSameElement(DataType one, DataType other) {
    DataType element = one.element();
    DataType otherElement = other.element();
    return (element == null || otherElement == null)
        ? element == otherElement
        : isSame(element, otherElement);
  }

  private static boolean hasSameFields(DataType one, DataType other) {
    if (one.fields().size() != other.fields().size()) {
      return false;
    }
    for (Map.Entry<String, DataType> field : one.fields().entrySet()) {
      DataType known = other.fields().get(field.getKey());
      if (known == null || !isSame(field.getValue(), known)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape shape && hash == shape.hash && isSame(type, shape.type);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
