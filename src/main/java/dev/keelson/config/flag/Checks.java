package dev.keelson.config.flag;

import java.nio.file.Files;
import java.nio.file.Path;

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
}
