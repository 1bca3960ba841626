package dev.keelson.registry.write;

import org.jspecify.annotations.Nullable;

/**
 * How to delete, and on which conditions (contract, "DeleteOptions").
 *
 * @param uid the uid that the object must have; null for any. An empty one is a condition that no
 *     object meets, as in kube-apiserver
 * @param resourceVersion the resourceVersion that the object must have; null for any
 * @param graceSeconds the grace period in seconds; null for the default of the kind
 * @param propagation the propagation policy; null for the default of the object and its type
 */
public record DeleteQuery(
    @Nullable String uid,
    @Nullable String resourceVersion,
    @Nullable Long graceSeconds,
    @Nullable Propagation propagation) {

  /** No conditions. */
  public static final DeleteQuery UNCONDITIONAL = new DeleteQuery(null, null);

  /** How the dependents of a deleted object are treated. */
  public enum Propagation {
    /** Dependents stay, and their reference to the owner is removed (Orphan). */
    ORPHAN,
    /** Dependents are deleted after the owner (Background). */
    BACKGROUND,
    /** Dependents are deleted before the owner (Foreground). */
    FOREGROUND
  }

  /** Preconditions only. */
  public DeleteQuery(@Nullable String uid, @Nullable String resourceVersion) {
    this(uid, resourceVersion, null, null);
  }

  /** A copy with another propagation policy. */
  public DeleteQuery with(Propagation policy) {
    return new DeleteQuery(uid, resourceVersion, graceSeconds, policy);
  }

  /** The same with a grace period in seconds. */
  public DeleteQuery withGraceSeconds(long seconds) {
    return new DeleteQuery(uid, resourceVersion, seconds, propagation);
  }

  /** The same on the condition of another resourceVersion, if there was such a condition. */
  public DeleteQuery following(long revision) {
    return resourceVersion == null
        ? this
        : new DeleteQuery(uid, Long.toString(revision), graceSeconds, propagation);
  }
}
