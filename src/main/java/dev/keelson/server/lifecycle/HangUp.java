package dev.keelson.server.lifecycle;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.jboss.logging.Logger;

/**
 * The signal SIGHUP, by which logrotate and others ask for files to be opened again. Without a
 * handler it ends the process.
 *
 * <p>The JDK has no supported API for signals, and javac warns of {@code sun.misc.Signal} (module
 * {@code jdk.unsupported}) without a way to suppress the warning, so the class is used by
 * reflection. Its use in a native image is registered in {@code
 * META-INF/native-image/dev.keelson/signal}.
 */
public final class HangUp {

  private static final Logger LOG = Logger.getLogger(HangUp.class);

  private HangUp() {}

  /**
   * Runs {@code action} on each SIGHUP, in a thread of its own; replaces the action before. Where
   * there is no such signal (Windows, or a JVM started with {@code -Xrs}) it only logs a warning.
   */
  public static void handle(Runnable action) {
    handle("HUP", action);
  }

  /**
   * Runs {@code action} on each SIGTERM and SIGINT in place of the end of the process, where that
   * is possible.
   */
  public static void handleEnd(Runnable action) {
    handle("TERM", action);
    handle("INT", action);
  }

  private static void handle(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object onSignal =
          Proxy.newProxyInstance(
              HangUp.class.getClassLoader(), new Class<?>[] {handler}, running(action));
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), onSignal);
    } catch (ReflectiveOperationException e) {
      LOG.warnf(e, "event=signal-unavailable signal=%s", name);
    }
  }

  private static InvocationHandler running(Runnable action) {
    return (proxy, method, arguments) ->
        switch (method.getName()) {
          case "handle" -> {
            action.run();
            yield null;
          }
          case "equals" -> proxy == arguments[0];
          case "hashCode" -> System.identityHashCode(proxy);
          default -> Objects.toIdentityString(proxy);
        };
  }
}
