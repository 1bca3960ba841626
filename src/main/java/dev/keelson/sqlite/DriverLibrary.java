package dev.keelson.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Where the driver's native library is unpacked. The driver's default, the temporary directory, may
 * be read-only or mounted noexec, and a killed process leaves its copy there.
 *
 * <p>On Linux with glibc on x86-64 and AArch64 the library is unpacked here, and the driver loads
 * that file. The driver itself looks at each mapped file and runs {@code uname} to find its
 * platform, and compares its copy byte by byte, which took more than half of the time of a start.
 *
 * <p>The driver is told by system properties, which all class loaders share, and a process can load
 * a file once only: what is set here is taken back once the driver has its library, so that the
 * drivers of other class loaders get files of their own.
 */
public final class DriverLibrary {

  /** The driver's system properties. */
  private static final String DIRECTORY = "org.sqlite.tmpdir";

  private static final String LOADED_FROM = "org.sqlite.lib.path";
  private static final String LOADED_FILE = "org.sqlite.lib.name";

  private static final Logger LOG = Logger.getLogger(DriverLibrary.class);

  /** Whether the driver of this class loader has loaded a file that was unpacked here. */
  private static volatile boolean loaded;

  private DriverLibrary() {}

  /**
   * Places the library of a process that owns the database {@code file}: in {@code directory}, else
   * where the operator says by the system property {@code org.sqlite.tmpdir}, else in a directory
   * beside the file, from which the copies of killed processes are removed.
   *
   * @param directory null for one beside the file
   * @throws IOException if a directory or the library cannot be written
   */
  public static void place(@Nullable Path directory, Path file) throws IOException {
    if (loaded) {
      return;
    }
    synchronized (lock()) {
      if (loaded) {
        return;
      }
      if (directory != null) {
        Files.createDirectories(directory);
        use(directory);
      } else if (!saidByOperator()) {
        Path beside = beside(file);
        // a process that has loaded its copy does not need the file any more
        try (DirectoryStream<Path> left = Files.newDirectoryStream(beside, "sqlite-*")) {
          for (Path copy : left) {
            Files.deleteIfExists(copy);
          }
        }
        use(beside);
      }
    }
  }

  /**
   * Places the library of a program that only reads the database {@code file} or writes a copy of
   * it: beside the file if that exists and its directory can be written, else where the driver
   * does.
   *
   * @throws IOException if a directory or the library cannot be written
   */
  public static void placeFor(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path parent = absolute.getParent();
    synchronized (lock()) {
      if (!loaded
          && !saidByOperator()
          && parent != null
          && Files.isWritable(parent)
          && Files.exists(absolute)) {
        use(beside(absolute));
      }
    }
  }

  /**
   * Loads the library from a file in {@code directory}, which later processes with the same version
   * of the driver load as well; unpacks it there if it is missing. Does nothing if the operator
   * says where the library is.
   *
   * @throws IOException if the library cannot be written
   */
  public static void share(Path directory) throws IOException {
    synchronized (lock()) {
      if (loaded || System.getProperty(LOADED_FROM) != null) {
        return;
      }
      String known = resource(System.getProperty("os.name"), System.getProperty("os.arch"));
      String resource =
          known == null
              ? LibraryLoaderUtil.getNativeLibResourcePath()
                  + "/"
                  + LibraryLoaderUtil.getNativeLibName()
              : known;
      Path kept = directory.resolve("sqlite" + resource.replace('/', '-'));
      try (InputStream library =
          Files.exists(kept) ? null : SQLiteConfig.class.getResourceAsStream(resource)) {
        if (library != null) {
          Path fresh = Files.createTempFile(directory, "sqlite", ".new");
          try {
            long unused = Files.copy(library, fresh, StandardCopyOption.REPLACE_EXISTING);
            Files.move(fresh, kept, StandardCopyOption.ATOMIC_MOVE);
          } finally {
            boolean unused = Files.deleteIfExists(fresh);
          }
        }
      }
      loaded = Files.exists(kept) && load(directory, kept);
      // the first one loads the locales of its date formats
      SQLiteConfig unused = new SQLiteConfig();
    }
  }

  /**
   * The lock of all class loaders; not the properties' own, which would hold up who sets others.
   */
  private static Object lock() {
    // a literal is one object in all class loaders
    return "dev.keelson.sqlite.DriverLibrary";
  }

  private static boolean saidByOperator() {
    String directory = System.getProperty(DIRECTORY);
    // the driver of another class loader may have been sent to one that is gone by now
    return directory != null && Files.isDirectory(Path.of(directory));
  }

  private static Path beside(Path path) throws IOException {
    Path directory = path.resolveSibling(path.getFileName() + ".lib");
    Files.createDirectories(directory);
    return directory;
  }

  private static void use(Path directory) throws IOException {
    String resource =
        System.getProperty(LOADED_FROM) == null
            ? resource(System.getProperty("os.name"), System.getProperty("os.arch"))
            : null;
    String before = System.getProperty(DIRECTORY);
    System.setProperty(DIRECTORY, directory.toString());
    if (resource != null && unpack(resource, directory)) {
      loaded = true;
      if (before == null) {
        System.clearProperty(DIRECTORY);
      } else {
        System.setProperty(DIRECTORY, before);
      }
    }
  }

  /** Unpacks the library and has the driver load it; false if the driver must do it itself. */
  private static boolean unpack(String resource, Path directory) throws IOException {
    try (InputStream library = SQLiteConfig.class.getResourceAsStream(resource)) {
      if (library == null) {
        return false;
      }
      String name = "sqlite-" + ProcessHandle.current().pid() + "-" + System.nanoTime() + ".so";
      Path copy = directory.resolve(name);
      copy.toFile().deleteOnExit();
      long unused = Files.copy(library, copy);
      return load(directory, copy);
    }
  }

  /** Has the driver load a file; false if the driver must find one itself. */
  private static boolean load(Path directory, Path file) {
    System.setProperty(LOADED_FROM, directory.toAbsolutePath().toString());
    System.setProperty(LOADED_FILE, file.getFileName().toString());
    try {
      return SQLiteJDBCLoader.initialize();
    } catch (Exception e) {
      // the driver unpacks a copy of its own when the store is opened
      LOG.debugf(e, "event=sqlite-library-not-loaded file=%s", file);
      return false;
    } finally {
      System.clearProperty(LOADED_FROM);
      System.clearProperty(LOADED_FILE);
    }
  }

  /**
   * The driver's resource for a platform, null if the driver must find it itself: with musl's
   * loader installed, a process may be of either kind.
   */
  public static @Nullable String resource(String system, String architecture) {
    Optional<String> known =
        switch (architecture.toLowerCase(Locale.ROOT)) {
          case "amd64", "x86_64" -> Optional.of("x86_64");
          case "aarch64" -> Optional.of("aarch64");
          default -> Optional.empty();
        };
    return known
        .filter(name -> system.equals("Linux"))
        .filter(name -> Files.notExists(Path.of("/lib/ld-musl-" + name + ".so.1")))
        .map(name -> "/org/sqlite/native/Linux/" + name + "/libsqlitejdbc.so")
        .orElse(null);
  }
}
