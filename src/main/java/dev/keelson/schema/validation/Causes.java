package dev.keelson.schema.validation;

import dev.keelson.api.FieldCause;
import dev.keelson.schema.StructSchema;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with one object; empty and without a list while nothing is. */
final class Causes {

  private final StructSchema schema;
  private List<FieldCause> found = List.of();

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
    FieldCause cause = new FieldCause(reason, message, field);
    if (found.isEmpty()) {
      found = new ArrayList<>();
    }
    for (FieldCause known : found) {
      boolean sameMissing =
          reason.equals("FieldValueRequired")
              && known.reason().equals(reason)
              && known.field().equals(field);
      if (sameMissing || known.equals(cause)) {
        return;
      }
    }
    found.add(cause);
  }

  List<FieldCause> found() {
    return found;
  }
}
