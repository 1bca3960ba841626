package dev.keelson.cel;

import java.util.Map;

/** The type of a variable or of a result. */
public sealed interface ValueType {

  /** Simple types. */
  enum Simple implements ValueType {
    BOOL("bool"),
    INT("int"),
    TEXT("string"),
    /** Kubernetes' quantity. */
    QUANTITY("kubernetes.Quantity"),
    /** Of a type that is not known: like {@link #ANY}, but neither list nor map. */
    UNKNOWN("any"),
    /** Dynamically typed. */
    ANY("any");

    private final String word;

    Simple(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }

  /** A list. Its values are {@link java.util.List}s. */
  record ListOf(ValueType item) implements ValueType {
    @Override
    public String word() {
      return "list(" + item.word() + ")";
    }
  }

  /** A map with string keys. Its values are {@link Map}s. */
  record MapOf(ValueType value) implements ValueType {
    @Override
    public String word() {
      return "map(string, " + value.word() + ")";
    }
  }

  /**
   * An object type. Its values are {@link Map}s of the set fields.
   *
   * @param name a qualified name, unique in an environment
   */
  record Struct(String name, Map<String, ValueType> fields) implements ValueType {
    public Struct {
      fields = Map.copyOf(fields);
    }

    @Override
    public String word() {
      return name;
    }
  }

  /** The name of the type in CEL. */
  String word();
}
