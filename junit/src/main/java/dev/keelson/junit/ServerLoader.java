package dev.keelson.junit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.jar.JarEntry;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Finds the files of the server in the jar of this library and makes its class loader. They are
 * unpacked once a version, into the directory that the system property {@code keelson.junit.cache}
 * names, else {@code ~/.cache/keelson/junit}; versions that were not used for a month are removed
 * then.
 */
final class ServerLoader {

  private static final String BEGIN = "META-INF/keelson/";
  private static final String ARCHIVE = BEGIN + "server.zip";
  private static final String START = BEGIN + "start.bin";

  /** The audit policy of a server. */
  static final String AUDIT_POLICY = BEGIN + "audit-policy.json";

  /** The native libraries, each by the name that its library asks for. */
  static final String NATIVE = BEGIN + "native/";

  private static final String SLF4J_VERBOSITY = "slf4j.internal.verbosity";
  private static final int JAVA = 25;

  private static ServerClasses loaded;
  private static PreparedKeys keys;

  private ServerLoader() {}

  /** The one class loader of this JVM. */
  static synchronized ServerClasses get() {
    if (loaded == null) {
      if (Runtime.version().feature() < JAVA) {
        throw new IllegalStateException(
            "the server needs Java %d or later; this JVM is %s"
                .formatted(JAVA, Runtime.version().feature()));
      }
      try {
        loaded = load();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot unpack the server", e);
      }
    }
    return loaded;
  }

  /** The keys for servers of this version; after {@link #get}. */
  static synchronized PreparedKeys keys() {
    return keys;
  }

  private static ServerClasses load() throws IOException {
    URL start = resource(START);
    Path directory = cache().resolve(fingerprint(start));
    Path file = directory.resolve(UnpackedVersions.FILE);
    if (!Files.exists(file)) {
      inDirectory(directory, fresh -> copy(start, fresh.resolve(UnpackedVersions.FILE)));
      UnpackedVersions.removeUnused(directory.getParent(), System.currentTimeMillis());
    }
    UnpackedVersions.used(directory, System.currentTimeMillis());
    ServerClasses classes =
        new ServerClasses(PackedFiles.open(file), new UnpackedJars(directory.resolve("jars")));
    keys = new PreparedKeys(directory.resolve("keys"));
    classes.loadAhead();
    Thread sqlite = new SqliteThread(classes, directory);
    sqlite.setDaemon(true);
    sqlite.start();
    return classes;
  }

  /**
   * Loads SQLite's native library from a file that is kept with the others. Left to itself, SQLite
   * copies it to the temporary directory in each JVM and compares the copy.
   */
  private static void loadSqlite(ClassLoader classes, Path directory) {
    boolean silenced = System.getProperty(SLF4J_VERBOSITY) == null;
    if (silenced) {
      // SQLite is the first to ask for SLF4J, which else warns that nothing is behind it
      System.setProperty(SLF4J_VERBOSITY, "ERROR");
    }
    try {
      classes
          .loadClass("dev.keelson.sqlite.DriverLibrary")
          .getMethod("share", Path.class)
          .invoke(null, directory);
    } catch (ReflectiveOperationException e) {
      // the store opens SQLite next and reports why it cannot
      System.getLogger(ServerLoader.class.getName())
          .log(System.Logger.Level.DEBUG, "SQLite is not loaded ahead", e);
    } finally {
      if (silenced) {
        System.clearProperty(SLF4J_VERBOSITY);
      }
    }
  }

  static URL resource(String name) throws IOException {
    URL found = ServerLoader.class.getClassLoader().getResource(name);
    if (found == null) {
      throw new IOException(name + " is not on the class path");
    }
    return found;
  }

  static void copy(URL from, Path to) throws IOException {
    try (InputStream stream = from.openStream()) {
      Files.copy(stream, to);
    }
  }

  /** The jars, unpacked into a directory when they are first needed. */
  private record UnpackedJars(Path directory) implements ServerClasses.Jars {
    @Override
    public Path unpack() throws IOException {
      if (!Files.isDirectory(directory)) {
        URL archive = resource(ARCHIVE);
        inDirectory(directory, fresh -> ServerLoader.unpack(archive, fresh));
      }
      return directory;
    }
  }

  /** A class, not a lambda: the JVM makes the class of a lambda when it first runs. */
  private static final class SqliteThread extends Thread {
    private final ClassLoader classes;
    private final Path directory;

    SqliteThread(ClassLoader classes, Path directory) {
      super("keelson-sqlite");
      this.classes = classes;
      this.directory = directory;
    }

    @Override
    public void run() {
      loadSqlite(classes, directory);
    }
  }

  private static Path cache() {
    String named = System.getProperty("keelson.junit.cache");
    if (named != null) {
      return Path.of(named);
    }
    return Path.of(System.getProperty("user.home"), ".cache", "keelson", "junit");
  }

  /**
   * Names the contents without reading them: their checksum in the jar, or the time of the file.
   */
  private static String fingerprint(URL archive) throws IOException {
    URLConnection connection = archive.openConnection();
    if (connection instanceof JarURLConnection jar) {
      jar.setUseCaches(false);
      JarEntry entry;
      try (var file = jar.getJarFile()) {
        entry = jar.getJarEntry();
      }
      // no Formatter, which loads the locale's data
      return Long.toHexString(entry.getCrc()) + "-" + entry.getSize();
    }
    try {
      Path file = Path.of(new URI(archive.toString()));
      return Long.toHexString(Files.getLastModifiedTime(file).toMillis()) + "-" + Files.size(file);
    } catch (URISyntaxException e) {
      throw new IOException("cannot find " + archive, e);
    }
  }

  /** Writes files into a directory. */
  @FunctionalInterface
  private interface Filling {
    void fill(Path directory) throws IOException;
  }

  /**
   * Makes a directory with its files. Several JVMs may do so at the same time: the first to rename
   * its directory wins.
   */
  private static void inDirectory(Path directory, Filling filling) throws IOException {
    Path parent = directory.getParent();
    Files.createDirectories(parent);
    Path fresh =
        Files.getFileStore(parent).supportsFileAttributeView("posix")
            ? Files.createTempDirectory(
                parent,
                "new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
            : Files.createTempDirectory(parent, "new");
    try {
      filling.fill(fresh);
      Files.move(fresh, directory, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException e) {
      delete(fresh);
    } catch (IOException e) {
      delete(fresh);
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
  }

  private static void unpack(URL archive, Path directory) throws IOException {
    try (InputStream stream = archive.openStream();
        ZipInputStream zip = new ZipInputStream(stream)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (!entry.isDirectory()) {
          // the name alone: an entry cannot lead out of the directory
          Files.copy(zip, directory.resolve(Path.of(entry.getName()).getFileName()));
        }
      }
    }
  }

  /** Removes a directory with all that is in it; what is gone already is no error. */
  static void delete(Path directory) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
