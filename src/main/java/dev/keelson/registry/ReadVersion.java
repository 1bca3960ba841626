package dev.keelson.registry;

/**
 * Which state a read may return (contract, "Query parameters", resourceVersion; Kubernetes'
 * resourceVersionMatch).
 */
public sealed interface ReadVersion {

  /** The most recent state: it contains every write that was acknowledged before the read began. */
  record Newest() implements ReadVersion {}

  /** Whatever is at hand. */
  record Any() implements ReadVersion {}

  /** Not older than a revision. */
  record NotOlderThan(long revision) implements ReadVersion {}

  /** The state of exactly that revision. */
  record Exactly(long revision) implements ReadVersion {}

  /** The newest. */
  ReadVersion NEWEST = new Newest();

  /** Whatever is at hand. */
  ReadVersion ANY = new Any();
}
