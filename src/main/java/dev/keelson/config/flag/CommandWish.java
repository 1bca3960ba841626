package dev.keelson.config.flag;

/**
 * What the command line of a command requests.
 *
 * @param <T> the options of the command
 */
public sealed interface CommandWish<T> {

  /** Run the command with these options. */
  record Run<T>(T options) implements CommandWish<T> {}

  /** Print the help text and exit. */
  record Help<T>(String text) implements CommandWish<T> {}

  /**
   * Print the version and exit.
   *
   * @param raw whether to print all its fields
   */
  record Version<T>(boolean raw) implements CommandWish<T> {}
}
