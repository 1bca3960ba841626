package dev.keelson.junit;

/**
 * Fills a store that several servers begin with: run once a JVM for each set of flags, on a server
 * that is closed then; each server that asks for it gets a copy of its data directory. A copy has
 * the same objects, UIDs and resource versions, and the same certificate authority.
 *
 * <p>Named by {@link KeelsonTest#store} or {@link KeelsonServer.Builder#store}. A class that
 * implements it needs a constructor without parameters.
 */
@FunctionalInterface
public interface PreparedStore {

  /** Creates the objects, on a server that has its flags and nothing else. */
  void prepare(KeelsonServer server) throws Exception;
}
