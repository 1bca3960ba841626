package dev.keelson.schema;

/**
 * How the dependents of a deleted object are treated if neither the client nor the object's
 * finalizers decide it (source: kube-apiserver's {@code rest.GarbageCollectionPolicy}).
 */
public enum GarbageCollectionPolicy {
  /** The garbage collector deletes them. */
  DELETE_DEPENDENTS,
  /** Dependents are orphaned. */
  ORPHAN_DEPENDENTS,
  /** The kind has no dependents: its objects never wait for the garbage collector. */
  UNSUPPORTED
}
