package dev.keelson.schema.validation;

import dev.keelson.api.FieldCause;
import dev.keelson.schema.StructSchema;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects what is wrong with one object. */
final class Causes {

  private static final String MISSING = "FieldValueRequired";

  /**
   * How long all messages and paths together may get: people read the first few, and an object of
   * some megabytes could be wrong in hundreds of thousands of places.
   */
  private static final int MOST_CHARACTERS = 8 << 20;

  private final StructSchema schema;
  private final Set<FieldCause> found = new LinkedHashSet<>(0);
  private final Set<String> missing = new HashSet<>(0);
  private int characters;

  /** For objects of {@code schema}. */
  Causes(StructSchema schema) {
    this.schema = schema;
  }

  /** The schema of the objects that are complained of. */
  StructSchema schema() {
    return schema;
  }

  /** Adds a cause, unless the very same was found before (by the schema's rules, for example). */
  void add(String reason, String message, String field) {
    if (characters >= MOST_CHARACTERS || (reason.equals(MISSING) && !missing.add(field))) {
      return;
    }
    if (found.add(new FieldCause(reason, message, field))) {
      characters += message.length() + field.length();
    }
  }

  List<FieldCause> found() {
    return List.copyOf(found);
  }
}
