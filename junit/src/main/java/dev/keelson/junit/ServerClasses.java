package dev.keelson.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

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

  /** The hashes of the names of all classes of the jars, ascending. */
  private static final String CLASSES = "META-INF/keelson/classes";

  /** Before the names of classes of the order that a start does not initialize. */
  private static final String LOADED_ONLY = "-";

  /** In the order, between the classes of the start and those of the first requests. */
  private static final String STARTED = "";

  private static final int MOST_LOADERS = 3;

  /** Unpacks the jars; returns their directory. */
  @FunctionalInterface
  interface Jars {
    Path unpack() throws IOException;
  }

  private final PackedFiles files;
  private final Jars jars;
  private final IntBuffer hashes;
  private final CountDownLatch start = new CountDownLatch(1);

  /** Whether the jars are in the search path. Guarded by {@link #jars}. */
  private boolean withJars;

  ServerClasses(PackedFiles files, Jars jars) {
    super("keelson", new URL[0], ClassLoader.getPlatformClassLoader());
    this.files = files;
    this.jars = jars;
    this.hashes = files.find(CLASSES).asIntBuffer();
  }

  /**
   * Loads and verifies the classes of a start ahead of the thread that starts the server, in the
   * recorded order, by as many threads as the machine has processors to spare; after {@link
   * #started}, those of the first requests. A class that cannot be loaded is left to the thread
   * that needs it.
   */
  void loadAhead() {
    String[] names = files.text(ORDER).split("\n");
    int threads = Math.clamp(Runtime.getRuntime().availableProcessors() - 1, 1, MOST_LOADERS);
    for (int i = 0; i < threads; i++) {
      int first = i;
      Thread thread =
          new Thread(() -> loadAhead(names, first, threads), "keelson-classes-" + first);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void loadAhead(String[] names, int first, int step) {
    int started = List.of(names).indexOf(STARTED);
    try {
      for (int next = first; next < names.length; next += step) {
        if (next >= started) {
          start.await();
        }
        load(names[next]);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The start has ended, with or without a server. */
  void started() {
    start.countDown();
  }

  /**
   * Links without initializing, unless it is to be loaded only: that is what asking for fields
   * does.
   */
  private void load(String name) {
    try {
      if (name.startsWith(LOADED_ONLY)) {
        Class.forName(name.substring(LOADED_ONLY.length()), false, this);
      } else if (!name.equals(STARTED)) {
        Class.forName(name, false, this).getFields();
      }
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
    if (!isInJars(name)) {
      // libraries look for each other: nothing is opened to find that one is not there
      throw new ClassNotFoundException(name);
    }
    addJars();
    return super.findClass(name);
  }

  private boolean isInJars(String name) {
    int hash = name.hashCode();
    int low = 0;
    int high = hashes.limit();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (hashes.get(middle) < hash) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < hashes.limit() && hashes.get(low) == hash;
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
    String type = name.substring(0, name.length() - ".class".length()).replace('/', '.');
    if (!isInJars(type)) {
      return null;
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

  /** Whether a class was asked for that only the jars have. */
  boolean hasOpenedJars() {
    synchronized (jars) {
      return withJars;
    }
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
