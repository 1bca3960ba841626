package dev.keelson.config.flag;

import java.nio.file.Files;
import java.nio.file.Path;

/** What a flag's value must fulfil beyond its syntax. */
public final class Checks {

  private Checks() {}

  /** {@code file}, if it is a file that can be read; else an error that names the flag. */
  public static Path readable(Flag<?> flag, Path file) {
    if (!Files.exists(file)) {
      throw new FlagException(flag.dashed() + ": there is no file " + file);
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
