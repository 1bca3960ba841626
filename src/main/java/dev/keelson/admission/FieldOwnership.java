package dev.keelson.admission;

import dev.keelson.object.ApiObject;

/**
 * Records who owns the fields of an object in its {@code managedFields} when somebody is to see
 * them. Until then the object has none: most writes meet no webhook and no policy before
 * validation, and those that are refused never need them. Used by one thread.
 */
@FunctionalInterface
public interface FieldOwnership {

  /** For objects that have their {@code managedFields}, or will never have any. */
  FieldOwnership NONE = object -> object;

  /**
   * Returns the object of a write with its {@code managedFields}; the same object from the second
   * call on, since it has them by then.
   */
  ApiObject recorded(ApiObject object);
}
