package dev.keelson.junit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Keys and certificates for servers, made before they are needed: by a JVM that closes a server,
 * whose code for that is loaded and compiled, for the next one. Making them is a sixth of the
 * processor time of a start. Each set, a directory that only its owner can read, is for one server:
 * it is moved away before it is used.
 */
final class PreparedKeys {

  /** How many sets there are at most: as many as JVMs that often start at the same time. */
  private static final int MOST = 2;

  /** Certificates last for a year, of which tests may skip 11 months. */
  private static final long LONGEST = TimeUnit.DAYS.toMillis(7);

  private static final String TAKEN = ".taken";

  private final Path directory;

  /**
   * @param directory where the sets are
   */
  PreparedKeys(Path directory) {
    this.directory = directory;
  }

  /**
   * Moves a set into a new directory; without a set, the directory is not made, and the server
   * makes its own keys.
   */
  void take(Path target) throws IOException {
    for (File set : sets()) {
      Path taken = directory.resolve(set.getName() + TAKEN);
      if (set.renameTo(taken.toFile())) {
        // else another JVM was faster
        try {
          if (isFresh(taken.toFile())) {
            copy(taken, target);
            return;
          }
        } finally {
          remove(taken);
        }
      }
    }
  }

  private static boolean isFresh(File set) {
    return System.currentTimeMillis() - set.lastModified() < LONGEST;
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to, ownerOnly(from));
    for (File file : files(from, false)) {
      // permissions are part of what a private key needs
      Files.copy(file.toPath(), to.resolve(file.getName()), StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  /** Makes a set if there are few; one that cannot be made is made by the server that needs it. */
  synchronized void fill(ClassLoader server) {
    if (sets().size() >= MOST) {
      return;
    }
    removeLeft();
    Path fresh = directory.resolve(UUID.randomUUID() + TAKEN);
    try {
      Files.createDirectories(fresh, ownerOnly(directory.getParent()));
      Embedded.makeKeys(server, List.of("--data-dir=" + fresh, "--cert-dir=" + fresh));
      String name = fresh.toString();
      Files.move(
          fresh,
          Path.of(name.substring(0, name.length() - TAKEN.length())),
          StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | KeelsonException e) {
      System.getLogger(PreparedKeys.class.getName())
          .log(System.Logger.Level.DEBUG, "no keys are made for the next server", e);
    }
  }

  /** Removes what JVMs that were killed have left. */
  private void removeLeft() {
    for (File left : files(directory, true)) {
      if (!isFresh(left)) {
        remove(left.toPath());
      }
    }
  }

  /** Removes a set, which has no directories; what cannot be removed goes with the version. */
  private static void remove(Path set) {
    for (File file : files(set, false)) {
      boolean unused = file.delete();
    }
    boolean unused = set.toFile().delete();
  }

  private List<File> sets() {
    return files(directory, false);
  }

  /** Loops, not lambdas: the JVM makes the class of a lambda when it first runs. */
  private static List<File> files(Path directory, boolean taken) {
    List<File> found = new ArrayList<>();
    File[] all = directory.toFile().listFiles();
    if (all != null) {
      for (File file : all) {
        if (file.getName().endsWith(TAKEN) == taken) {
          found.add(file);
        }
      }
    }
    return found;
  }

  private static FileAttribute<?>[] ownerOnly(Path place) throws IOException {
    return Files.getFileStore(place).supportsFileAttributeView("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }
}
