package dev.keelson.server.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Takes back the properties of the JVM that the libraries of a server set while they are loaded, so
 * that other copies of them, in the class loader of the test, do not read them. Used by one thread
 * at a time.
 */
public final class SystemProperties implements AutoCloseable {

  /** The first words of the names that the libraries of the server set. */
  private static final List<String> LIBRARIES =
      List.of("vertx.", "io.netty.", "org.sqlite.", "slf4j.");

  private final Set<String> before;

  private SystemProperties(Set<String> before) {
    this.before = before;
  }

  /** Begins to look. */
  public static SystemProperties guard() {
    return new SystemProperties(System.getProperties().stringPropertyNames());
  }

  /** Sets a property that a class reads when it is loaded, unless the test has set it. */
  public void set(String name, String value) {
    if (!before.contains(name)) {
      System.setProperty(name, value);
    }
  }

  @Override
  public void close() {
    List<String> added = new ArrayList<>(System.getProperties().stringPropertyNames());
    added.removeAll(before);
    for (String name : added) {
      if (LIBRARIES.stream().anyMatch(name::startsWith)) {
        System.clearProperty(name);
      }
    }
  }
}
