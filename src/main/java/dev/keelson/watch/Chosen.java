package dev.keelson.watch;

/**
 * The objects that have a value.
 *
 * @param index whose value
 * @param value not empty
 */
public record Chosen(Index index, String value) {}
