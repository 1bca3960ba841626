package dev.keelson.blackbox.session;

import java.util.ArrayList;
import java.util.List;

/**
 * A parsed file of a session.
 *
 * @param name the name of the file without its extension, and of the namespace of the session
 * @param alone whether no other session may run at the same time
 * @param controllers whether the server runs all controllers
 * @param steps the commands in order
 */
public record Session(String name, boolean alone, boolean controllers, List<Step> steps) {

  private static final String ALONE = "@alone";

  private static final String CONTROLLERS = "@controllers";

  /** Copies the list. */
  public Session {
    steps = List.copyOf(steps);
  }

  /**
   * Parses a file.
   *
   * @throws IllegalArgumentException if a line is out of place, or if the first comment does not
   *     name a page of the documentation
   */
  public static Session parse(String name, String text) {
    Parser parser = new Parser(name);
    int number = 0;
    for (String line : text.lines().toList()) {
      parser.read(++number, line);
    }
    return parser.finish();
  }

  private static final class Parser {

    private final String name;
    private final List<Step> steps = new ArrayList<>();
    private boolean alone;
    private boolean controllers;
    private boolean documented;

    private int start;
    private boolean repeated;
    private boolean output;
    private int exitCode;
    private final List<String> script = new ArrayList<>();
    private final List<String> out = new ArrayList<>();
    private final List<String> err = new ArrayList<>();

    Parser(String name) {
      this.name = name;
    }

    void read(int number, String line) {
      if (line.startsWith("#")) {
        endStep();
        documented |= steps.isEmpty() && line.contains("https://");
      } else if (line.startsWith("$ ") || line.startsWith("~ ")) {
        endStep();
        start = number;
        repeated = line.charAt(0) == '~';
        script.add(line.substring(2));
      } else if (script.isEmpty()) {
        outside(number, line);
      } else {
        expect(number, line);
      }
    }

    private void outside(int number, String line) {
      if (line.equals(ALONE) && steps.isEmpty()) {
        alone = true;
      } else if (line.equals(CONTROLLERS) && steps.isEmpty()) {
        controllers = true;
      } else if (!line.isBlank()) {
        throw misplaced(number, "neither a comment nor a command: " + line);
      }
    }

    private void expect(int number, String line) {
      if (line.equals(">") || line.startsWith("> ")) {
        if (output) {
          throw misplaced(number, "a command does not continue behind its output");
        }
        script.add(line.equals(">") ? "" : line.substring(2));
        return;
      }
      output = true;
      if (line.startsWith("? ")) {
        exitCode = Integer.parseInt(line.substring(2).strip());
      } else if (line.equals("!") || line.startsWith("! ")) {
        err.add(line.equals("!") ? "" : line.substring(2));
      } else {
        out.add(line.startsWith("\\") ? line.substring(1) : line);
      }
    }

    private void endStep() {
      if (script.isEmpty()) {
        return;
      }
      while (!out.isEmpty() && out.getLast().isBlank()) {
        out.removeLast();
      }
      steps.add(new Step(start, String.join("\n", script), out, err, exitCode, repeated));
      script.clear();
      out.clear();
      err.clear();
      exitCode = 0;
      output = false;
    }

    private IllegalArgumentException misplaced(int number, String problem) {
      return new IllegalArgumentException(name + ".txt:" + number + ": " + problem);
    }

    Session finish() {
      endStep();
      if (!documented) {
        throw misplaced(1, "no comment before the first command names a page (https://...)");
      }
      if (steps.isEmpty()) {
        throw misplaced(1, "no command");
      }
      return new Session(name, alone, controllers, steps);
    }
  }
}
