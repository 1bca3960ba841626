package dev.keelson.junit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The server's {@code dev.keelson.server.EmbeddedServer} as seen from here: its class is in another
 * class loader, so that the two share only types of the JDK.
 */
interface Embedded extends AutoCloseable {

  int port();

  String authority();

  Path adminKubeconfig();

  String kubeconfig(String user, List<String> groups);

  List<String> servingIdentity(List<String> names);

  int apply(String text, String namespace);

  boolean delete(String path);

  Object readJson(String json);

  String writeJson(Object value);

  long millis();

  Duration advanceClock(Duration time);

  long addFault(Map<String, ?> fault);

  long removeFault(long id);

  long faultHits(long id);

  void delayStore(Duration reads, Duration writes);

  void storeAway(boolean away);

  void endWatches();

  void cutConnections();

  @Override
  void close();

  /** Starts a server of the loaded classes. */
  static Embedded start(ClassLoader server, List<String> flags) {
    try {
      Class<?> type = server.loadClass("dev.keelson.server.EmbeddedServer");
      Object started =
          within(server, () -> type.getMethod("start", List.class).invoke(null, flags));
      return (Embedded)
          Proxy.newProxyInstance(
              Embedded.class.getClassLoader(),
              new Class<?>[] {Embedded.class},
              (proxy, method, arguments) -> {
                if (method.getDeclaringClass() == Object.class) {
                  return method.invoke(started, arguments);
                }
                return within(
                    server,
                    () ->
                        type.getMethod(method.getName(), method.getParameterTypes())
                            .invoke(started, arguments));
              });
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the archive has no server of this version", e);
    }
  }

  /** A call of the server. */
  @FunctionalInterface
  interface Call {
    Object run() throws ReflectiveOperationException;
  }

  /** Runs a call as the server expects it; what it throws is an unchecked exception. */
  private static Object within(ClassLoader server, Call call) throws ReflectiveOperationException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(server);
    try {
      return call.run();
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof InterruptedException) {
        thread.interrupt();
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new KeelsonException(e.getCause().toString(), e.getCause());
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
