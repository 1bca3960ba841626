package dev.keelson.registry.read;

import dev.keelson.registry.ReadVersion;

/**
 * What to watch.
 *
 * @param selection which objects
 * @param start where to begin
 */
public record WatchQuery(ListQuery selection, Start start) {

  /** Where a watch begins (contract, "Watch"; KEP-3157 for streaming lists). */
  public sealed interface Start {

    /** The objects as they are in some state, then every change after it. */
    record Objects(ReadVersion state) implements Start {}

    /** Every change after the state that is newest, or at hand. */
    record Now() implements Start {}

    /** Every change after a revision. */
    record After(long revision) implements Start {}
  }
}
