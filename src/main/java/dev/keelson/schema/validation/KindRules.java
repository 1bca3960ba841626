package dev.keelson.schema.validation;

import java.util.function.Consumer;

/**
 * The validation of one stored kind, as a create or update strategy of Kubernetes has it. Objects
 * are complete, in the stored version and after defaulting; each method accepts everything by
 * default. Implementations are immutable and safe for use by several threads.
 */
public interface KindRules {

  /** Validates an object on create and on every update of its main resource. */
  default void validate(Value object) {}

  /** Validates what applies to create alone. */
  default void validateCreate(Value object) {}

  /** Validates an update of the main resource against the object that is stored. */
  default void validateUpdate(Value object, Value old) {}

  /** Whether causes of {@link #validateUpdate} come before those of {@link #validate}. */
  default boolean validatesUpdateFirst() {
    return false;
  }

  /**
   * Whether Kubernetes validates an updated object as a new one twice, by itself and as a part of
   * the update, and reports each cause of {@link #validate} twice.
   */
  default boolean validatesUpdateTwice() {
    return false;
  }

  /** When the declared rules are applied. */
  default DeclaredOrder declaredOrder() {
    return DeclaredOrder.FIRST;
  }

  /** Validates an update of the {@code status} subresource. */
  default void validateStatusUpdate(Value object, Value old) {}

  /** Validates an update through a subresource other than {@code status} and {@code scale}. */
  default void validateSubresourceUpdate(String subresource, Value object, Value old) {
    validateUpdate(object, old);
  }

  /** Warns about a new object that is valid (WarningsOnCreate). */
  default void warnOnCreate(Value object, Consumer<String> warnings) {
    warnOnUpdate(object, warnings);
  }

  /** Warns about an updated object that is valid (WarningsOnUpdate). */
  default void warnOnUpdate(Value object, Consumer<String> warnings) {}

  /** Warns about the status of an updated object, which is valid. */
  default void warnOnStatusUpdate(Value object, Consumer<String> warnings) {}

  /** Warns about an updated object that is valid, beside the one that is stored. */
  default void warnOnUpdate(Value object, Value old, Consumer<String> warnings) {
    warnOnUpdate(object, warnings);
  }
}
