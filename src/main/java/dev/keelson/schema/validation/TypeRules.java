package dev.keelson.schema.validation;

/** The rules of one stored kind. Objects are whole; every method has a default that is content. */
interface TypeRules {

  /** What an object must keep to whenever its main part is written. */
  default void check(Value object) {}

  /** What only a new object must keep to. */
  default void created(Value object) {}

  /** What a change of the main part must keep to. */
  default void changed(Value object, Value old) {}

  /** Whether Kubernetes tells of the change before it tells of what is wrong with the object. */
  default boolean tellsOfTheChangeFirst() {
    return false;
  }

  /**
   * Whether these rules ask for the declared ones where Kubernetes has them, so that what they do
   * not ask for comes last; otherwise the declared rules come first.
   */
  default boolean asksForDeclared() {
    return false;
  }

  /** What a change of the status must keep to. */
  default void statusChanged(Value object, Value old) {}

  /** What a change through another subresource must keep to. */
  default void subresourceChanged(String subresource, Value object, Value old) {
    changed(object, old);
  }
}
