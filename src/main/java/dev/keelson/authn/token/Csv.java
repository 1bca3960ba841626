package dev.keelson.authn.token;

import java.util.ArrayList;
import java.util.List;

/**
 * Comma-separated values as RFC 4180 has them: a cell may stand in double quotes, and a quote in it
 * is doubled. Empty lines are left out, and spaces before a cell are dropped.
 */
final class Csv {

  private Csv() {}

  /**
   * One line.
   *
   * @param number where it begins in the text, from 1
   */
  record Line(int number, List<String> cells) {}

  /**
   * The lines of {@code text}.
   *
   * @throws IllegalArgumentException naming the line with a quote that is out of place
   */
  static List<Line> lines(String text) {
    List<Line> lines = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\\R", -1)) {
      number++;
      if (!line.isBlank()) {
        lines.add(new Line(number, cells(line, number)));
      }
    }
    return lines;
  }

  private static List<String> cells(String line, int number) {
    List<String> cells = new ArrayList<>();
    int at = 0;
    while (true) {
      while (at < line.length() && line.charAt(at) == ' ') {
        at++;
      }
      StringBuilder cell = new StringBuilder();
      if (at < line.length() && line.charAt(at) == '"') {
        at = quoted(line, at + 1, cell, number);
        if (at < line.length() && line.charAt(at) != ',') {
          throw new IllegalArgumentException(
              "line %d: a comma is expected after the quoted cell".formatted(number));
        }
      } else {
        int comma = line.indexOf(',', at);
        int end = comma < 0 ? line.length() : comma;
        cell.append(line, at, end);
        at = end;
      }
      cells.add(cell.toString());
      if (at >= line.length()) {
        return List.copyOf(cells);
      }
      at++;
    }
  }

  /** Reads a quoted cell from after its first quote; returns the place after its last one. */
  private static int quoted(String line, int start, StringBuilder cell, int number) {
    int at = start;
    while (at < line.length()) {
      char c = line.charAt(at++);
      if (c != '"') {
        cell.append(c);
      } else if (at < line.length() && line.charAt(at) == '"') {
        cell.append('"');
        at++;
      } else {
        return at;
      }
    }
    throw new IllegalArgumentException("line %d: a quote is not closed".formatted(number));
  }
}
