package dev.keelson.registry.service;

import java.util.Set;

/**
 * Allocates cluster-wide unique values to Services. An allocation is a key of the store that is
 * created only if it is absent, so that one of several servers succeeds. Safe for use by several
 * threads.
 */
public interface Allocator {

  /** The kinds of values. */
  enum Kind {
    /** An IP address of Services, in the text form that objects have. */
    ADDRESS,
    /** A port of all nodes, as a decimal number. */
    PORT
  }

  /**
   * Allocates {@code value} to a Service.
   *
   * @return whether it was allocated; false if it is in use, also by the same Service
   */
  boolean allocate(Kind kind, String value, String namespace, String name);

  /** Whether {@code value} is free now. */
  boolean isFree(Kind kind, String value);

  /** All values in use. */
  Set<String> taken(Kind kind);

  /**
   * Releases a value if the Service has it. If the store is unavailable, the repair releases it
   * later.
   */
  void release(Kind kind, String value, String namespace, String name);
}
