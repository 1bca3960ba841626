package dev.keelson.registry.read;

import dev.keelson.registry.ReadVersion;

/**
 * Selects the objects of a watch and where it begins.
 *
 * @param selection which objects
 * @param start where to begin
 */
public record WatchQuery(ListQuery selection, Start start) {

  /** Where a watch begins (contract, "Watch"; KEP-3157 for streaming lists). */
  public sealed interface Start {

    /** The objects as they are in some state, then every change after it. */
    record Objects(ReadVersion state) implements Start {}

    /** Every change after the most recent state of the cache or the store. */
    record Now() implements Start {}

    /** Every change after a revision. */
    record After(long revision) implements Start {}
  }
}
