package dev.keelson.storage;

/** The outcome of a write, from the response of the store. */
public sealed interface WriteOutcome {

  /**
   * The write is applied and durable.
   *
   * @param revision the revision of the change
   */
  record Applied(long revision) implements WriteOutcome {}

  /**
   * It did not happen: the key exists at another revision than the expected one.
   *
   * @param current the entry as it is
   */
  record Conflict(Entry current) implements WriteOutcome {}

  /**
   * It did not happen: the key was expected to exist and does not.
   *
   * @param revision the store's revision when it answered
   */
  record Missing(long revision) implements WriteOutcome {}

  /**
   * It did not happen: the key is as expected, but its {@link Write.Guard} is not.
   *
   * @param revision the modRevision of the guard, {@link Write#ABSENT} if it does not exist
   */
  record Guarded(long revision) implements WriteOutcome {}
}
