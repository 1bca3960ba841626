package dev.keelson.schema.table;

/** Gives the texts of the ages in a row. */
@FunctionalInterface
interface AgeText {

  /**
   * How long ago a time was.
   *
   * @param timestamp as objects have it; empty or malformed for {@link Ages#UNKNOWN}
   */
  String since(String timestamp);
}
