package dev.keelson.junit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The versions of the server that are unpacked, each in a directory whose time of modification
 * tells, to the day, when it was used last.
 */
final class UnpackedVersions {

  /** The file that each of them has, and is known by. */
  static final String FILE = "start.bin";

  private static final long DAY = TimeUnit.DAYS.toMillis(1);
  private static final long UNUSED = 30 * DAY;

  private UnpackedVersions() {}

  /** Notes that a version is used; {@code now} in milliseconds since 1970. */
  static void used(Path version, long now) {
    // not Files, whose times need classes that a start does not have otherwise
    File directory = version.toFile();
    if (now - directory.lastModified() > DAY) {
      boolean unused = directory.setLastModified(now);
    }
  }

  /**
   * Removes versions that were not used for 30 days, and what a JVM that was killed left of one.
   * Other directories stay, since users may name a directory that has more in it. A version that
   * cannot be removed stays; a JVM that still runs with one keeps its open file.
   */
  static void removeUnused(Path versions, long now) {
    File[] all = versions.toFile().listFiles(File::isDirectory);
    if (all == null) {
      return;
    }
    for (File version : all) {
      if (new File(version, FILE).isFile() && now - version.lastModified() > UNUSED) {
        try {
          ServerLoader.delete(version.toPath());
        } catch (IOException e) {
          System.getLogger(UnpackedVersions.class.getName())
              .log(System.Logger.Level.DEBUG, "an unused version of the server stays", e);
        }
      }
    }
  }
}
