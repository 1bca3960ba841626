package dev.keelson.api;

/**
 * A kind of a group, regardless of its version.
 *
 * @param group the group's name, empty for the core group
 * @param kind the kind, for example {@code Pod}
 */
public record GroupKind(String group, String kind) {}
