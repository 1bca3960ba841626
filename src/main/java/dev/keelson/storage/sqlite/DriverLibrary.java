package dev.keelson.storage.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Where the driver's native library is unpacked. The driver's default, the temporary directory, may
 * be read-only or mounted noexec, and a killed process leaves its copy there.
 *
 * <p>On Linux with glibc on x86-64 and AArch64 the library is unpacked here, and the driver loads
 * that file. The driver itself looks at each mapped file and runs {@code uname} to find its
 * platform, and compares its copy byte by byte, which took more than half of the time of a start.
 */
final class DriverLibrary {

  /** The driver's system properties. */
  private static final String DIRECTORY = "org.sqlite.tmpdir";

  private static final String LOADED_FROM = "org.sqlite.lib.path";
  private static final String LOADED_FILE = "org.sqlite.lib.name";

  private static final Logger LOG = Logger.getLogger(DriverLibrary.class);

  /** Whether the driver of this class loader has loaded a file that was unpacked here. */
  private static volatile boolean loaded;

  private DriverLibrary() {}

  /**
   * Places the library of a process that holds the store {@code path}: in the directory of the
   * options, else where the operator says, else beside the store.
   */
  static void place(SqliteOptions options, Path path) throws IOException {
    if (loaded) {
      return;
    }
    Path directory = options.libraryDirectory();
    if (directory == null) {
      if (System.getProperty(DIRECTORY) != null) {
        return; // by the operator
      }
      directory = beside(path);
      // no other process uses it while this one has the lock, but for tools, which have loaded it
      try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, "sqlite-*")) {
        for (Path copy : left) {
          Files.deleteIfExists(copy);
        }
      }
    }
    Files.createDirectories(directory);
    use(directory);
  }

  /**
   * Places the library of a program that only reads the store {@code file} or writes a copy of it:
   * beside the store if that exists, else where the driver does.
   */
  static void placeFor(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path parent = absolute.getParent();
    if (!loaded
        && System.getProperty(DIRECTORY) == null
        && parent != null
        && Files.isWritable(parent)
        && Files.exists(absolute)) {
      use(beside(absolute));
    }
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
    // the lock of all class loaders
    synchronized (System.getProperties()) {
      String before = System.getProperty(DIRECTORY);
      System.setProperty(DIRECTORY, directory.toString());
      if (resource != null && unpack(resource, directory)) {
        loaded = true;
        // a process can load a file once only: drivers of other class loaders have their own
        if (before == null) {
          System.clearProperty(DIRECTORY);
        } else {
          System.setProperty(DIRECTORY, before);
        }
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
      System.setProperty(LOADED_FROM, directory.toAbsolutePath().toString());
      System.setProperty(LOADED_FILE, name);
      return SQLiteJDBCLoader.initialize();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      // the driver unpacks a copy of its own when the store is opened
      LOG.debugf(e, "event=sqlite-library-not-loaded directory=%s", directory);
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
  static @Nullable String resource(String system, String architecture) {
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
