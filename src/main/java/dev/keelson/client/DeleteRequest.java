package dev.keelson.client;

/**
 * The options of a delete.
 *
 * @param uid the uid precondition, or empty
 * @param resourceVersion the resourceVersion precondition, or empty
 * @param dependents the propagation policy
 */
public record DeleteRequest(String uid, String resourceVersion, Dependents dependents) {

  /** The propagation policy. */
  public enum Dependents {
    /** The default of the object and its type. */
    DEFAULT,
    /** Orphans the dependents. */
    ORPHAN,
    /** Deletes the dependents after the owner. */
    BACKGROUND,
    /** Deletes the dependents before the owner. */
    FOREGROUND
  }
}
