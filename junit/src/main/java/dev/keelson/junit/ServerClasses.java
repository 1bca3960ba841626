package dev.keelson.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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

  /**
   * The numbers of the classes in the order in which a start loads them, each times two, plus one
   * if it does not initialize the class.
   */
  private static final String ORDER = "META-INF/keelson/order";

  /** The hashes of the names of all classes of the jars, ascending. */
  private static final String CLASSES = "META-INF/keelson/classes";

  /** In the order, between the classes of the start and those of the first requests. */
  private static final int STARTED = -1;

  private static final String CLASS = ".class";

  private static final int MOST_LOADERS = 3;

  /** Unpacks the jars; returns their directory. */
  @FunctionalInterface
  interface Jars {
    Path unpack() throws IOException;
  }

  private final PackedFiles files;
  private final Jars jars;
  private final int[] hashes;

  /** One for each file, held while its class is defined. */
  private final Object[] locks;

  private final CountDownLatch start = new CountDownLatch(1);

  /** Whether the jars are in the search path. Guarded by {@link #jars}. */
  private boolean withJars;

  ServerClasses(PackedFiles files, Jars jars) {
    super("keelson", new URL[0], ClassLoader.getPlatformClassLoader());
    this.files = files;
    this.jars = jars;
    this.hashes = files.integers(CLASSES);
    this.locks = new Object[files.count()];
    for (int i = 0; i < locks.length; i++) {
      locks[i] = new Object();
    }
  }

  /**
   * Loads and verifies the classes of a start ahead of the thread that starts the server, in the
   * recorded order, by as many threads as the machine has processors to spare; after {@link
   * #started}, those of the first requests. A class that cannot be loaded is left to the thread
   * that needs it.
   */
  void loadAhead() {
    int[] order = files.integers(ORDER);
    int threads = Math.clamp(Runtime.getRuntime().availableProcessors() - 1, 1, MOST_LOADERS);
    for (int i = 0; i < threads; i++) {
      Thread thread = new LoadingThread(order, i, threads);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** A class, not a lambda: the JVM makes the class of a lambda when it first runs. */
  private final class LoadingThread extends Thread {
    private final int[] order;
    private final int first;
    private final int step;

    LoadingThread(int[] order, int first, int step) {
      super("keelson-classes-" + first);
      this.order = order;
      this.first = first;
      this.step = step;
    }

    @Override
    public void run() {
      loadAhead(order, first, step);
    }
  }

  private void loadAhead(int[] order, int first, int step) {
    int started = 0;
    while (order[started] != STARTED) {
      started++;
    }
    try {
      for (int next = first; next < order.length; next += step) {
        if (next >= started) {
          start.await();
        }
        if (next != started) {
          loadAhead(order[next]);
        }
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
  private void loadAhead(int ordered) {
    int file = ordered >> 1;
    try {
      Class<?> loaded = load(files.name(file), file);
      if ((ordered & 1) == 0) {
        loaded.getFields();
      }
    } catch (LinkageError e) {
      // an optional library of a library; the start itself does not need the class, or says so
      return;
    }
  }

  /**
   * A class of the file is defined here without a look at the loader above: the build has made sure
   * that the platform has none of this name.
   */
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    int file = files.find(name);
    return file < 0 ? super.loadClass(name, resolve) : load(name, file);
  }

  private Class<?> load(String name, int file) {
    synchronized (locks[file]) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      byte[] bytes = files.read(file);
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    int file = files.find(name);
    if (file >= 0) {
      return load(name, file);
    }
    if (Arrays.binarySearch(hashes, name.hashCode()) < 0) {
      // libraries look for each other: nothing is opened to find that one is not there
      throw new ClassNotFoundException(name);
    }
    addJars();
    return super.findClass(name);
  }

  @Override
  public URL findResource(String name) {
    if (!name.endsWith(CLASS)) {
      int file = files.find(name);
      return file >= 0
          ? url(name, file)
          : ServerClasses.class.getClassLoader().getResource(ServerLoader.NATIVE + name);
    }
    String type = name.substring(0, name.length() - CLASS.length()).replace('/', '.');
    int file = files.find(type);
    if (file >= 0) {
      return url(name, file);
    }
    if (Arrays.binarySearch(hashes, type.hashCode()) < 0) {
      return null;
    }
    addJars();
    return super.findResource(name);
  }

  private URL url(String name, int file) {
    try {
      return files.url(name, file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Enumeration<URL> findResources(String name) throws IOException {
    if (name.endsWith(CLASS)) {
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
