package dev.keelson.server.standalone;

import dev.keelson.quota.UsageFences;

/**
 * No fences: a client cannot raise them. A count may then miss an object that was charged and is
 * not stored yet, as in Kubernetes; that usage is lowered only some time after the last charge
 * makes it rare.
 */
final class NoFences implements UsageFences {

  @Override
  public String key(String namespace) {
    return namespace;
  }

  @Override
  public long known(String namespace) {
    return 0;
  }

  @Override
  public void learn(String namespace, long revision) {
    // nothing is raised
  }

  @Override
  public void raise(String namespace) {
    // a client has no way to do it
  }
}
