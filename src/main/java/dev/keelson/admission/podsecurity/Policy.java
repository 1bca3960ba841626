package dev.keelson.admission.podsecurity;

/**
 * What holds for the pods of a namespace.
 *
 * @param enforce pods that violate it are rejected
 * @param audit pods that violate it are noted in the audit log
 * @param warn the client is warned of pods that violate it
 */
public record Policy(LevelVersion enforce, LevelVersion audit, LevelVersion warn) {

  /** Allows everything. */
  static final Policy PRIVILEGED = all(new LevelVersion(Level.PRIVILEGED, PolicyVersion.LATEST));

  private static Policy all(LevelVersion each) {
    return new Policy(each, each, each);
  }

  boolean fullyPrivileged() {
    return !enforce.checks() && !audit.checks() && !warn.checks();
  }

  /** Whether both allow the same pods; the version of the level privileged does not matter. */
  boolean equivalent(Policy other) {
    return same(enforce, other.enforce) && same(audit, other.audit) && same(warn, other.warn);
  }

  private static boolean same(LevelVersion one, LevelVersion other) {
    return one.equals(other) || (!one.checks() && !other.checks());
  }
}
