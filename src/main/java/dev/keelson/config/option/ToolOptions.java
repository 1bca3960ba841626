package dev.keelson.config.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a command that works on a store is to do.
 *
 * @param tool which command
 * @param file the operand: the file to write or to read; null for none
 * @param from the store to read or check; null if a backup is restored
 * @param to the store to write; null for a backup or a check
 * @param overwrite whether what is there already may be replaced
 * @param bump how far the revision of a store that is written rises above all that are known; null
 *     for the command's default
 */
public record ToolOptions(
    Tool tool,
    @Nullable Path file,
    @Nullable StorageOptions from,
    @Nullable StorageOptions to,
    boolean overwrite,
    @Nullable Long bump) {

  /** A command that works on a store. */
  public enum Tool {
    BACKUP("backup", "FILE"),
    RESTORE("restore", "FILE"),
    CHECK("check", "[FILE]"),
    COPY("copy", "--from STORE --to STORE");

    private final String command;
    private final String operands;

    Tool(String command, String operands) {
      this.command = command;
      this.operands = operands;
    }

    /** The word behind the name of the executable. */
    public String command() {
      return command;
    }

    /** What the help shows behind the command. */
    public String operands() {
      return operands;
    }
  }
}
