package dev.keelson.watch;

/**
 * A value of an index, which selects the objects that have it.
 *
 * @param index the index
 * @param value not empty
 */
public record IndexValue(Index index, String value) {}
