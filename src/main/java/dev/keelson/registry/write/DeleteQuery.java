package dev.keelson.registry.write;

import org.jspecify.annotations.Nullable;

/**
 * How to delete, and on which conditions (contract, "DeleteOptions").
 *
 * @param uid the uid that the object must have, or empty
 * @param resourceVersion the resourceVersion that the object must have, or empty
 * @param graceSeconds how long the object may take to end, in seconds; null leaves it to the kind
 * @param propagation what becomes of the objects that it owns; null leaves it to the object and its
 *     type
 */
public record DeleteQuery(
    String uid,
    String resourceVersion,
    @Nullable Long graceSeconds,
    @Nullable Propagation propagation) {

  /** No conditions. */
  public static final DeleteQuery UNCONDITIONAL = new DeleteQuery("", "");

  /** What becomes of the objects that a deleted object owns. */
  public enum Propagation {
    /** They stay, and lose their reference to the owner. */
    ORPHAN,
    /** They go after the owner. */
    BACKGROUND,
    /** They go before the owner. */
    FOREGROUND
  }

  /** Conditions alone. */
  public DeleteQuery(String uid, String resourceVersion) {
    this(uid, resourceVersion, null, null);
  }

  /** The same with another way to treat dependents. */
  public DeleteQuery with(Propagation policy) {
    return new DeleteQuery(uid, resourceVersion, graceSeconds, policy);
  }

  /** The same with a grace period in seconds. */
  public DeleteQuery withGraceSeconds(long seconds) {
    return new DeleteQuery(uid, resourceVersion, seconds, propagation);
  }

  /** The same on the condition of another resourceVersion, if there was such a condition. */
  public DeleteQuery following(long revision) {
    return resourceVersion.isEmpty()
        ? this
        : new DeleteQuery(uid, Long.toString(revision), graceSeconds, propagation);
  }
}
