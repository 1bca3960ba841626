package dev.keelson.junit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The class loader of the server, above the platform's: nothing on the class path of the test is
 * seen by the server, and nothing of the server by the test. The jars are unpacked once a version,
 * into the directory that the system property {@code keelson.junit.cache} names, else {@code
 * ~/.cache/keelson/junit}.
 */
final class ServerLoader {

  private static final String ARCHIVE = "META-INF/keelson/server.zip";
  private static final int JAVA = 25;

  private static ClassLoader loaded;

  private ServerLoader() {}

  /** The one class loader of this JVM. */
  static synchronized ClassLoader get() {
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

  private static ClassLoader load() throws IOException {
    URL archive = ServerLoader.class.getClassLoader().getResource(ARCHIVE);
    if (archive == null) {
      throw new IOException(ARCHIVE + " is not on the class path");
    }
    Path directory = cache().resolve(fingerprint(archive));
    if (!Files.isDirectory(directory)) {
      unpack(archive, directory);
    }
    List<URL> jars = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.jar")) {
      for (Path jar : files) {
        jars.add(jar.toUri().toURL());
      }
    }
    return new URLClassLoader(
        "keelson", jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
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
      return "%08x-%d".formatted(entry.getCrc(), entry.getSize());
    }
    try {
      Path file = Path.of(new URI(archive.toString()));
      return "%x-%d".formatted(Files.getLastModifiedTime(file).toMillis(), Files.size(file));
    } catch (URISyntaxException e) {
      throw new IOException("cannot find " + archive, e);
    }
  }

  /** Several JVMs may unpack at the same time: the first to rename its directory wins. */
  private static void unpack(URL archive, Path directory) throws IOException {
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
      try (InputStream stream = archive.openStream();
          ZipInputStream zip = new ZipInputStream(stream)) {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
          if (!entry.isDirectory()) {
            // the name alone: an entry cannot lead out of the directory
            Files.copy(zip, fresh.resolve(Path.of(entry.getName()).getFileName()));
          }
        }
      }
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
