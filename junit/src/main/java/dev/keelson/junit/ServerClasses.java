package dev.keelson.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * The classes of the server, above the platform's: nothing on the class path of the test is seen by
 * the server, and nothing of the server by the test. What a start needs comes from {@link
 * PackedFiles}, other classes from the jars, which are unpacked when the first of them is asked
 * for.
 */
final class ServerClasses extends URLClassLoader {

  static {
    ClassLoader.registerAsParallelCapable();
  }

  private static final String ORDER = "META-INF/keelson/order";
  private static final int MOST_LOADERS = 3;

  /** Unpacks the jars; returns their directory. */
  @FunctionalInterface
  interface Jars {
    Path unpack() throws IOException;
  }

  private final PackedFiles files;
  private final Jars jars;

  /** Whether the jars are in the search path. Guarded by {@link #jars}. */
  private boolean withJars;

  ServerClasses(PackedFiles files, Jars jars) {
    super("keelson", new URL[0], ClassLoader.getPlatformClassLoader());
    this.files = files;
    this.jars = jars;
  }

  /**
   * Loads and verifies the classes of a start ahead of the thread that starts the server, in the
   * recorded order, by as many threads as the machine has processors to spare. A class that cannot
   * be loaded is left to whoever needs it.
   */
  void loadAhead() {
    String[] names = files.text(ORDER).split("\n");
    int threads = Math.clamp(Runtime.getRuntime().availableProcessors() - 1, 1, MOST_LOADERS);
    for (int i = 0; i < threads; i++) {
      int first = i;
      Thread thread =
          new Thread(
              () -> {
                for (int next = first; next < names.length; next += threads) {
                  link(names[next]);
                }
              },
              "keelson-classes-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Links without initializing: that is what asking for constructors does. */
  private void link(String name) {
    try {
      Class.forName(name, false, this).getConstructors();
    } catch (ClassNotFoundException | LinkageError e) {
      // an optional library of a library; the start itself does not need the class, or says so
      return;
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    ByteBuffer bytes = files.find(name.replace('.', '/') + ".class");
    if (bytes != null) {
      return defineClass(name, bytes, (ProtectionDomain) null);
    }
    addJars();
    return super.findClass(name);
  }

  @Override
  public URL findResource(String name) {
    try {
      List<URL> found = files.urls(name);
      if (!found.isEmpty()) {
        return found.getFirst();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!name.endsWith(".class")) {
      return ServerClasses.class.getClassLoader().getResource(ServerLoader.NATIVE + name);
    }
    addJars();
    return super.findResource(name);
  }

  @Override
  public Enumeration<URL> findResources(String name) throws IOException {
    if (name.endsWith(".class")) {
      URL found = findResource(name);
      return found == null
          ? Collections.emptyEnumeration()
          : Collections.enumeration(List.of(found));
    }
    return Collections.enumeration(files.urls(name));
  }

  private void addJars() {
    synchronized (jars) {
      if (withJars) {
        return;
      }
      try (DirectoryStream<Path> found = Files.newDirectoryStream(jars.unpack(), "*.jar")) {
        for (Path jar : found) {
          addURL(jar.toUri().toURL());
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot unpack the server", e);
      }
      withJars = true;
    }
  }
}
