package dev.keelson.server.standalone;

import java.util.logging.Handler;
import org.jboss.logmanager.Level;
import org.jboss.logmanager.LogContext;
import org.jboss.logmanager.Logger;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.jboss.logmanager.handlers.ConsoleHandler;

/**
 * Sets up the log as Quarkus does for the server: a component runs without Quarkus, whose handler
 * would keep the records until it starts.
 */
public final class ComponentLog {

  private static final String PATTERN = "%d{yyyy-MM-dd HH:mm:ss,SSS} %-5p [%c{3.}] (%t) %s%e%n";

  private ComponentLog() {}

  /**
   * Writes the log to standard output.
   *
   * @param verbosity the value of {@code --v}, 0 to 10
   */
  public static void configure(int verbosity) {
    LogContext context = LogContext.getLogContext();
    Logger root = context.getLogger("");
    root.setLevel(verbosity >= 8 ? Level.DEBUG : Level.WARN);
    root.setHandlers(new Handler[] {new ConsoleHandler(new PatternFormatter(PATTERN))});
    context
        .getLogger("dev.keelson")
        .setLevel(verbosity >= 8 ? Level.TRACE : verbosity >= 4 ? Level.DEBUG : Level.INFO);
  }
}
