package dev.keelson.controller.service;

import java.util.Set;

/** The allocated node ports in the store. */
public interface PortAllocations {

  /** Whether a port is in the configured range. */
  boolean inRange(int port);

  /** The configured range as text, {@code 30000-32767}. */
  String range();

  /**
   * The stored ports.
   *
   * @param ports the allocated ones
   * @param sameRange whether they are stored for the configured range
   * @param revision identifies this state
   */
  record State(Set<Integer> ports, boolean sameRange, long revision) {}

  /** Reads the stored ports. */
  State read();

  /**
   * Stores ports of the configured range unless others have changed the state.
   *
   * @param revision of the state that was read
   * @return whether they were stored
   */
  boolean replace(Set<Integer> ports, long revision);

  /** Removes what earlier versions of the server stored for ports. */
  void removeFormer();
}
