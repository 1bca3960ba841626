package dev.keelson.registry.service;

/**
 * The IPAddresses of a watch cache, which may be slightly behind the store. Safe for use by several
 * threads.
 */
@FunctionalInterface
public interface KnownAddresses {

  /** Whether the cache has an IPAddress; throws what the store throws. */
  boolean contains(String address);

  /** A source that knows none: every address has to be tried. */
  KnownAddresses NONE = address -> false;
}
