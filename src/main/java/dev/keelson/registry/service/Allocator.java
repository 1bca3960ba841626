package dev.keelson.registry.service;

import java.util.Set;

/**
 * Who holds what there is only one of in a cluster. A claim is a key of the store that is created
 * only if it is absent, so that of several servers one gets it. Safe for use by several threads.
 */
public interface Allocator {

  /** What can be claimed. */
  enum Kind {
    /** An IP address of Services, in the text form that objects have. */
    ADDRESS,
    /** A port of all nodes, as a decimal number. */
    PORT
  }

  /**
   * Allocator {@code value} for a Service.
   *
   * @return whether it is now held; false if anybody has it, the same Service included
   */
  boolean allocate(Kind kind, String value, String namespace, String name);

  /** Whether {@code value} is free now. */
  boolean isFree(Kind kind, String value);

  /** Everything that is claimed now. */
  Set<String> taken(Kind kind);

  /**
   * Ends a claim if the Service has it. A store that cannot be reached leaves the claim to the
   * repair.
   */
  void release(Kind kind, String value, String namespace, String name);
}
