package dev.keelson.value;

import java.util.ArrayList;
import java.util.List;

/**
 * Parses comma-separated values (RFC 4180). Cells may be quoted, with doubled quotes inside. Skips
 * empty lines and leading spaces of cells.
 */
public final class Csv {

  private Csv() {}

  /**
   * A line.
   *
   * @param number its number in the text, from 1
   */
  public record Line(int number, List<String> cells) {}

  /**
   * Parses the lines of {@code text}.
   *
   * @throws IllegalArgumentException naming the line with a misplaced quote
   */
  public static List<Line> lines(String text) {
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
              "line %d: expected a comma after the quoted cell".formatted(number));
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

  /**
   * Parses a quoted cell from after its opening quote; returns the index after its closing quote.
   */
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
    throw new IllegalArgumentException("line %d: missing closing quote".formatted(number));
  }
}
