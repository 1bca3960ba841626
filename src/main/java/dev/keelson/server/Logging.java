package dev.keelson.server;

/** Turns the verbosity into the log levels of Quarkus, which reads them when it starts. */
final class Logging {

  private Logging() {}

  /**
   * @param verbosity 0 to 10, as --v has it
   */
  static void configure(int verbosity) {
    String own = verbosity >= 8 ? "TRACE" : verbosity >= 4 ? "DEBUG" : "INFO";
    String others = verbosity >= 8 ? "DEBUG" : "WARN";
    System.setProperty("quarkus.log.level", others);
    System.setProperty("quarkus.log.category.\"dev.keelson\".level", own);
  }
}
