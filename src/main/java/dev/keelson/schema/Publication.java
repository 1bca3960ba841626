package dev.keelson.schema;

import java.util.List;

/**
 * What OpenAPI documents show of the rules of a field. Kubernetes publishes what its Go types
 * declare, not what its code sets or checks.
 *
 * @param showsDefault whether the default is declared
 * @param enumeration the values of the type; empty if it is no enumeration
 * @param listType whether a list type is declared; of bytes, which are no list, it is shown as well
 */
public record Publication(boolean showsDefault, List<String> enumeration, boolean listType) {

  /** No enumeration. */
  public static final Publication NOTHING = new Publication(true, List.of(), false);

  public Publication {
    enumeration = List.copyOf(enumeration);
  }
}
