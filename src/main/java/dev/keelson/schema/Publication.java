package dev.keelson.schema;

import java.util.List;

/**
 * What OpenAPI documents show of the rules of a field. Kubernetes publishes what its Go types
 * declare, not what its code sets or checks.
 *
 * @param showsDefault whether the default is declared
 * @param enumeration the values of the type; empty if it is no enumeration
 */
public record Publication(boolean showsDefault, List<String> enumeration) {

  /** No enumeration. */
  public static final Publication NOTHING = new Publication(true, List.of());

  public Publication {
    enumeration = List.copyOf(enumeration);
  }
}
