package dev.keelson.cel.type;

/** A format of texts, such as {@code format.dns1123Label()}. */
public interface NamedFormat extends LibraryValue {

  /** The length of the longest regular expression that a text is matched with. */
  int longestPattern();
}
