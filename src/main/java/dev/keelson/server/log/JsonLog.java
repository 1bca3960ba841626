package dev.keelson.server.log;

import org.jboss.logmanager.Level;
import org.jboss.logmanager.LogContext;
import org.jboss.logmanager.handlers.ConsoleHandler;

/** Writes the log to the standard error stream as lines of JSON, from the first record on. */
public final class JsonLog {

  private JsonLog() {}

  /**
   * Adds the handler. Quarkus's own, which would write records of the time before its start as
   * text, has to be switched off.
   *
   * @param own the level of this program's categories
   * @param others the level of all others
   */
  public static void install(String own, String others) {
    LogContext context = LogContext.getLogContext();
    context.getLogger("dev.keelson").setLevel(Level.parse(own));
    var root = context.getLogger("");
    root.setLevel(Level.parse(others));
    root.addHandler(new ConsoleHandler(ConsoleHandler.Target.SYSTEM_ERR, new JsonLines()));
  }
}
