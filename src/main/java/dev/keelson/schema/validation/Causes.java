package dev.keelson.schema.validation;

import dev.keelson.api.FieldCause;
import dev.keelson.schema.StructSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong with one object. */
final class Causes {

  private static final String MISSING = "FieldValueRequired";

  /**
   * How long all messages and paths together may get: people read the first few, and an object of
   * some megabytes could be wrong in hundreds of thousands of places.
   */
  private static final int MOST_CHARACTERS = 8 << 20;

  private final StructSchema schema;

  /** By themselves; what is missing by its field, since it is told once. */
  private final Map<Object, FieldCause> found = new LinkedHashMap<>(0);

  private int characters;
  private final @Nullable SchemaRules inOrder;

  /**
   * For objects of {@code schema}.
   *
   * @param inOrder the rules that {@link Value#declared} applies where the rules of a type ask for
   *     them, null if all of them are applied beforehand
   */
  Causes(StructSchema schema, @Nullable SchemaRules inOrder) {
    this.schema = schema;
    this.inOrder = inOrder;
  }

  /** See the constructor. */
  @Nullable SchemaRules inOrder() {
    return inOrder;
  }

  /** The schema of the objects that are complained of. */
  StructSchema schema() {
    return schema;
  }

  /**
   * Adds a cause, unless the very same was found before (by the schema's rules, for example). Of
   * two that miss the same field, the one stays that says why.
   */
  void add(String reason, String message, String field) {
    if (characters >= MOST_CHARACTERS) {
      return;
    }
    FieldCause cause = new FieldCause(reason, message, field);
    Object key = reason.equals(MISSING) ? field : cause;
    FieldCause known = found.putIfAbsent(key, cause);
    if (known == null) {
      characters += message.length() + field.length();
    } else if (known.message().equals("Required value")) {
      // what a rule of the type says of it tells more
      found.put(key, cause);
    }
  }

  /** How many there are. */
  int count() {
    return found.size();
  }

  List<FieldCause> found() {
    return List.copyOf(found.values());
  }
}
