package dev.keelson.registry;

/**
 * The conditions of a delete.
 *
 * @param uid the uid that the object must have, or empty
 * @param resourceVersion the resourceVersion that the object must have, or empty
 */
public record DeleteQuery(String uid, String resourceVersion) {

  /** No conditions. */
  public static final DeleteQuery UNCONDITIONAL = new DeleteQuery("", "");
}
