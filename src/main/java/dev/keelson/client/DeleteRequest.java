package dev.keelson.client;

import org.jspecify.annotations.Nullable;

/**
 * The options of a delete.
 *
 * @param uid the uid precondition, or empty
 * @param resourceVersion the resourceVersion precondition, or empty
 * @param dependents the propagation policy
 * @param graceSeconds the grace period in seconds; null for the default of the object
 */
public record DeleteRequest(
    String uid, String resourceVersion, Dependents dependents, @Nullable Long graceSeconds) {

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

  /** Options with the grace period of the object. */
  public DeleteRequest(String uid, String resourceVersion, Dependents dependents) {
    this(uid, resourceVersion, dependents, null);
  }
}
