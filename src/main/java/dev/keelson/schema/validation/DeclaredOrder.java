package dev.keelson.schema.validation;

/** When the rules that the schema declares are applied to the objects of a kind. */
public enum DeclaredOrder {
  /** All of them before the rules of the kind. */
  FIRST,
  /** Where the rules of the kind ask for them by {@link Value#declared()}, the others last. */
  IN_PLACE,
  /** Never: the rules of the kind are complete. */
  NEVER
}
