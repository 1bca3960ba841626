package dev.keelson.config.flag;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Checks of flag values beyond their syntax. */
public final class Checks {

  private Checks() {}

  /**
   * Returns {@code file} if it is a readable file; throws an error that names the flag otherwise.
   */
  public static Path readable(Flag<?> flag, Path file) {
    if (!Files.exists(file)) {
      throw new FlagException(flag.dashed() + ": file " + file + " does not exist");
    }
    if (Files.isDirectory(file)) {
      throw new FlagException(flag.dashed() + ": " + file + " is a directory");
    }
    if (!Files.isReadable(file)) {
      throw new FlagException(flag.dashed() + ": " + file + " cannot be read");
    }
    return file;
  }

  /**
   * Rejects one of two flags without the other.
   *
   * @throws FlagException naming the flag that is set and the one that is missing
   */
  public static void bothOrNeither(
      Settings settings,
      Flag<? extends @Nullable Path> first,
      Flag<? extends @Nullable Path> second) {
    boolean given = settings.value(first) != null;
    if (given != (settings.value(second) != null)) {
      throw new FlagException(
          (given ? first : second).dashed()
              + " needs "
              + (given ? second : first).dashed()
              + " as well");
    }
  }
}
