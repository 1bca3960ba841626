package dev.keelson.schema.codec.stored;

/** The result of looking up a scalar in a stored object with {@link StoredScan#field}. */
public sealed interface ScanResult {

  /**
   * The field holds a scalar.
   *
   * @param text as a field selector sees it: a string's characters, or the literal of a number or
   *     boolean
   */
  record Value(String text) implements ScanResult {}

  /** There is no such field, or it is null, an object or an array. */
  record Absent() implements ScanResult {}

  /** The scan cannot tell; the caller decodes the value. */
  record Unreadable() implements ScanResult {}
}
