package dev.keelson.schema;

import dev.keelson.schema.SchemaNode.Declaration;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What is worked out from a schema on first use and shared by all requests. Values of built-in
 * types are kept for good; those of custom resources go with the declaration that they were made
 * from. Safe for use by several threads.
 */
public final class DerivedBySchema<T> {

  private final Class<T> kind;
  private final Map<StructSchema, T> builtIn = new ConcurrentHashMap<>();

  /**
   * An empty cache.
   *
   * @param kind the class of the values; a declaration keeps one value of each class
   */
  public DerivedBySchema(Class<T> kind) {
    this.kind = kind;
  }

  /**
   * The value of a schema.
   *
   * @param make makes it; may run more than once when several threads ask at the same time, and may
   *     ask for the values of other schemas
   */
  public T of(StructSchema schema, Function<StructSchema, T> make) {
    Declaration declaration = schema.declaration();
    if (declaration != null) {
      return declaration.derived(kind, () -> make.apply(schema));
    }
    T known = builtIn.get(schema);
    if (known == null) {
      // not computeIfAbsent: to make one value may need another
      T made = make.apply(schema);
      T raced = builtIn.putIfAbsent(schema, made);
      known = raced == null ? made : raced;
    }
    return known;
  }
}
