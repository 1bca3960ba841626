package dev.keelson.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteConfig;

class DriverLibraryTest {

  /** The driver's system property. */
  private static final String DIRECTORY = "org.sqlite.tmpdir";

  @ParameterizedTest
  @CsvSource({"amd64, x86_64", "x86_64, x86_64", "aarch64, aarch64"})
  void resource_onLinuxWithoutMusl_isOneOfTheDriver(String architecture, String directory) {
    assumeThat(Files.exists(Path.of("/lib/ld-musl-" + directory + ".so.1"))).isFalse();

    String resource = DriverLibrary.resource("Linux", architecture);

    assertThat(resource)
        .isNotNull()
        .satisfies(name -> assertThat(SQLiteConfig.class.getResource(name)).isNotNull())
        .contains("/Linux/" + directory + "/");
  }

  @Test
  void storesOfTwoClassLoaders_areOpenInOneProcess(@TempDir Path directory) throws Exception {
    try (SqliteStore first =
            SqliteStore.open(
                SqliteOptions.defaults(directory.resolve("a.db")), InstantSource.system());
        URLClassLoader loader = classLoader()) {
      try (AutoCloseable second = openIn(loader, directory.resolve("other/b.db"))) {
        assertThat(second.getClass()).isNotEqualTo(first.getClass());
        assertThat(first.revision()).isPositive();
      }
    }
  }

  @Test
  void open_whereTheDirectorySaidIsGone_unpacksBesideTheStore(@TempDir Path directory)
      throws Exception {
    String before = System.getProperty(DIRECTORY);
    System.setProperty(DIRECTORY, directory.resolve("gone").toString());
    try (URLClassLoader loader = classLoader();
        AutoCloseable store = openIn(loader, directory.resolve("c.db"))) {
      assertThat(store).isNotNull();
      assertThat(directory.resolve("c.db.lib")).isNotEmptyDirectory();
    } finally {
      if (before == null) {
        System.clearProperty(DIRECTORY);
      } else {
        System.setProperty(DIRECTORY, before);
      }
    }
  }

  @Test
  void share_keepsOneFile_thatStoresOfTheClassLoaderUse(@TempDir Path directory) throws Exception {
    Path shared = Files.createDirectory(directory.resolve("shared"));
    try (URLClassLoader loader = classLoader()) {
      for (int i = 0; i < 2; i++) {
        loader
            .loadClass(DriverLibrary.class.getName())
            .getMethod("share", Path.class)
            .invoke(null, shared);
      }
      try (AutoCloseable store = openIn(loader, directory.resolve("d.db"))) {
        assertThat(store).isNotNull();
      }
    }

    assertThat(shared).isDirectoryContaining(file -> file.toString().endsWith("sqlitejdbc.so"));
    assertThat(shared.toFile().list()).hasSize(1);
    assertThat(directory.resolve("d.db.lib")).doesNotExist();
  }

  /** A class loader with a driver and a store of its own. */
  private static URLClassLoader classLoader() throws MalformedURLException {
    List<URL> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      classPath.add(Path.of(entry).toUri().toURL());
    }
    return new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  private static AutoCloseable openIn(ClassLoader loader, Path file) throws Exception {
    Class<?> options = loader.loadClass(SqliteOptions.class.getName());
    return (AutoCloseable)
        loader
            .loadClass(SqliteStore.class.getName())
            .getMethod("open", options, InstantSource.class)
            .invoke(
                null,
                options.getMethod("defaults", Path.class).invoke(null, file),
                InstantSource.system());
  }

  @ParameterizedTest
  @CsvSource({"Linux, riscv64", "Linux, ppc64le", "Mac OS X, aarch64", "Windows 11, amd64"})
  void resource_elsewhere_isLeftToTheDriver(String system, String architecture) {
    assertThat(DriverLibrary.resource(system, architecture)).isNull();
  }
}
