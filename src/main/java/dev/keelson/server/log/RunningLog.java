package dev.keelson.server.log;

import org.jboss.logmanager.Level;
import org.jboss.logmanager.LogContext;

/** The log of a program that runs. */
public final class RunningLog {

  private RunningLog() {}

  /**
   * Sets the levels.
   *
   * @param verbosity as {@code --v}; any number
   */
  public static void setVerbosity(int verbosity) {
    LogContext context = LogContext.getLogContext();
    context.getLogger("dev.keelson").setLevel(Level.parse(Logging.own(verbosity)));
    context.getLogger("").setLevel(Level.parse(Logging.others(verbosity)));
  }
}
