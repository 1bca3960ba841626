package dev.keelson.server.lifecycle;

/** Maps the verbosity to Quarkus log levels, before Quarkus starts. */
public final class Logging {

  private Logging() {}

  /**
   * Sets the levels.
   *
   * @param verbosity the value of {@code --v}, 0 to 10
   */
  public static void configure(int verbosity) {
    String own = verbosity >= 8 ? "TRACE" : verbosity >= 4 ? "DEBUG" : "INFO";
    String others = verbosity >= 8 ? "DEBUG" : "WARN";
    System.setProperty("quarkus.log.level", others);
    System.setProperty("quarkus.log.category.\"dev.keelson\".level", own);
  }
}
