package dev.keelson.client;

/**
 * How code of this process deletes.
 *
 * @param uid the uid that the object must have, or empty
 * @param resourceVersion the resourceVersion that it must have, or empty
 * @param dependents what becomes of the objects that it owns
 */
public record DeleteRequest(String uid, String resourceVersion, Dependents dependents) {

  /** What becomes of dependents. */
  public enum Dependents {
    /** As the object and its type say. */
    DEFAULT,
    /** They stay. */
    ORPHAN,
    /** They go afterwards. */
    BACKGROUND,
    /** They go first. */
    FOREGROUND
  }
}
