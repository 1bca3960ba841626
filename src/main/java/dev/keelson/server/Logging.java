package dev.keelson.server;

/** Maps the verbosity to Quarkus log levels, before Quarkus starts. */
final class Logging {

  private Logging() {}

  /**
   * @param verbosity the value of {@code --v}, 0 to 10
   */
  static void configure(int verbosity) {
    String own = verbosity >= 8 ? "TRACE" : verbosity >= 4 ? "DEBUG" : "INFO";
    String others = verbosity >= 8 ? "DEBUG" : "WARN";
    System.setProperty("quarkus.log.level", others);
    System.setProperty("quarkus.log.category.\"dev.keelson\".level", own);
  }
}
