package dev.keelson.cel.schema;

import dev.keelson.api.FieldCause;
import java.util.List;

/**
 * What the rules say of an object.
 *
 * @param causes the failed rules, in the order of the object's fields
 * @param warnings failed rules on parts that an update does not change: they do not reject it
 */
public record Findings(List<FieldCause> causes, List<String> warnings) {

  /** Nothing. */
  static final Findings NONE = new Findings(List.of(), List.of());

  public Findings {
    causes = List.copyOf(causes);
    warnings = List.copyOf(warnings);
  }
}
