package dev.keelson.quota;

/**
 * One fence for each namespace with quotas, between writes that are charged before they are stored
 * and counts of the stored objects. A charged write is stored only while the fence is as it was
 * before the charge. A count that may lower usage raises the fence first: an object that was
 * charged before is then either stored, and counted, or is charged again. Servers of one store
 * share the fences. Safe for use by several threads.
 */
public interface UsageFences {

  /** The name of the key of a namespace, below those of the server's own data. */
  String key(String namespace);

  /** The revision of the fence as far as this server knows; 0 if it was not raised. */
  long known(String namespace);

  /** Takes the revision that the fence has in the store; 0 if its key does not exist. */
  void learn(String namespace, long revision);

  /**
   * Raises the fence; returns when that is stored.
   *
   * @throws RuntimeException of the store if it is not certain that the fence is raised
   */
  void raise(String namespace);
}
