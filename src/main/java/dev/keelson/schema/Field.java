package dev.keelson.schema;

import java.util.List;

/**
 * One field of a struct, as JSON shows it.
 *
 * @param name the JSON name
 * @param type its shape
 * @param number the number on the protobuf wire, 0 if it is never there ({@code apiVersion}, {@code
 *     kind})
 * @param inlinedIn the numbers of the message fields that carry this field on the wire, outermost
 *     first; empty if the parent carries it itself
 * @param presence when the field is written
 * @param rules everything else that is known of it
 */
public record Field(
    String name,
    SchemaNode type,
    int number,
    List<Integer> inlinedIn,
    Presence presence,
    Rules rules) {

  public Field {
    inlinedIn = List.copyOf(inlinedIn);
  }

  /** When a field is written, in the terms of the Go structs that clients compare with. */
  public enum Presence {
    /** A pointer with omitempty: written when set, even to a zero value. */
    POINTER,
    /** A value with omitempty: a zero scalar, an empty list or an empty map is not written. */
    OMIT_EMPTY,
    /** A struct held by value: written even when empty. */
    VALUE,
    /** A struct held by value that is not written when empty (omitzero). */
    OMIT_ZERO,
    /**
     * No omitempty: written even when zero; lists and maps without elements that were never set as
     * null.
     */
    ALWAYS,
    /** A pointer without omitempty: written as null when not set. */
    NULLABLE
  }

  /**
   * Rules beyond the shape.
   *
   * @param required the API calls the field required
   * @param immutable no update may change it
   * @param defaultJson the default as a JSON literal, or empty
   * @param patchStrategies strategic merge patch: {@code merge}, {@code replace}, {@code
   *     retainKeys}
   * @param patchMergeKey strategic merge patch: the merge key, or empty
   * @param known the known values of an enumerated string
   */
  public record Rules(
      boolean required,
      boolean immutable,
      String defaultJson,
      List<String> patchStrategies,
      String patchMergeKey,
      List<String> known) {

    /** No rule. */
    public static final Rules NONE = new Rules(false, false, "", List.of(), "", List.of());

    public Rules {
      patchStrategies = List.copyOf(patchStrategies);
      known = List.copyOf(known);
    }
  }
}
