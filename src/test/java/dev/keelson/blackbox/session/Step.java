package dev.keelson.blackbox.session;

import java.util.List;

/**
 * A command of a session and what is expected of it.
 *
 * @param line the line of the file, from 1
 * @param script the command, in the language of bash; several lines with a here-document
 * @param out lines of standard output, in the form of {@link ExpectedText}
 * @param err lines of standard error
 * @param exitCode 0 on success
 * @param repeated whether the command is repeated until it gives what is expected
 */
public record Step(
    int line, String script, List<String> out, List<String> err, int exitCode, boolean repeated) {

  /** Copies the lists. */
  public Step {
    out = List.copyOf(out);
    err = List.copyOf(err);
  }
}
