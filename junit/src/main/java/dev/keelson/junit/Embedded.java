package dev.keelson.junit;

import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The server's {@code dev.keelson.server.EmbeddedServer} as seen from here: its class is in another
 * class loader, so that the two share only types of the JDK. Methods are found by their names: no
 * proxy, whose class the JVM would have to make at each start.
 */
final class Embedded implements AutoCloseable {

  private static final String SERVER = "dev.keelson.server.EmbeddedServer";
  private static final Class<?>[] NONE = {};

  private final ClassLoader loader;
  private final Class<?> type;
  private final Object server;

  private Embedded(ClassLoader loader, Class<?> type, Object server) {
    this.loader = loader;
    this.type = type;
    this.server = server;
  }

  /** Starts a server of the loaded classes. */
  static Embedded start(ClassLoader loader, List<String> flags) {
    try {
      Class<?> type = loader.loadClass(SERVER);
      Object started = call(loader, type, null, "start", new Class<?>[] {List.class}, flags);
      return new Embedded(loader, type, started);
    } catch (ClassNotFoundException e) {
      throw otherVersion(e);
    }
  }

  /** Makes the keys and certificates of a server; the flags name their directory. */
  static void makeKeys(ClassLoader loader, List<String> flags) {
    try {
      Class<?> type = loader.loadClass(SERVER);
      Object unused = call(loader, type, null, "makeKeys", new Class<?>[] {List.class}, flags);
    } catch (ClassNotFoundException e) {
      throw otherVersion(e);
    }
  }

  int port() {
    return (int) call("port", NONE);
  }

  String authority() {
    return (String) call("authority", NONE);
  }

  Path adminKubeconfig() {
    return (Path) call("adminKubeconfig", NONE);
  }

  String kubeconfig(String user, List<String> groups) {
    return (String)
        call("kubeconfig", new Class<?>[] {String.class, List.class}, user, List.copyOf(groups));
  }

  @SuppressWarnings("unchecked")
  List<String> servingIdentity(List<String> names) {
    return (List<String>) call("servingIdentity", new Class<?>[] {List.class}, names);
  }

  void apply(String text, String namespace) {
    call("apply", new Class<?>[] {String.class, String.class}, text, namespace);
  }

  boolean delete(String path) {
    return (boolean) call("delete", new Class<?>[] {String.class}, path);
  }

  Object readJson(String json) {
    return call("readJson", new Class<?>[] {String.class}, json);
  }

  String writeJson(Object value) {
    return (String) call("writeJson", new Class<?>[] {Object.class}, value);
  }

  long millis() {
    return (long) call("millis", NONE);
  }

  void advanceClock(Duration time) {
    call("advanceClock", new Class<?>[] {Duration.class}, time);
  }

  long addFault(Map<String, ?> fault) {
    return (long) call("addFault", new Class<?>[] {Map.class}, fault);
  }

  long removeFault(long id) {
    return (long) call("removeFault", new Class<?>[] {long.class}, id);
  }

  long faultHits(long id) {
    return (long) call("faultHits", new Class<?>[] {long.class}, id);
  }

  void delayStore(Duration reads, Duration writes) {
    call("delayStore", new Class<?>[] {Duration.class, Duration.class}, reads, writes);
  }

  void storeAway(boolean away) {
    call("storeAway", new Class<?>[] {boolean.class}, away);
  }

  void endWatches() {
    call("endWatches", NONE);
  }

  void cutConnections() {
    call("cutConnections", NONE);
  }

  @Override
  public void close() {
    call("close", NONE);
  }

  private Object call(String method, Class<?>[] parameters, Object... arguments) {
    return call(loader, type, server, method, parameters, arguments);
  }

  /** Calls a method as the server expects it; what it throws is an unchecked exception. */
  private static Object call(
      ClassLoader loader,
      Class<?> type,
      Object server,
      String method,
      Class<?>[] parameters,
      Object... arguments) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return type.getMethod(method, parameters).invoke(server, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof InterruptedException) {
        thread.interrupt();
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      // the names of the server's classes say nothing to a test
      String message = e.getCause().getMessage();
      throw new KeelsonException(
          message == null || message.isEmpty() ? e.getCause().toString() : message, e.getCause());
    } catch (ReflectiveOperationException e) {
      throw otherVersion(e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static IllegalStateException otherVersion(ReflectiveOperationException e) {
    return new IllegalStateException("the archive has no server of this version", e);
  }
}
