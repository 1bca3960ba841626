package dev.keelson.schema;

/**
 * What becomes of the dependents of a deleted object if neither the client nor the object's
 * finalizers say so (source: kube-apiserver's {@code rest.GarbageCollectionPolicy}).
 */
public enum GarbageCollectionPolicy {
  /** The garbage collector deletes them. */
  DELETE_DEPENDENTS,
  /** They stay, without their owner. */
  ORPHAN_DEPENDENTS,
  /** The kind has no dependents: its objects never wait for the garbage collector. */
  UNSUPPORTED
}
