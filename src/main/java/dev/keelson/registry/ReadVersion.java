package dev.keelson.registry;

/**
 * Which state a read may show (contract, "Query parameters", resourceVersion; Kubernetes'
 * resourceVersionMatch).
 */
public sealed interface ReadVersion {

  /** The newest: it shows every write that was answered before the read began. */
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
