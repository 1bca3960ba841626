package dev.keelson.server.log;

import dev.keelson.config.option.ObservationOptions.LogFormat;

/** Selects the log manager and maps the verbosity to Quarkus log levels, before Quarkus starts. */
public final class Logging {

  /** The verbosity that shows requests, and the one that shows what libraries log. */
  private static final int REQUESTS = 4;

  private static final int LIBRARIES = 8;

  private Logging() {}

  /**
   * Selects JBoss LogManager, which Quarkus configures; before the first logger is made. The
   * launcher of Quarkus does it for {@code quarkus-run.jar}, nobody for {@code keelson.jar}, whose
   * main class is Keelson's own.
   */
  public static void selectManager() {
    if (System.getProperty("java.util.logging.manager") == null) {
      System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
    }
  }

  /** The level of this program's categories. */
  static String own(int verbosity) {
    return verbosity >= LIBRARIES ? "TRACE" : verbosity >= REQUESTS ? "DEBUG" : "INFO";
  }

  /** The level of all other categories. */
  static String others(int verbosity) {
    return verbosity >= LIBRARIES ? "DEBUG" : "WARN";
  }

  /**
   * Sets the levels.
   *
   * @param verbosity the value of {@code --v}, 0 to 10
   * @param format the value of {@code --logging-format}
   */
  public static void configure(int verbosity, LogFormat format) {
    String own = own(verbosity);
    String others = others(verbosity);
    System.setProperty("quarkus.log.level", others);
    System.setProperty("quarkus.log.category.\"dev.keelson\".level", own);
    if (format == LogFormat.JSON) {
      System.setProperty("quarkus.log.console.enabled", "false");
      JsonLog.install(own, others);
    }
  }
}
